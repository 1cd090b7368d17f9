//! GGUF files: what they say about a model, and where its matrices lie.

use std::collections::HashMap;
use std::path::Path;

use super::blocks::Blocks;
use crate::ProviderError;

/// The most tensors or settings a file may claim to have.
const MOST: u64 = 100_000;

/// One setting of a file, as far as a model needs it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Setting {
    Number(f64),
    Text(String),
    Texts(Vec<String>),
    Other,
}

/// A matrix in the file: so many rows of so many numbers.
pub(super) struct Matrix {
    pub(super) blocks: Blocks,
    pub(super) columns: usize,
    pub(super) rows: usize,
    start: usize,
}

/// A file read whole.
pub(super) struct Gguf {
    bytes: Vec<u8>,
    settings: HashMap<String, Setting>,
    matrices: HashMap<String, Matrix>,
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

fn broken(why: &str) -> ProviderError {
    ProviderError::Broken(format!("not a usable GGUF file: {why}"))
}

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], ProviderError> {
        let end = self.at.checked_add(count).filter(|end| *end <= self.bytes.len()).ok_or_else(|| broken("it is cut off"))?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn number<const N: usize>(&mut self) -> Result<[u8; N], ProviderError> {
        Ok(self.take(N)?.try_into().expect("so many were taken"))
    }

    fn long(&mut self) -> Result<u64, ProviderError> {
        Ok(u64::from_le_bytes(self.number()?))
    }

    fn int(&mut self) -> Result<u32, ProviderError> {
        Ok(u32::from_le_bytes(self.number()?))
    }

    fn count(&mut self) -> Result<usize, ProviderError> {
        let count = self.long()?;
        if count > self.bytes.len() as u64 {
            return Err(broken("a length is longer than the file"));
        }
        Ok(count as usize)
    }

    fn text(&mut self) -> Result<String, ProviderError> {
        let length = self.count()?;
        Ok(String::from_utf8_lossy(self.take(length)?).into_owned())
    }

    fn setting(&mut self, kind: u32) -> Result<Setting, ProviderError> {
        Ok(match kind {
            0 | 7 => Setting::Number(f64::from(self.number::<1>()?[0])),
            1 => Setting::Number(f64::from(self.number::<1>()?[0] as i8)),
            2 => Setting::Number(f64::from(u16::from_le_bytes(self.number()?))),
            3 => Setting::Number(f64::from(i16::from_le_bytes(self.number()?))),
            4 => Setting::Number(f64::from(self.int()?)),
            5 => Setting::Number(f64::from(self.int()? as i32)),
            6 => Setting::Number(f64::from(f32::from_le_bytes(self.number()?))),
            8 => Setting::Text(self.text()?),
            9 => {
                let (kind, count) = (self.int()?, self.count()?);
                let mut texts = Vec::new();
                for _ in 0..count {
                    if let Setting::Text(text) = self.setting(kind)? {
                        texts.push(text);
                    }
                }
                if texts.len() == count { Setting::Texts(texts) } else { Setting::Other }
            }
            10 => Setting::Number(self.long()? as f64),
            11 => Setting::Number(self.long()? as i64 as f64),
            12 => Setting::Number(f64::from_le_bytes(self.number()?)),
            _ => return Err(broken("a setting is of no known kind")),
        })
    }
}

impl Gguf {
    /// Reads a file, and refuses what is none.
    pub(super) fn open(path: &Path) -> Result<Self, ProviderError> {
        let bytes = std::fs::read(path).map_err(|error| ProviderError::Down(format!("{}: {error}", path.display())))?;
        Self::of(bytes)
    }

    pub(super) fn of(bytes: Vec<u8>) -> Result<Self, ProviderError> {
        let mut reader = Reader { bytes: &bytes, at: 0 };
        if reader.take(4)? != b"GGUF" || !(2..=3).contains(&reader.int()?) {
            return Err(broken("it does not begin like one"));
        }
        let (tensors, settings) = (reader.long()?, reader.long()?);
        if tensors > MOST || settings > MOST {
            return Err(broken("it claims too much"));
        }
        let mut known = HashMap::new();
        for _ in 0..settings {
            let name = reader.text()?;
            let kind = reader.int()?;
            known.insert(name, reader.setting(kind)?);
        }
        let mut matrices = Vec::new();
        for _ in 0..tensors {
            let name = reader.text()?;
            let sides = reader.int()?;
            if !(1..=2).contains(&sides) {
                return Err(broken("a tensor is no matrix"));
            }
            let (columns, rows) = (reader.count()?, if sides == 2 { reader.count()? } else { 1 });
            let blocks = Blocks::of(reader.int()?).ok_or_else(|| broken("numbers are packed in a way that is not known"))?;
            matrices.push((name, Matrix { blocks, columns, rows, start: reader.count()? }));
        }
        let unit = match known.get("general.alignment") {
            Some(Setting::Number(number)) if *number >= 1.0 => *number as usize,
            _ => 32,
        };
        let data = reader.at.div_ceil(unit) * unit;
        let mut checked = HashMap::new();
        for (name, mut matrix) in matrices {
            matrix.start += data;
            let size = matrix.blocks.row_bytes(matrix.columns).and_then(|row| row.checked_mul(matrix.rows));
            if size.and_then(|size| size.checked_add(matrix.start)).is_none_or(|end| end > bytes.len()) {
                return Err(broken("a matrix lies outside the file"));
            }
            checked.insert(name, matrix);
        }
        Ok(Self { bytes, settings: known, matrices: checked })
    }

    pub(super) fn number(&self, name: &str) -> Option<f64> {
        match self.settings.get(name)? {
            Setting::Number(number) => Some(*number),
            _ => None,
        }
    }

    pub(super) fn text(&self, name: &str) -> Option<&str> {
        match self.settings.get(name)? {
            Setting::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(super) fn texts(&self, name: &str) -> Option<&[String]> {
        match self.settings.get(name)? {
            Setting::Texts(texts) => Some(texts),
            _ => None,
        }
    }

    pub(super) fn matrix(&self, name: &str) -> Option<&Matrix> {
        self.matrices.get(name)
    }

    /// The packed numbers of one row.
    pub(super) fn row(&self, matrix: &Matrix, row: usize) -> &[u8] {
        let bytes = matrix.blocks.row_bytes(matrix.columns).expect("it was checked when the file was opened");
        let start = matrix.start + row * bytes;
        &self.bytes[start..start + bytes]
    }

    /// A vector, unpacked.
    pub(super) fn vector(&self, name: &str) -> Option<Vec<f32>> {
        let matrix = self.matrix(name)?;
        let mut numbers = vec![0.0; matrix.columns];
        matrix.blocks.unpack(self.row(matrix, 0), &mut numbers);
        Some(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_gguf_file_is_refused() {
        for bytes in [&b""[..], b"GGUF", b"GGUF\x03\0\0\0", b"not a model at all, but long enough to be read"] {
            assert!(Gguf::of(bytes.to_vec()).is_err());
        }
        let mut claims = b"GGUF\x03\0\0\0".to_vec();
        claims.extend(u64::MAX.to_le_bytes());
        claims.extend(0u64.to_le_bytes());
        assert!(Gguf::of(claims).is_err());
    }
}
