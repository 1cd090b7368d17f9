//! The file below SQLite: the system's own, except that tree pages are written with their unused bytes cleared.
#![allow(unsafe_code, reason = "SQLite's interface to files is C")]

use std::ffi::{CStr, c_int, c_void};
use std::sync::{Mutex, OnceLock, PoisonError};

use rusqlite::{Connection, ffi};
use saegim_core::phrase;

use super::layout::cleared;
use crate::StoreError;

/// Name under which connections choose these files.
pub(in super::super) const VFS: &CStr = c"saegim";

type Write = unsafe extern "C" fn(*mut ffi::sqlite3_file, *const c_void, c_int, i64) -> c_int;

/// The methods of a file, with the write of the system beside ours.
#[repr(C)]
struct Methods {
    ours: ffi::sqlite3_io_methods,
    systems: *const ffi::sqlite3_io_methods,
    write: Write,
}

// SAFETY: the methods are never changed after they were made.
unsafe impl Send for Methods {}
// SAFETY: as above.
unsafe impl Sync for Methods {}

/// The methods made so far. There are as many as the system has kinds of files: one or two.
static MADE: Mutex<Vec<&'static Methods>> = Mutex::new(Vec::new());

/// The system's files, of which ours are a copy.
struct System(*mut ffi::sqlite3_vfs);

// SAFETY: SQLite's own files may be used by every thread, and are never unregistered.
unsafe impl Send for System {}
// SAFETY: as above.
unsafe impl Sync for System {}

static SYSTEM: OnceLock<Result<System, c_int>> = OnceLock::new();

/// Makes the files available to connections of this process.
pub(in super::super) fn register() -> Result<(), StoreError> {
    let registered = SYSTEM.get_or_init(|| {
        // SAFETY: the default files exist for the whole process. The copy keeps every method except `xOpen`, is never freed, and
        // is registered once.
        unsafe {
            let system = ffi::sqlite3_vfs_find(std::ptr::null());
            if system.is_null() {
                return Err(ffi::SQLITE_ERROR);
            }
            let mut ours = *system;
            ours.zName = VFS.as_ptr();
            ours.pNext = std::ptr::null_mut();
            ours.xOpen = Some(open);
            match ffi::sqlite3_vfs_register(Box::into_raw(Box::new(ours)), 0) {
                ffi::SQLITE_OK => Ok(System(system)),
                code => Err(code),
            }
        }
    });
    match registered {
        Ok(_) => Ok(()),
        Err(code) => Err(StoreError::Broken(phrase!("store.pages.not_registered", code))),
    }
}

/// Opens a file as the system does. A database gets our way of writing.
unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out: *mut c_int,
) -> c_int {
    let Some(Ok(System(system))) = SYSTEM.get() else { return ffi::SQLITE_CANTOPEN };
    // SAFETY: SQLite passes what the system's `xOpen` expects; `file` has the room that the system asked for.
    unsafe {
        let Some(open) = (**system).xOpen else { return ffi::SQLITE_CANTOPEN };
        let code = open(*system, name, file, flags, out);
        if code == ffi::SQLITE_OK && flags & ffi::SQLITE_OPEN_MAIN_DB != 0 && !(*file).pMethods.is_null() {
            match methods((*file).pMethods) {
                Some(methods) => (*file).pMethods = &raw const methods.ours,
                None => return ffi::SQLITE_CANTOPEN,
            }
        }
        code
    }
}

/// Returns our methods for files with these methods of the system.
///
/// # Safety
/// `systems` must be the methods of an open file, which live as long as the process.
unsafe fn methods(systems: *const ffi::sqlite3_io_methods) -> Option<&'static Methods> {
    let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = made.iter().find(|known| known.systems == systems) {
        return Some(known);
    }
    // SAFETY: guaranteed by the caller.
    let mut ours = unsafe { *systems };
    let write = ours.xWrite.replace(write)?;
    // Without the third version there is no memory map that a page could be written to beside us.
    ours.iVersion = ours.iVersion.min(2);
    let methods: &'static Methods = Box::leak(Box::new(Methods { ours, systems, write }));
    made.push(methods);
    Some(methods)
}

