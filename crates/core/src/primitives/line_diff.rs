//! Two texts side by side, line by line: what goes, what comes, what stays.

use crate::DiffLine;

/// The lines of two texts as one list: `-` for what only the first has, `+` for what only the second has.
pub fn linewise(before: &str, after: &str) -> Vec<DiffLine> {
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    // The length of the longest common run of lines from each pair of places on.
    let mut common = vec![vec![0usize; new.len() + 1]; old.len() + 1];
    for i in (0..old.len()).rev() {
        for j in (0..new.len()).rev() {
            common[i][j] = if old[i] == new[j] { common[i + 1][j + 1] + 1 } else { common[i + 1][j].max(common[i][j + 1]) };
        }
    }
    let line = |sign: char, text: &str| DiffLine { sign, text: text.to_owned() };
    let (mut i, mut j, mut lines) = (0, 0, Vec::new());
    while i < old.len() || j < new.len() {
        if i < old.len() && j < new.len() && old[i] == new[j] {
            lines.push(line(' ', old[i]));
            (i, j) = (i + 1, j + 1);
        } else if i < old.len() && (j == new.len() || common[i + 1][j] >= common[i][j + 1]) {
            lines.push(line('-', old[i]));
            i += 1;
        } else {
            lines.push(line('+', new[j]));
            j += 1;
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_stays_is_found_between_what_changed() {
        let shown: Vec<String> =
            linewise("가\n나\n다", "가\n라\n다\n마").iter().map(|line| format!("{}{}", line.sign, line.text)).collect();
        assert_eq!(shown, [" 가", "-나", "+라", " 다", "+마"]);
    }

    proptest! {
        #[test]
        fn both_texts_are_in_it(before in "([ab]\n){0,8}", after in "([ab]\n){0,8}") {
            let lines = linewise(&before, &after);
            let of = |gone: char| lines.iter().filter(|line| line.sign != gone).map(|line| format!("{}\n", line.text)).collect::<String>();
            prop_assert_eq!((of('+'), of('-')), (before, after));
        }
    }
}
