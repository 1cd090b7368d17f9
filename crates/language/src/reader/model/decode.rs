//! Turns the rows of a window into clauses, values and labels of the message.

use std::ops::Range;

use saegim_core::{Face, StatementGroup, StatementStatus};

use super::heads::Heads;
use super::labels::{ACTS, GROUPS, HOLDERS};
use super::tokens::Token;
use super::values::{apart, likeliest, values};
use super::windows::Window;
use crate::reader::analysis::{AXES, Act, ClauseAnalysis, EMOTIONS, Likely, MarkedValue, MessageAnalysis};

/// Place of `neutral` in [`EMOTIONS`].
const NEUTRAL: usize = EMOTIONS.len() - 1;

/// What one window says.
pub(super) struct Part {
    clauses: Vec<ClauseAnalysis>,
    values: Vec<MarkedValue>,
    feeling: Feeling,
}

/// Labels of a whole window or message.
struct Feeling {
    emotions: [f32; EMOTIONS.len()],
    intensity: f32,
    faces: [f32; Face::ALL.len()],
    effects: [f32; AXES.len()],
}

impl Part {
    /// Decodes the rows of a window: its pieces and the mark at its end.
    pub(super) fn read(heads: &Heads, text: &str, window: &Window, rows: &[f32]) -> Self {
        let width = rows.len() / (window.tokens.len() + 1);
        let own = &rows[..window.tokens.len() * width];
        let starts = heads.starts.shares(own);
        let ranges = clauses(text, window, &starts);
        let borders = borders(text, window, &starts, &ranges);
        let message = mean(rows.chunks_exact(width), width);
        let features = features(window, &ranges, own, &message);
        Self {
            clauses: labelled(heads, ranges.into_iter().zip(borders).collect(), &features),
            values: values(text, &window.tokens, &heads.tags.shares(own)),
            feeling: Feeling::read(heads, &message),
        }
    }
}

/// Joins the parts of a message. No parts are a blank message: neutral.
pub(super) fn joined(parts: Vec<Part>) -> MessageAnalysis {
    let feeling = Feeling::joined(parts.iter().map(|part| &part.feeling));
    let face = likeliest(&feeling.faces);
    let (clauses, values): (Vec<_>, Vec<_>) = parts.into_iter().map(|part| (part.clauses, part.values)).unzip();
    MessageAnalysis {
        clauses: clauses.into_iter().flatten().collect(),
        values: apart(values.into_iter().flatten().collect()),
        emotions: feeling.emotions,
        intensity: feeling.intensity,
        face: Likely { label: Face::ALL[face], probability: feeling.faces[face] },
        effects: feeling.effects,
    }
}

/// Returns the rows of the clause heads: the mean of the pieces of each clause, then the mean of the message.
pub(super) fn features(window: &Window, ranges: &[Range<usize>], own: &[f32], message: &[f32]) -> Vec<f32> {
    let width = message.len();
    let feature = |range: &Range<usize>| {
        let members = own.chunks_exact(width).zip(&window.tokens).filter(|(_, token)| inside(token, range)).map(|(row, _)| row);
        [mean(members, width).as_slice(), message].concat()
    };
    ranges.iter().flat_map(feature).collect()
}

/// Returns the ranges of the clauses of a window. A clause starts at the first piece of a word if `starts` says so with more than even
/// probability.
pub(super) fn clauses(text: &str, window: &Window, starts: &[f32]) -> Vec<Range<usize>> {
    let likely = window.tokens.iter().zip(starts.chunks_exact(2)).filter(|(token, share)| share[1] > 0.5 && begins_word(text, token));
    let mut borders = vec![window.range.start];
    borders.extend(likely.map(|(token, _)| token.range.start).filter(|start| window.range.contains(start)));
    borders.push(window.range.end);
    borders.dedup();
    let trimmed = |pair: &[usize]| {
        let clause = &text[pair[0]..pair[1]];
        let end = pair[0] + clause.trim_end().len();
        (pair[1] - clause.trim_start().len()).min(end)..end
    };
    borders.windows(2).map(trimmed).filter(|range| !range.is_empty()).collect()
}

/// Whether a piece is the first of a word that follows another one.
fn begins_word(text: &str, token: &Token) -> bool {
    !token.range.is_empty() && text[..token.range.start].ends_with(char::is_whitespace)
}

/// Returns for every clause the probability of the least certain of its borders: where it starts, where it does not, where the next one
/// starts.
fn borders(text: &str, window: &Window, starts: &[f32], ranges: &[Range<usize>]) -> Vec<f32> {
    let words = || window.tokens.iter().zip(starts.chunks_exact(2)).filter(|(token, _)| begins_word(text, token));
    let least = |(at, range): (usize, &Range<usize>)| {
        let end = ranges.get(at + 1).map_or(range.end, |next| next.start + 1);
        let near = words().filter(|(token, _)| range.start <= token.range.start && token.range.start < end);
        near.map(|(_, share)| share[0].max(share[1])).fold(1.0, f32::min)
    };
    ranges.iter().enumerate().map(least).collect()
}

