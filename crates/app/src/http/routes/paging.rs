//! Pagination of lists.

use saegim_core::{Invalid, Timestamp, phrase};
use serde::Deserialize;
use utoipa::IntoParams;

use super::limit;
use crate::http::problem::Problem;

/// Default page size; covers the whole list in most cases.
const USUAL: usize = 1000;

/// Sort key of an item: its rank, then its name.
pub(super) type Key = (i64, String);

/// Which page of a list.
#[derive(Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Paged {
    /// Maximum number of items.
    #[param(minimum = 1, maximum = 1000)]
    pub(super) limit: Option<usize>,
    /// Cursor: `next_cursor` of the previous page.
    #[param(pattern = "^[0-9]{1,9}--?[0-9]{1,18}:.*$")]
    pub(super) cursor: Option<String>,
}

impl Paged {
    /// Sets the default page size.
    pub(super) fn usually(self, usual: usize) -> Self {
        Self { limit: self.limit.or(Some(usual)), ..self }
    }

    /// Returns how many items of the list are needed for this page.
    pub(super) fn reach(&self) -> Result<usize, Problem> {
        Ok(self.place()?.map_or(0, |(place, _)| place) + limit(self.limit, USUAL, 1..=1000)?)
    }

    /// Returns the position and the sort key of the last item of the previous page.
    fn place(&self) -> Result<Option<(usize, Key)>, Problem> {
        let read = |text| -> Option<(usize, Key)> {
            let (place, last) = str::split_once(text, '-')?;
            let (rank, name) = last.split_once(':')?;
            (place.len() <= 9).then_some((place.parse().ok()?, (rank.parse().ok()?, name.to_owned())))
        };
        self.cursor.as_deref().map(|text| read(text).ok_or_else(|| unknown(text))).transpose()
    }

    /// Sorts the list and returns this page and the cursor of the next one, if there is more. A page starts after the
    /// sort key of the last item, so that items added or removed meanwhile cause neither gaps nor duplicates.
    pub(super) fn of<T>(&self, mut all: Vec<T>, key: impl Fn(&T) -> Key) -> Result<(Vec<T>, Option<String>), Problem> {
        let limit = limit(self.limit, USUAL, 1..=1000)?;
        all.sort_by_cached_key(&key);
        let from = self.place()?.map_or(0, |(_, last)| all.partition_point(|item| key(item) <= last));
        let more = all.len() > from + limit;
        let page: Vec<T> = all.into_iter().skip(from).take(limit).collect();
        let next = page.last().filter(|_| more).map(|last| {
            let (rank, name) = key(last);
            format!("{}-{rank}:{name}", from + page.len())
        });
        Ok((page, next))
    }
}

/// Rank for lists that start with the earliest item.
pub(super) fn earliest_first(at: Timestamp) -> i64 {
    at.millis()
}

/// Rank for lists that start with the latest item.
pub(super) fn latest_first(at: Timestamp) -> i64 {
    at.millis().saturating_neg()
}

/// Parses a cursor that is an id.
pub(super) fn cursor<T>(given: Option<&str>, parse: impl Fn(&str) -> Result<T, Invalid>) -> Result<Option<T>, Problem> {
    given.map(|text| parse(text).map_err(|_| unknown(text))).transpose()
}

fn unknown(text: &str) -> Problem {
    let problem = phrase!("http.paging.not_a_cursor", text);
    Problem::from(Invalid::new("cursor", problem)).with_hint(phrase!("http.paging.send_next_cursor"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(all: &[u32], limit: usize, cursor: Option<&str>) -> (Vec<u32>, Option<String>) {
        let paged = Paged { limit: Some(limit), cursor: cursor.map(str::to_owned) };
        paged.of(all.to_vec(), |item| (i64::from(*item), format!("n{item}"))).unwrap()
    }

    #[test]
    fn pages_follow_each_other_and_end() {
        let all: Vec<u32> = (100..110).collect();
        let (mut seen, mut next, mut pages) = (Vec::new(), None, 0);
        loop {
            let (page, after) = page(&all, 3, next.as_deref());
            seen.extend(page);
            (next, pages) = (after, pages + 1);
            if next.is_none() {
                break;
            }
        }
        assert_eq!((seen, pages), (all, 4));
    }

    #[test]
    fn what_comes_and_goes_between_pages_breaks_nothing() {
        let (_, next) = page(&[1, 2, 3, 4, 5, 6], 3, None);
        let next = next.unwrap();
        assert_eq!(page(&[0, 1, 2, 3, 4, 5, 6], 3, Some(&next)).0, [4, 5, 6], "one more came before");
        assert_eq!(page(&[1, 2, 4, 5, 6], 3, Some(&next)).0, [4, 5, 6], "what stood last is gone: nothing after it is passed over");
        assert_eq!(page(&[4, 5, 6], 3, Some(&next)).0, [4, 5, 6], "nor where all that was shown is gone");
        assert_eq!(page(&[], 3, Some(&next)), (Vec::new(), None));
    }

    #[test]
    fn a_cursor_of_something_else_is_refused() {
        for text in ["", "x", "-1", "99999999999-1:a", "a-1:a", "3-a", "3-x:a"] {
            assert!(Paged { limit: None, cursor: Some(text.into()) }.of(vec![1], |item| (*item, String::new())).is_err(), "{text}");
        }
    }
}
