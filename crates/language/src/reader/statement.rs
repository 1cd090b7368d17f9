//! Statements: passages that say something lasting, in the user's own words.

use saegim_core::Unit;

use crate::StatedClause;
use crate::reader::calibration::calibration;
use crate::reader::passage::Passage;
use crate::reader::person::{People, somebody};
use crate::tokenize::trim::trimmed;

/// Returns the statement a passage makes, if it is probable enough to be recorded.
pub(crate) fn statement(passage: &Passage<'_>, text: &str, people: &mut People<'_>) -> Option<StatedClause> {
    let about = people.holder(passage);
    let group = passage.group.filter(|_| passage.tells())?;
    let calibration = calibration("statement", group.as_str());
    let probability = calibration.probability(passage.lasting);
    let words = trimmed(text.get(passage.range.clone())?);
    if probability < calibration.kept_from || words.is_empty() {
        return None;
    }
    Some(StatedClause {
        text: words,
        group,
        // Somebody unnamed stays unconfirmed until the person is known.
        sure: about.is_some() && probability >= calibration.sure_from,
        about: about.unwrap_or_else(|| somebody(text)),
        status: passage.status,
        probability: Unit::clamped(probability),
    })
}
