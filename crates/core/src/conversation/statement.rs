//! Statements: clauses in the user's own words that say something lasting about the user or a person of theirs.

use crate::primitives::word_enum::word_enum;

word_enum! {
    /// What a statement is about.
    StatementGroup "group" {
        /// Name, age, birthday, nationality, height.
        Name = "name",
        /// Where somebody lives, comes from or moves to.
        Place = "place",
        /// Job, workplace, school, exam, income.
        Work = "work",
        /// Family, friends, colleagues: who they are.
        People = "people",
        /// Pets.
        Pet = "pet",
        /// Illness, injury, medication, sleep, pregnancy, addiction.
        Health = "health",
        /// Diet, allergies to food, what somebody eats or drinks.
        Food = "food",
        /// Likes and favourites.
        Like = "like",
        /// Dislikes, fears, phobias.
        Dislike = "dislike",
        /// Hobbies, sport, instruments, routines, habits.
        Hobby = "hobby",
        /// Possessions, car, house, debts, savings.
        Thing = "thing",
        /// Character, beliefs, religion, languages, skills, looks.
        Trait = "trait",
        /// Relationship status, dating, marriage, divorce.
        Love = "love",
        /// Intentions with a time, appointments, anniversaries.
        Plan = "plan",
        /// Long-term goals and dreams.
        Goal = "goal",
        /// Death, break-up, failure, theft, layoff.
        Loss = "loss",
        /// Success, birth, prize, recovery.
        Win = "win",
        /// How somebody wants to be treated.
        Limit = "limit",
        /// Promises of the user or the character.
        Promise = "promise",
        /// Lasting, but none of these.
        Other = "other",
    }
}

word_enum! {
    /// When a statement holds.
    StatementStatus "status" {
        /// True at the time it was made.
        Now = "now",
        /// Denied: is not, does not.
        Not = "not",
        /// No longer true.
        Ended = "ended",
        /// Was true once, or happened.
        Past = "past",
        /// Arranged or decided.
        Planned = "planned",
        /// Wanted, not decided.
        Wished = "wished",
    }
}
