//! Questions about forgotten memories, which recall never returns. They get a hint to the report.

use crate::command::App;
use crate::say::say;

impl App {
    /// Prints a hint to the report if the question asks what was forgotten.
    pub(crate) fn tell_of_forgetting(&self, question: &str) {
        if asks_what_was_forgotten(question) {
            self.tell(&say!(self.language, "command.forgotten.see_report"));
        }
    }
}

/// Checks whether a question asks which memories were forgotten, in Korean or English.
fn asks_what_was_forgotten(question: &str) -> bool {
    let lower = question.to_lowercase();
    let words: Vec<&str> =
        lower.split(|letter: char| !letter.is_alphanumeric() && letter != '\'').filter(|word| !word.is_empty()).collect();
    let any = |wanted: &[&str]| words.iter().any(|word| wanted.contains(word));
    let english = any(&["forget", "forgot", "forgotten", "forgetting"]) && any(&["what", "which", "anything", "something"]);
    let holds = |wanted: &[&str]| wanted.iter().any(|piece| lower.contains(piece));
    let gone = ["잊었", "잊은", "잊어버", "잊혀", "잊힌", "까먹", "사라진 기억", "없어진 기억", "지워진 기억"];
    // Statements such as "네가 뭘 좋아하는지 잊지 않을게" and "잊지 마" are not such questions.
    let korean = holds(&gone) && holds(&["뭐", "뭘", "뭔", "무엇", "무얼", "무슨", "어떤", "몇", "있어?", "있니", "있나"]);
    english || korean
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_about_what_was_forgotten_is_known_from_others() {
        for asks in [
            "what did I forget this week",
            "What have you forgotten lately?",
            "did you forget anything about me?",
            "which memories were forgotten in March",
            "is there something you forgot?",
            "tell me what you've been forgetting",
            "이번 주에 뭘 잊었지?",
            "이번주에 뭐 까먹었어",
            "최근에 무엇을 잊어버렸어요?",
            "지난달에 어떤 기억을 잊으신 거예요? 잊은 게 뭔가요",
            "너 나에 대해 까먹은거 있어?",
            "사라진 기억이 뭐야",
            "요즘 잊혀진 건 무슨 얘기야?",
            "몇 개나 잊어버렸니",
            "뭐를잊었는지알려줘",
        ] {
            assert!(asks_what_was_forgotten(asks), "{asks}");
        }
        for asks_not in [
            "where do I live?",
            "don't forget my birthday",
            "never forget me",
            "forget it",
            "내 생일 잊지 마",
            "뭘 좋아하는지 잊지 않을게",
            "우리 강아지 이름이 뭐지?",
            "우산을 어디에 두었지",
            "그 일은 이제 잊어",
            "what did I promise?",
        ] {
            assert!(!asks_what_was_forgotten(asks_not), "{asks_not}");
        }
    }
}
