//! Change limits of the self: how much of it may change in one editing session, in a day and in a month.
//!
//! The share compares the new self with the self at the start of the editing session, a day ago or a month ago. The denominator
//! is at least four beliefs, so a new self can still grow by one. Many small changes count the same as one large change.

use crate::{Belief, BeliefPolicy, Phrase, SelfVersion, Span, Timestamp, differences, phrase};

/// Period of a change limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Window {
    /// One editing session: changes without a long pause in between.
    Session,
    /// One day.
    Day,
    /// One month; only rewording and removing count.
    Month,
}

/// A change that exceeds a limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooMuch {
    /// Period of the limit.
    pub window: Window,
    /// Share of the self that would have changed in that period.
    pub share: f32,
    /// Time from which the change may be retried.
    pub again_at: Timestamp,
}

impl TooMuch {
    /// Returns the error message.
    pub fn phrase(&self, policy: &BeliefPolicy) -> Phrase {
        let percent = |share: f32| format!("{:.1}", share * 100.0);
        let (share, again) = (percent(self.share), self.again_at);
        match self.window {
            Window::Session => {
                let most = percent(policy.sitting_share);
                phrase!("core.change_limit.at_once", share, most, again)
            }
            Window::Day => {
                let most = percent(policy.day_share);
                phrase!("core.change_limit.within_a_day", share, most, again)
            }
            Window::Month => {
                let most = percent(policy.month_share);
                phrase!("core.change_limit.within_a_month", share, most, again)
            }
        }
    }
}

/// Returns `changes / max(counted_over, beliefs)`.
pub fn share(changes: usize, beliefs: usize, policy: &BeliefPolicy) -> f32 {
    changes as f32 / beliefs.max(policy.counted_over) as f32
}

/// Returns the version at `moment` and all later ones; the whole history if it is younger.
fn since(history: &[SelfVersion], moment: Timestamp) -> &[SelfVersion] {
    let then = history.iter().rposition(|version| version.made_at <= moment).unwrap_or(0);
    &history[then..]
}

/// Returns the beliefs at `moment`; those of the first version if the history is younger.
fn as_of(history: &[SelfVersion], moment: Timestamp) -> &[Belief] {
    since(history, moment).first().map_or(&[], |version| &version.beliefs)
}

/// Returns how many of these beliefs were reworded or removed.
fn lost(then: &[Belief], after: &[Belief]) -> usize {
    then.iter().filter(|old| after.iter().all(|belief| belief.id != old.id || belief.statement != old.statement)).count()
}

/// Returns the start of the editing session that is still open at `now`, if there is one: changes with less than `pause` in
/// between.
fn session_began(history: &[SelfVersion], now: Timestamp, pause: Span) -> Option<Timestamp> {
    let (mut began, mut last) = (None, now);
    for version in history.iter().skip(1).rev() {
        if last.since(version.made_at) >= pause {
            break;
        }
        (began, last) = (Some(version.made_at), version.made_at);
    }
    began
}