/// Writes a part of a database. A whole tree page is written with its unused bytes cleared.
unsafe extern "C" fn write(file: *mut ffi::sqlite3_file, bytes: *const c_void, amount: c_int, offset: i64) -> c_int {
    // SAFETY: only files that `open` gave our methods come here, and the methods are the first field of `Methods`. SQLite passes
    // `amount` readable bytes.
    unsafe {
        let methods = &*(*file).pMethods.cast::<Methods>();
        let page = std::slice::from_raw_parts(bytes.cast::<u8>(), amount as usize);
        if is_page(amount, offset)
            && let Some(page) = cleared(page, offset == 0)
        {
            return (methods.write)(file, page.as_ptr().cast(), amount, offset);
        }
        (methods.write)(file, bytes, amount, offset)
    }
}

/// Checks whether a write is one page: SQLite writes whole pages, and a few bytes where it only makes a file longer.
fn is_page(amount: c_int, offset: i64) -> bool {
    (512..=65_536).contains(&amount) && (amount as u32).is_power_of_two() && offset % i64::from(amount) == 0
}

/// What to do with the pages that are read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Pass {
    Count,
    Clear,
}

/// Counts the tree pages of the file whose unused bytes are not cleared: pages that another program wrote.
pub(in super::super) fn count_uncleared(connection: &Connection) -> Result<u64, StoreError> {
    pass(connection, Pass::Count)
}

/// Writes every page with uncleared bytes again, and returns their number. A page that a crash leaves half-written is valid: its
/// halves differ only in unused bytes. Nothing else may write the file meanwhile, and the write-ahead log must be empty.
pub(in super::super) fn clear_all(connection: &Connection) -> Result<u64, StoreError> {
    pass(connection, Pass::Clear)
}

fn pass(connection: &Connection, pass: Pass) -> Result<u64, StoreError> {
    let size: i64 = connection.pragma_query_value(None, "page_size", |row| row.get(0))?;
    let mut page = vec![0u8; usize::try_from(size).expect("a page size is positive")];
    let mut found = 0;
    // SAFETY: SQLite returns its own open file. It stays open during the pass, because the connection is borrowed. A second handle
    // of our own is not possible: closing it would drop the locks of the whole process.
    unsafe {
        let mut file: *mut ffi::sqlite3_file = std::ptr::null_mut();
        let asked = ffi::sqlite3_file_control(
            connection.handle(),
            c"main".as_ptr(),
            ffi::SQLITE_FCNTL_FILE_POINTER,
            (&raw mut file).cast::<c_void>(),
        );
        if asked != ffi::SQLITE_OK || file.is_null() || (*file).pMethods.is_null() {
            return Err(failed(asked));
        }
        let methods = &*(*file).pMethods;
        let (Some(read), Some(write), Some(sync), Some(length)) = (methods.xRead, methods.xWrite, methods.xSync, methods.xFileSize) else {
            return Err(failed(ffi::SQLITE_ERROR));
        };
        let mut end = 0i64;
        good(length(file, &raw mut end))?;
        for offset in (0..end - end % size).step_by(page.len()) {
            good(read(file, page.as_mut_ptr().cast(), size as c_int, offset))?;
            if cleared(&page, offset == 0).is_none() {
                continue;
            }
            found += 1;
            if pass == Pass::Clear {
                good(write(file, page.as_ptr().cast(), size as c_int, offset))?;
            }
        }
        if found > 0 && pass == Pass::Clear {
            good(sync(file, ffi::SQLITE_SYNC_FULL))?;
        }
    }
    Ok(found)
}

fn good(code: c_int) -> Result<(), StoreError> {
    if code == ffi::SQLITE_OK { Ok(()) } else { Err(failed(code)) }
}

fn failed(code: c_int) -> StoreError {
    StoreError::Broken(phrase!("store.pages.not_readable", code))
}
