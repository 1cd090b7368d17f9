//! Enums whose variants are single words in JSON, SQL and on the command line.

/// Declares an enum whose variants are single words, with `as_str`, `parse`, `ALL` and serde.
macro_rules! word_enum {
    ($(#[doc = $about:literal])* $name:ident $field:literal { $($(#[doc = $doc:literal])* $variant:ident = $word:literal,)* }) => {
        $(#[doc = $about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[doc = $doc])* #[serde(rename = $word)] $variant,)*
        }

        impl $name {
            /// All variants in order.
            pub const ALL: &[Self] = &[$(Self::$variant,)*];

            /// Returns the word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word,)* }
            }

            /// Parses the word, ignoring case.
            pub fn parse(text: &str) -> Result<Self, $crate::Invalid> {
                let word = text.trim();
                Self::ALL.iter().copied().find(|variant| variant.as_str().eq_ignore_ascii_case(word)).ok_or_else(|| {
                    let known = [$($word,)*].join(", ");
                    $crate::Invalid::new($field, $crate::phrase!("core.word_enum.unknown", text, known))
                })
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

pub(crate) use word_enum;
