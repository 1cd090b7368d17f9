//! Measuring an embedder's scale: the cosines it gives pairs of known relation, and the map they call for.

use saegim_core::{Calibration, Embedding};

use crate::{Embedder, ProviderError, Purpose};

/// Pairs of everyday life in Korean and English, labelled by hand: language, relation, one, other.
pub const PAIRS: &str = include_str!("../tests/pairs.tsv");

/// What was measured of one relation.
#[derive(Clone, Debug, PartialEq)]
pub struct Band {
    /// `same`, `related` or `unrelated`.
    pub relation: &'static str,
    /// The raw cosines, smallest first.
    pub cosines: Vec<f32>,
}

/// An embedder's scale.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The three bands.
    pub bands: [Band; 3],
    /// The map they call for.
    pub calibration: Calibration,
}

impl Measured {
    /// The share of a band whose similarity lies in a range, by the measured map.
    pub fn share(&self, relation: &str, range: std::ops::Range<f32>) -> f32 {
        let Some(band) = self.bands.iter().find(|band| band.relation == relation) else { return 0.0 };
        let inside = band.cosines.iter().filter(|cosine| range.contains(&self.calibration.similarity(**cosine).get())).count();
        inside as f32 / band.cosines.len().max(1) as f32
    }
}

/// Measures an embedder on labelled pairs; lines that begin with # are left out.
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
