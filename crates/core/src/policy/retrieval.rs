//! Policies for retrieval: ranking of results and the evidence behind it.

use serde::{Deserialize, Serialize};

use super::PolicyField;
use crate::Invalid;

policy! {
    /// Ranking of search results.
    RecallPolicy "recall" {
        /// Weight of the relevance to the query.
        relevance_weight: f32 = 0.7, 0.0 => 1.0;
        /// Weight of importance.
        importance_weight: f32 = 0.2, 0.0 => 1.0;
        /// Weight of strength.
        strength_weight: f32 = 0.1, 0.0 => 1.0;
        /// Number of memories with the best own evidence that are scored in detail.
        pool: usize = 200, 10 => 10_000;
        /// Relevance below which a memory does not count as a match.
        fits_from: f32 = 0.25, 0.0 => 1.0;
        /// Maximum number of memories for which the in-memory index is built at the first query; larger minds are indexed in the
        /// background.
        index_at_once: u64 = 30_000, 0 => 10_000_000;
        /// Number of memories read into an index at a time, so that a large mind is never in memory twice.
        index_page: usize = 8192, 16 => 1_000_000;
        /// Maximum number of memories searched on the calling thread; larger minds are searched on a separate thread, so that other
        /// requests do not wait.
        ask_at_once: usize = 10_000, 0 => 10_000_000;
        /// Maximum size of all indexes in megabytes; the least recently used mind is evicted first.
        index_megabytes: usize = 4096, 1 => 1_000_000;
        /// Maximum size in megabytes of the indexes of small minds, for memories and for messages each. A small mind is quick to read
        /// again, and a thousand recently used ones must not fill the memory of the machine.
        small_index_megabytes: usize = 6, 1 => 1_000_000;
    }
}

policy! {
    /// Combination of evidence into relevance. Measured on Korean and English conversations; see docs/quality.md.
    RelevancePolicy "relevance" {
        /// How quickly repetitions of a word stop counting.
        word_saturation: f32 = 0.9, 0.0 => 10.0;
        /// How much long windows are penalised.
        word_length: f32 = 0.4, 0.0 => 1.0;
        /// Weight of the share of the query's words that the text contains.
        words: f32 = 4.0, 0.0 => 100.0;
        /// Weight of the share of the query's letters that the text contains.
        letters: f32 = 5.0, 0.0 => 100.0;
        /// Weight of the vector similarity, in standard deviations above the other memories of the mind.
        meaning: f32 = 0.6, 0.0 => 100.0;
        /// Share of the evidence of the previous message.
        previous: f32 = 0.4, 0.0 => 10.0;
        /// Additional share if the previous message was a question, because this one answers it.
        asked: f32 = 0.2, 0.0 => 10.0;
        /// Share of the evidence of the next message.
        next: f32 = 0.4, 0.0 => 10.0;
        /// Share of the evidence of a message two positions away.
        two_away: f32 = 0.2, 0.0 => 10.0;
        /// Number of words above which a text passes on and receives less evidence.
        short_words: f32 = 40.0, 1.0 => 10_000.0;
        /// Share of the best evidence in the same session that is added.
        session: f32 = 0.1, 0.0 => 10.0;
        /// Bonus if the person named in the query said it.
        speaker: f32 = 3.0, 0.0 => 100.0;
        /// Penalty if it is a question of somebody the query does not name.
        other_asks: f32 = 1.0, 0.0 => 100.0;
        /// Bonus if it was said on a day named in the query.
        date: f32 = 2.5, 0.0 => 100.0;
        /// Days before a named day that still count, because people give dates loosely.
        days_before: u32 = 1, 0 => 365;
        /// Days after a named day that still count, because people report events later.
        days_after: u32 = 8, 0 => 365;
        /// Penalty for messages from the character, unless the query asks for them.
        character_said: f32 = 4.0, 0.0 => 100.0;
        /// Bonus for a standing instruction, unless the query is about the past.
        standing: f32 = 4.0, 0.0 => 100.0;
        /// Bonus for a preference if the query asks for advice.
        preference: f32 = 1.5, 0.0 => 100.0;
        /// Bonus for naming a time or a number if the query asks for one.
        answer: f32 = 1.5, 0.0 => 100.0;
        /// Number of best results of which the newest is ranked first if the query asks for the current state.
        newest_among: usize = 3, 0 => 100;
        /// Minimum own evidence, as a share of the best result's, to take part in that.
        newest_share: f32 = 0.45, 0.0 => 1.0;
        /// Evidence at which the probability that the answer was found is one half.
        middle: f32 = 8.0, 0.0 => 100.0;
        /// Evidence over which that probability rises from low to high.
        spread: f32 = 1.5, 0.1 => 100.0;
        /// Effect on answerability if the best memory contains what is asked for.
        sure_focus: f32 = 0.6, 0.0 => 10.0;
        /// Effect on answerability if the named person leads over others.
        sure_lead: f32 = 0.6, 0.0 => 10.0;
        /// Negative effect on answerability of a very specific query, which is rarely answered.
        sure_specific: f32 = 0.6, 0.0 => 10.0;
        /// Sum of these effects and the evidence at which an answer is as likely as not.
        sure_middle: f32 = 0.9, -10.0 => 10.0;
        /// How steeply a larger sum raises that probability.
        sure_slope: f32 = 4.0, 0.1 => 100.0;
        /// Share counted as contained if the query does not show what it asks for.
        focus_unread: f32 = 0.5, 0.0 => 1.0;
        /// Points of evidence below the best result at which the relevance used for ranking is 0. At 1, importance and strength together
        /// outweigh a little less than half a point, so they decide among near equals.
        falls_in: f32 = 1.0, 0.1 => 100.0;
        /// Points of evidence below the best result at which the shown relevance falls to about a third.
        shown_in: f32 = 4.0, 0.1 => 100.0;
        /// Number of text windows below which a mind is padded with virtual ones for inverse document frequencies, because an unseen word
        /// is not rare in a mind of three memories.
        imagined_windows: f32 = 200.0, 0.0 => 100_000.0;
        /// Number of virtual unrelated memories added when the spread of the vectors is computed, so that the nearest of three memories
        /// does not count as outstanding.
        imagined_vectors: f32 = 20.0, 0.0 => 10_000.0;
        /// Spread of the vectors of these virtual memories.
        imagined_spread: f32 = 0.12, 0.01 => 1.0;
        /// Similarity below which a vector alone is no evidence.
        similar_from: f32 = 0.35, 0.0 => 1.0;
    }
}