/// Whether a piece belongs to a clause. A space alone does if it lies within.
fn inside(token: &Token, range: &Range<usize>) -> bool {
    token.range.start < range.end && token.range.end > range.start
}

/// Returns the mean of the rows; zeros if there are none.
pub(super) fn mean<'a>(rows: impl Iterator<Item = &'a [f32]>, width: usize) -> Vec<f32> {
    let (mut mean, mut count) = (vec![0.0; width], 0.0);
    for row in rows {
        mean.iter_mut().zip(row).for_each(|(mean, x)| *mean += x);
        count += 1.0;
    }
    mean.iter_mut().for_each(|mean| *mean /= f32::max(count, 1.0));
    mean
}

fn labelled(heads: &Heads, clauses: Vec<(Range<usize>, f32)>, features: &[f32]) -> Vec<ClauseAnalysis> {
    let (groups, acts) = (heads.group.shares(features), heads.act.shares(features));
    let (holders, statuses, keeps) = (heads.holder.shares(features), heads.status.shares(features), heads.keep.shares(features));
    let told = |(share, (_, act)): (&f32, &(&str, Act))| if matches!(act, Act::Question | Act::Command) { 0.0 } else { *share };
    let clause = |(at, (range, borders)): (usize, (Range<usize>, f32))| {
        let group = &groups[at * GROUPS..][..GROUPS];
        let holder = &holders[at * HOLDERS.len()..][..HOLDERS.len()];
        let act = &acts[at * ACTS.len()..][..ACTS.len()];
        ClauseAnalysis {
            range,
            group: likely(group, |best| StatementGroup::ALL.get(best).copied()),
            life: (1.0 - group[GROUPS - 1]).clamp(0.0, 1.0),
            act: likely(act, |best| ACTS[best].1),
            holder: likely(holder, |best| HOLDERS[best].1),
            real: (holder[0] + holder[1]).min(1.0),
            status: likely(&statuses[at * StatementStatus::ALL.len()..][..StatementStatus::ALL.len()], |best| StatementStatus::ALL[best]),
            keep: keeps[at * 2],
            told: act.iter().zip(&ACTS).map(told).sum::<f32>().min(1.0),
            borders,
        }
    };
    clauses.into_iter().enumerate().map(clause).collect()
}

fn likely<T>(shares: &[f32], label: impl Fn(usize) -> T) -> Likely<T> {
    let best = likeliest(shares);
    Likely { label: label(best), probability: shares[best] }
}

impl Feeling {
    fn read(heads: &Heads, message: &[f32]) -> Self {
        let array = |numbers: Vec<f32>| numbers.try_into().expect("the loader has checked the number of outputs");
        let mut feeling = Self { emotions: array(heads.emotions.outputs(message)), ..Self::calm() };
        feeling.emotions.iter_mut().for_each(|x| *x = 1.0 / (1.0 + (-*x).exp()));
        feeling.intensity = heads.intensity.shares(message).iter().zip([0.0, 1.0, 2.0, 3.0]).map(|(share, level)| share * level).sum();
        feeling.faces.copy_from_slice(&heads.face.shares(message));
        feeling.effects.copy_from_slice(&heads.effects.outputs(message));
        feeling.effects.iter_mut().for_each(|x| *x = x.clamp(-1.0, 1.0));
        feeling
    }

    /// The feeling of a message that says nothing.
    fn calm() -> Self {
        let mut calm = Self { emotions: [0.0; EMOTIONS.len()], intensity: 0.0, faces: [0.0; Face::ALL.len()], effects: [0.0; AXES.len()] };
        (calm.emotions[NEUTRAL], calm.faces[0]) = (1.0, 1.0);
        calm
    }

    /// Joins the parts of a message: an emotion or effect of one part is one of the whole, and the strongest part decides the face.
    fn joined<'a>(parts: impl Iterator<Item = &'a Self>) -> Self {
        let stronger = |mut one: Self, other: &Self| {
            let neutral = one.emotions[NEUTRAL].min(other.emotions[NEUTRAL]);
            one.emotions.iter_mut().zip(other.emotions).for_each(|(x, other)| *x = x.max(other));
            one.emotions[NEUTRAL] = neutral;
            one.effects.iter_mut().zip(other.effects).for_each(|(x, other)| *x = if other.abs() > x.abs() { other } else { *x });
            if other.intensity > one.intensity {
                (one.intensity, one.faces) = (other.intensity, other.faces);
            }
            one
        };
        parts
            .fold(None, |all: Option<Self>, part| Some(all.map_or_else(|| part.copied(), |all| stronger(all, part))))
            .unwrap_or_else(Self::calm)
    }

    fn copied(&self) -> Self {
        Self { emotions: self.emotions, intensity: self.intensity, faces: self.faces, effects: self.effects }
    }
}
