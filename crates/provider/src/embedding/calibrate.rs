//! Calibrates an embedder: measures the cosines of pairs with a known relation and derives the similarity map from them.

use saegim_core::{Calibration, Embedding};

use crate::{Embedder, ProviderError, Purpose};

/// Hand-labelled sentence pairs about everyday life, in Korean and English. Columns: language, relation, first text, second
/// text.
pub const PAIRS: &str = include_str!("../../tests/pairs.tsv");

/// Cosines measured for one relation.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// `same`, `related` or `unrelated`.
    pub relation: &'static str,
    /// Raw cosines in ascending order.
    pub cosines: Vec<f32>,
}

/// Result of measuring an embedder.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Bands for `same`, `related` and `unrelated`.
    pub bands: [Band; 3],
    /// Calibration derived from the bands.
    pub calibration: Calibration,
}

impl Measured {
    /// Returns the share (0..=1) of a band whose calibrated similarity lies in `range`, or 0 if the relation is unknown.
    pub fn share(&self, relation: &str, range: std::ops::Range<f32>) -> f32 {
        let Some(band) = self.bands.iter().find(|band| band.relation == relation) else { return 0.0 };
        let inside = band.cosines.iter().filter(|cosine| range.contains(&self.calibration.similarity(**cosine).get())).count();
        inside as f32 / band.cosines.len().max(1) as f32
    }
}

/// Measures an embedder on labelled pairs. Skips lines that start with `#` and pairs in a script the embedder does not support.
pub async fn measure(embedder: &dyn Embedder, pairs: &str) -> Result<Measured, ProviderError> {
    let rows: Vec<Vec<&str>> = pairs.lines().filter(|line| !line.starts_with('#')).map(|line| line.split('\t').collect()).collect();
    let mut bands = Vec::new();
    for relation in ["same", "related", "unrelated"] {
        let texts: Vec<String> = rows
            .iter()
            .filter(|row| row.len() == 4 && row[1] == relation && embedder.knows(row[2]) && embedder.knows(row[3]))
            .flat_map(|row| [row[2].to_owned(), row[3].to_owned()])
            .collect();
        let vectors: Vec<Embedding> = embedder.embed(&texts, Purpose::Passage).await?;
        let mut cosines: Vec<f32> = vectors.chunks(2).filter(|pair| pair.len() == 2).map(|pair| pair[0].cosine(&pair[1])).collect();
        cosines.sort_by(f32::total_cmp);
        bands.push(Band { relation, cosines });
    }
    let bands: [Band; 3] = bands.try_into().map_err(|_| ProviderError::Broken("expected three bands".into()))?;
    let calibration = Calibration::measured(&bands[0].cosines, &bands[1].cosines, &bands[2].cosines)
        .map_err(|invalid| ProviderError::Invalid(invalid.to_string()))?;
    Ok(Measured { bands, calibration })
}
