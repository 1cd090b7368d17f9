//! Whole numbers in JSON.

use serde::{Deserialize, Deserializer};

/// Deserializes a whole number, also if it is written as `3.0`: JSON does not distinguish integers from floats.
pub(crate) fn whole<'de, D: Deserializer<'de>, T: TryFrom<u64>>(deserializer: D) -> Result<T, D::Error> {
    let number = serde_json::Number::deserialize(deserializer)?;
    let exact = |number: f64| (number.fract() == 0.0 && (0.0..=9_007_199_254_740_992.0).contains(&number)).then_some(number as u64);
    let whole = number.as_u64().or_else(|| number.as_f64().and_then(exact)).and_then(|whole| T::try_from(whole).ok());
    whole.ok_or_else(|| serde::de::Error::custom(format!("{number} is not a whole number that fits here")))
}

/// The same for an optional number.
pub(crate) fn maybe_whole<'de, D: Deserializer<'de>, T: TryFrom<u64>>(deserializer: D) -> Result<Option<T>, D::Error> {
    struct Whole<T>(T);
    impl<'de, T: TryFrom<u64>> Deserialize<'de> for Whole<T> {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            whole(deserializer).map(Self)
        }
    }
    Ok(Option::<Whole<T>>::deserialize(deserializer)?.map(|whole| whole.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_whole_however_it_is_written() {
        #[derive(Deserialize)]
        struct Asked {
            #[serde(default, deserialize_with = "maybe_whole")]
            limit: Option<u8>,
        }
        let limit = |text: &str| serde_json::from_str::<Asked>(text).map(|asked| asked.limit);
        for (text, expected) in [("{}", None), (r#"{"limit":null}"#, None), (r#"{"limit":3}"#, Some(3)), (r#"{"limit":3.0}"#, Some(3))] {
            assert_eq!(limit(text).unwrap(), expected, "{text}");
        }
        for text in [r#"{"limit":3.5}"#, r#"{"limit":-1}"#, r#"{"limit":256}"#, r#"{"limit":1e300}"#, r#"{"limit":"3"}"#] {
            assert!(limit(text).is_err(), "{text}");
        }
    }
}
