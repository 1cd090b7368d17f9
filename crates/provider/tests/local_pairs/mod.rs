//! Requirements for every embedder's calibration, checked on our own sentence pairs.

/// Shares of pairs, 0..=1.
pub struct Promise {
    /// At least this share of `same` pairs reaches 0.85.
    pub same: f64,
    /// At most this share of `related` pairs reaches 0.85: each one would lose a new memory as a duplicate.
    pub falsely_same: f64,
    /// At least this share of `related` pairs lies in 0.60..0.85.
    pub related: f64,
}

/// Checks the pairs of one language in `pairs.tsv`.
pub fn check_pairs(language: &str, similarity: &dyn Fn(&str, &str) -> f32, promise: Promise) {
    let of = |relation: &str| -> Vec<f32> {
        let pairs = include_str!("../pairs.tsv").lines().filter(|line| !line.starts_with('#'));
        let fields = pairs.map(|line| line.split('\t').collect::<Vec<_>>());
        let wanted = fields.filter(|fields| fields[0] == language && fields[1] == relation);
        let mut found: Vec<f32> = wanted.map(|fields| similarity(fields[2], fields[3])).collect();
        found.sort_by(f32::total_cmp);
        found
    };
    let (same, related, unrelated) = (of("same"), of("related"), of("unrelated"));
    let summary = format!("{language}\n  same {same:.2?}\n  related {related:.2?}\n  unrelated {unrelated:.2?}");
    println!("{summary}");
    assert!(same.len() >= 8 && unrelated.len() >= 8, "{summary}");
    assert!(share(&same, |s| s >= 0.85) >= promise.same, "too few same pairs reach 0.85: {summary}");
    assert!(share(&same, |s| s >= 0.60) >= 0.85, "too few same pairs reach 0.60: {summary}");
    assert!(share(&related, |s| s >= 0.85) <= promise.falsely_same, "too many related pairs reach 0.85: {summary}");
    assert!(share(&related, |s| (0.60..0.85).contains(&s)) >= promise.related, "too few related pairs lie in 0.60..0.85: {summary}");
    assert!(share(&unrelated, |s| s < 0.30) >= 0.95, "too many unrelated pairs reach 0.30: {summary}");
    assert!(unrelated[unrelated.len() / 2] < 0.1, "unrelated pairs do not sit near 0: {summary}");
}

fn share(similarities: &[f32], holds: impl Fn(f32) -> bool) -> f64 {
    let held = similarities.iter().filter(|&&similarity| holds(similarity)).count();
    held as f64 / similarities.len().max(1) as f64
}
