//! Messages for people, in Korean and English.

use saegim_core::Language;

/// Returns the message with this key in the given language.
macro_rules! say {
    ($language:expr, $($message:tt)*) => {
        saegim_core::phrase!($($message)*).in_language($language)
    };
}

pub(crate) use say;

/// Returns the output language: `SAEGIM_LANG` if it is set, otherwise the terminal's locale.
pub(crate) fn language() -> Language {
    let set =
        ["SAEGIM_LANG", "LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    if set.is_some_and(|value| value.to_lowercase().starts_with("ko")) { Language::Korean } else { Language::English }
}
