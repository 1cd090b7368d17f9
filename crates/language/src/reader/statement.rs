//! Statements: passages that say something lasting, in the user's own words.

use saegim_core::{StatedValue, Unit};

use crate::StatedClause;
use crate::reader::analysis::{Act, MarkedValue};
use crate::reader::calibration::calibration;
use crate::reader::passage::Passage;
use crate::reader::person::{People, somebody};
use crate::tokenize::trim::trimmed;

/// Least probability of a value that is stored with its statement.
const MARKED: f32 = 0.5;

fn values(passage: &Passage<'_>, text: &str) -> Vec<StatedValue> {
    let stated = |value: &&MarkedValue| StatedValue { subject: value.subject.to_owned(), value: text[value.range.clone()].to_owned() };
    passage.values.iter().filter(|value| value.probability >= MARKED).map(stated).collect()
}

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
        values: values(passage, text),
        corrects: passage.act == Act::Correction,
        group,
        // Somebody unnamed stays unconfirmed until the person is known.
        sure: about.is_some() && probability >= calibration.sure_from,
        about: about.unwrap_or_else(|| somebody(text)),
        status: passage.status,
        probability: Unit::clamped(probability),
        factors: passage.factors.clone(),
    })
}
