//! scratch
use saegim_core::{Language, MindKey, Timestamp};
use saegim_engine::Config;
use saegim_engine::simulate::{Life, Script, Setting, live};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let days: i64 = args[1].parse().unwrap();
    let ko = args.get(2).is_none_or(|l| l == "ko");
    let seed: u64 = args.get(3).map_or(7, |s| s.parse().unwrap());
    let mut config = Config::local("");
    config.time_zone = jiff::tz::TimeZone::UTC;
    let life = Life {
        start: Timestamp::parse("2026-01-01T00:00:00Z").unwrap(),
        days,
        turns_per_day: 100,
        language: if ko { Language::Korean } else { Language::English },
    };
    let setting = Setting { config, key: MindKey::new("me", "assistant").unwrap(), seed };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().max_blocking_threads(16).build().unwrap();
    let lived = runtime.block_on(live(&Script::Life(life), &setting, &|_| ())).unwrap();
    println!("{}", serde_json::to_string(&lived.report).unwrap());
}
