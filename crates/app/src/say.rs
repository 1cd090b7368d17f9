//! Messages for people, in Korean and English.

use saegim_core::Language;

/// Formats the sentence for the given language. Both sentences take the same arguments in the same order.
macro_rules! say {
    ($language:expr, $english:literal, $korean:literal $(, $argument:expr)* $(,)?) => {
        match $language {
            saegim_core::Language::English => format!($english $(, $argument)*),
            saegim_core::Language::Korean => saegim_core::with_particles(&format!($korean $(, $argument)*)),
        }
    };
}

pub(crate) use say;

/// Returns the output language: `SAEGIM_LANG` if it is set, otherwise the terminal's locale.
pub(crate) fn language() -> Language {
    let set =
        ["SAEGIM_LANG", "LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(|name| std::env::var(name).ok().filter(|value| !value.is_empty()));
    if set.is_some_and(|value| value.to_lowercase().starts_with("ko")) { Language::Korean } else { Language::English }
}
