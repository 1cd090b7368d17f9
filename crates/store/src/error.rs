//! Store errors, grouped by who must act.

use std::fmt;

use saegim_core::{Invalid, Phrase, phrase};

/// An error of the store.
#[derive(Debug)]
pub enum StoreError {
    /// The request is invalid.
    Invalid(Invalid),
    /// The requested item does not exist.
    NotFound(Phrase),
    /// Another writer changed it first; read again and retry.
    Conflict(Phrase),
    /// The file is locked; retry later.
    Busy(Phrase),
    /// The disk is full; nothing of this request was written.
    Full,
    /// The file belongs to another program or to a newer saegim.
    Foreign(Phrase),
    /// The file or one of its rows is damaged.
    Broken(Phrase),
    /// Vector search is not available. Word search still works.
    NoVectors(Phrase),
}

impl StoreError {
    /// Returns the user-visible message.
    pub fn phrase(&self) -> Phrase {
        let within = |english: &str, korean: &str, why: &Phrase| {
            Phrase::new(format!("{english}: {why}"), format!("{korean}: {}", why.in_language(saegim_core::Language::Korean)))
        };
        match self {
            Self::Invalid(invalid) => invalid.phrase(),
            Self::NotFound(what) | Self::Conflict(what) | Self::Foreign(what) => what.clone(),
            Self::Busy(why) => within("the database is busy", "데이터베이스를 사용 중이에요", why),
            Self::Full => phrase!(
                "the disk is full; no data was lost, but this request was not stored",
                "디스크가 가득 찼어요. 기존 데이터는 안전하지만 이번 요청은 저장되지 않았어요"
            ),
            Self::Broken(why) => within("the database is damaged", "데이터베이스가 손상됐어요", why),
            Self::NoVectors(why) => within("vector search is not available", "벡터 검색을 쓸 수 없어요", why),
        }
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.phrase().fmt(f)
    }
}

impl std::error::Error for StoreError {}

impl From<Invalid> for StoreError {
    fn from(invalid: Invalid) -> Self {
        Self::Invalid(invalid)
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        use rusqlite::ErrorCode::*;
        let code = match &error {
            rusqlite::Error::SqliteFailure(failure, _) => Some(failure.code),
            _ => None,
        };
        match code {
            Some(DatabaseBusy | DatabaseLocked) => Self::Busy(error.to_string().into()),
            Some(DiskFull) => Self::Full,
            Some(ConstraintViolation) => {
                Self::Conflict(phrase!("an item with the same name already exists ({error})", "같은 이름의 항목이 이미 있어요 ({error})"))
            }
            Some(NotADatabase) => Self::Foreign(phrase!(
                "this file is not a saegim database; choose another with --db",
                "saegim 데이터베이스 파일이 아니에요. --db로 다른 파일을 지정해 주세요"
            )),
            Some(CannotOpen) => Self::NotFound(phrase!(
                "the file cannot be opened ({error}); check that its folder exists and is writable",
                "파일을 열 수 없어요 ({error}). 폴더가 있는지, 쓰기 권한이 있는지 확인해 주세요"
            )),
            Some(ReadOnly | PermissionDenied) => {
                Self::NotFound(phrase!("the file cannot be written: {error}", "파일에 쓸 수 없어요: {error}"))
            }
            _ => Self::Broken(error.to_string().into()),
        }
    }
}