/// Checks whether the self with this history (oldest first) may become `after` at `now`. An empty self may become anything.
pub fn may_become(history: &[SelfVersion], after: &[Belief], now: Timestamp, policy: &BeliefPolicy) -> Result<(), TooMuch> {
    let Some(current) = history.last().filter(|current| !current.beliefs.is_empty()) else { return Ok(()) };
    let pause = Span::seconds(i64::from(policy.sitting_minutes) * 60);
    let before = match session_began(history, now, pause) {
        Some(began) => as_of(history, began.minus(Span::millis(1))),
        None => &current.beliefs,
    };
    let in_session = differences(before, after);
    let changed = share(in_session.len(), before.len(), policy);
    if changed >= policy.sitting_share {
        return Err(TooMuch { window: Window::Session, share: changed, again_at: current.made_at.max(now).plus(pause) });
    }
    let oldest_since = |moment: Timestamp| history.iter().skip(1).map(|version| version.made_at).find(|at| *at > moment).unwrap_or(now);
    let day_ago = now.minus(Span::days(1));
    let yesterday = as_of(history, day_ago);
    let day = share(differences(yesterday, after).len(), yesterday.len(), policy);
    // A new self may grow by one belief per editing session, any number of times a day.
    let grows = before.len() < policy.counted_over && after.len() == before.len() + 1 && in_session.len() == 1;
    if day >= policy.day_share && !grows {
        return Err(TooMuch { window: Window::Day, share: day, again_at: oldest_since(day_ago).plus(Span::days(1)) });
    }
    let month_ago = now.minus(Span::days(30));
    // Compare with every version of the month, so that beliefs added and reworded within the month count too.
    let month = since(history, month_ago).iter().map(|then| share(lost(&then.beliefs, after), then.beliefs.len(), policy));
    let month = month.fold(0.0, f32::max);
    if month >= policy.month_share {
        return Err(TooMuch { window: Window::Month, share: month, again_at: oldest_since(month_ago).plus(Span::days(30)) });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::identity::belief::tests::{AT, belief};
    use crate::{SelfReason, Unit};

    fn version(number: u64, at: Timestamp, beliefs: Vec<Belief>) -> SelfVersion {
        SelfVersion { version: number, made_at: at, reason: SelfReason::Approved, proposal: None, beliefs }
    }

    fn of(count: u8) -> Vec<Belief> {
        (0..count).map(|number| belief(number, &format!("나는 {number}"))).collect()
    }

    /// Builds a self of `count` beliefs, the first `reworded` of which are reworded.
    fn reworded(count: u8, reworded: u8) -> Vec<Belief> {
        let mut beliefs = of(count);
        beliefs.iter_mut().take(usize::from(reworded)).for_each(|belief| belief.statement.push_str(" 이제"));
        beliefs
    }

    fn check(beliefs: u8, touched: u8, allowed: bool) {
        let policy = BeliefPolicy::default();
        let history = [version(1, AT, of(beliefs))];
        let later = AT.plus(Span::days(40));
        let found = may_become(&history, &reworded(beliefs, touched), later, &policy);
        assert_eq!(found.is_ok(), allowed, "{touched} of {beliefs}: {found:?}");
    }

    #[test]
    fn thirty_percent_is_refused_and_just_under_is_allowed() {
        check(10, 3, false);
        check(10, 2, true);
        check(20, 6, false);
        check(20, 5, true);
        check(17, 5, true);
        check(100, 30, false);
        check(100, 29, true);
        check(7, 2, true);
        check(3, 1, true);
        check(4, 2, false);
        check(1, 1, true);
        let policy = BeliefPolicy::default();
        assert_eq!(share(3, 10, &policy), 0.30);
        assert!(share(5, 17, &policy) < 0.30);
    }

    #[test]
    fn the_first_formation_is_free_and_a_young_self_grows_by_one_per_session() {
        let policy = BeliefPolicy::default();
        assert_eq!(may_become(&[], &of(9), AT, &policy), Ok(()));
        assert_eq!(may_become(&[version(1, AT, of(2)), version(2, AT, of(0))], &of(9), AT, &policy), Ok(()), "an emptied self forms anew");
        let mut history = vec![version(1, AT, of(1))];
        for (hours, count, allowed) in [(1, 3, false), (1, 2, true), (2, 3, false), (5, 3, true), (9, 4, true)] {
            let now = AT.plus(Span::hours(hours));
            let found = may_become(&history, &of(count), now, &policy);
            assert_eq!(found.is_ok(), allowed, "hour {hours}, {count} beliefs: {found:?}");
            if allowed {
                history.push(version(u64::from(count), now, of(count)));
            }
        }
        // Once grown, the daily limit applies too.
        let found = may_become(&history, &of(5), AT.plus(Span::hours(14)), &policy).unwrap_err();
        assert_eq!((found.window, found.again_at), (Window::Day, AT.plus(Span::hours(1 + 24))));
        assert_eq!(may_become(&history, &of(5), AT.plus(Span::hours(40)), &policy), Ok(()));
    }

    #[test]
    fn many_small_steps_are_one_large_one() {
        let policy = BeliefPolicy::default();
        // Twenty-nine of a hundred in each editing session, four hours apart.
        let mut history = vec![version(1, AT, of(100))];
        let (mut touched, mut blocked) = (0u8, Vec::new());
        for step in 1..=100 {
            let now = AT.plus(Span::hours(4 * step));
            let next = reworded(100, (touched + 29).min(100));
            match may_become(&history, &next, now, &policy) {
                Ok(()) => {
                    touched = (touched + 29).min(100);
                    history.push(version(step as u64 + 1, now, next));
                }
                Err(why) => blocked.push(why.window),
            }
        }
        assert_eq!(touched, 29, "half of the self would have been gone in a month");
        assert!(blocked.contains(&Window::Day) && blocked.contains(&Window::Month));
        let (when, next) = (AT.plus(Span::days(35)), reworded(100, 49));
        assert_eq!(may_become(&history, &next, when, &policy), Ok(()), "when the first step is a month old, the next is taken");
    }

    #[test]
    fn changes_of_one_session_add_up() {
        let policy = BeliefPolicy::default();
        let minute = |minutes: i64| AT.plus(Span::days(60)).plus(Span::seconds(60 * minutes));
        let mut history = vec![version(1, AT, of(10)), version(2, minute(0), reworded(10, 1))];
        assert_eq!(may_become(&history, &reworded(10, 2), minute(100), &policy), Ok(()));
        history.push(version(3, minute(100), reworded(10, 2)));
        let found = may_become(&history, &reworded(10, 3), minute(200), &policy).unwrap_err();
        assert_eq!((found.window, found.share), (Window::Session, 0.30));
        // Returning to the original state is not a change.
        assert_eq!(may_become(&history, &of(10), minute(200), &policy), Ok(()));
    }

    #[test]
    fn the_refusal_says_how_much_and_when() {
        let why = TooMuch { window: Window::Session, share: 0.3, again_at: AT };
        let said = why.phrase(&BeliefPolicy::default());
        assert!(said.to_string().contains("30.0 %") && said.in_language(crate::Language::Korean).contains("30.0%"), "{said}");
    }

    proptest! {
        #[test]
        fn no_walk_of_any_steps_leaves_less_than_half_of_last_months_self(
            steps in prop::collection::vec((1i64..200, 0u8..20, 0u8..4), 1..60)
        ) {
            let policy = BeliefPolicy::default();
            let mut history = vec![version(1, AT, of(12))];
            let mut now = AT;
            for (hours, which, how) in steps {
                now = now.plus(Span::hours(hours));
                let mut next = history.last().unwrap().beliefs.clone();
                match how {
                    0 => next.retain(|belief| belief.id != crate::BeliefId::new(AT, [which; 10])),
                    1 => if let Some(belief) = next.get_mut(usize::from(which)) { belief.statement.push('!') },
                    2 => if let Some(belief) = next.get_mut(usize::from(which)) { belief.confidence = Unit::clamped(0.1) },
                    _ => next.push(belief(100 + history.len() as u8, "나는 새롭다")),
                }
                if may_become(&history, &next, now, &policy).is_ok() {
                    history.push(version(history.len() as u64 + 1, now, next));
                }
                let then = as_of(&history, now.minus(Span::days(30))).to_vec();
                let current = &history.last().unwrap().beliefs;
                let kept = then.iter().filter(|old| current.iter().any(|belief| belief.id == old.id && belief.statement == old.statement)).count();
                prop_assert!(then.len() < 4 || kept * 2 > then.len(), "{kept} of {}", then.len());
            }
        }
    }
}
