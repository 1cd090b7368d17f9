//! Queries the index: scores every memory on its own, then ranks the best candidates in detail.

use jiff::civil::Date;
use saegim_core::{
    Calibration, ConversationEvidence, Evidence, Findings, MemoryId, Part, Policy, Question, RelevancePolicy, Teller, Unit, closeness,
    confidence, cut, named_days, own_evidence, standing_excess,
};
use saegim_store::Filter;

use super::Index;
use super::document::ResolvedFilter;
use super::evidence::Weighed;

/// A query to a mind.
pub(crate) struct IndexQuery<'a> {
    pub(crate) question: &'a Question,
    /// The vector of the question and the calibration of its embedder, if there is one.
    pub(crate) vector: Option<(&'a [i8], &'a Calibration)>,
    pub(crate) filter: &'a Filter,
    /// The current day of the caller.
    pub(crate) today: Option<Date>,
    pub(crate) limit: usize,
    pub(crate) policy: &'a Policy,
}

/// The best score of a query, relative to which closeness is measured.
#[derive(Clone, Copy)]
struct Scale<'a> {
    best: f32,
    policy: &'a Policy,
}

/// A found memory.
#[derive(Clone, Debug)]
pub(crate) struct Hit {
    pub(crate) memory: MemoryId,
    /// Score parts, including importance and strength. Their sum is the score.
    pub(crate) parts: Vec<Part>,
    pub(crate) strength: Unit,
    /// Relevance, 0..=1.
    pub(crate) relevance: f32,
}

/// Search results, the best first.
#[derive(Clone, Debug, Default)]
pub(crate) struct IndexHits {
    pub(crate) hits: Vec<Hit>,
    /// Confidence that the question can be answered at all.
    pub(crate) confidence: f32,
}

/// A memory ranked in detail.
struct Candidate {
    place: u32,
    own: Evidence,
    parts: Vec<Part>,
    /// Sum of the parts.
    evidence: f32,
    /// Relevance, importance and strength combined.
    score: f32,
    /// Score change from reordering by recency.
    newest: f32,
}

impl Index {
    pub(crate) fn ask(&self, ask: &IndexQuery<'_>) -> IndexHits {
        let policy = &ask.policy.relevance;
        let named = ask.question.names(&self.names.people);
        let people: Vec<String> = named.iter().map(|&person| self.names.people[person].clone()).collect();
        let cut = cut(&ask.question.without_names(&people));
        let weighed = self.weigh(&cut, ask.vector.map(|(vector, _)| vector), policy);
        let pool = self.pool(&weighed, &ResolvedFilter::new(ask.filter, &self.names), ask.policy.recall.pool);
        let days = named_days(&ask.question.text, ask.today, &self.years);
        let one_sided = !named.is_empty() && named.len() < self.names.people.len();
        let by_named = |place: u32| {
            let speaker = self.documents[place as usize].speaker?;
            one_sided.then(|| named.contains(&usize::from(speaker)))
        };
        let mut best_of_talk = std::collections::HashMap::new();
        for &place in &pool {
            let talk = self.documents[place as usize].talk.map_or((false, place), |talk| (true, talk));
            let best = best_of_talk.entry(talk).or_insert(f32::MIN);
            *best = best.max(weighed.own(place));
        }
        let open = |place: u32| (policy.short_words / self.documents[place as usize].words as f32).min(1.0);
        let lent = |place: u32, steps: isize| self.neighbour(place, steps).map_or(0.0, |other| open(other) * weighed.own(other));
        let mut candidates: Vec<Candidate> = pool
            .iter()
            .map(|&place| {
                let document = &self.documents[place as usize];
                let before = self.neighbour(place, -1);
                let near = |days: &saegim_core::Days| {
                    let early = days.first.saturating_sub(jiff::Span::new().days(policy.days_before));
                    let late = days.last.saturating_add(jiff::Span::new().days(policy.days_after));
                    early <= document.day && document.day <= late
                };
                let told = ConversationEvidence {
                    own: weighed.evidence(place),
                    previous: lent(place, -1),
                    next: lent(place, 1),
                    two_away: lent(place, -2) + lent(place, 2),
                    answers: before.is_some_and(|before| self.documents[before as usize].marks.asks),
                    openness: open(place),
                    session: best_of_talk[&document.talk.map_or((false, place), |talk| (true, talk))],
                    named_speaker: by_named(place),
                    on_day: days.iter().any(near),
                    teller: document.teller,
                    marks: document.marks,
                };
                let parts = told.parts(ask.question, policy);
                let evidence = parts.iter().map(|part| part.weight * part.value).sum();
                Candidate { place, own: told.own, parts, evidence, score: 0.0, newest: 0.0 }
            })
            .collect();
        self.hold_back_orders(&mut candidates, policy);
        let Some(best) = candidates.iter().map(|candidate| candidate.evidence).reduce(f32::max) else { return IndexHits::default() };
        let similarity = |place: u32| match (ask.vector, weighed.cosine(place)) {
            (Some((_, calibration)), Some(cosine)) => calibration.similarity(cosine).get(),
            _ => 0.0,
        };
        let lead = self.lead(&candidates, &weighed, &by_named);
        self.rank(&mut candidates, best, ask);
        let findings = Findings { best, focus: self.focus(&candidates, ask), lead };
        let confidence = confidence(findings, ask.question, policy);
        let fit = candidates.iter().take(10).map(|candidate| self.fit(candidate, similarity(candidate.place), policy)).fold(0.0, f32::max);
        let relevance = |candidate: &Candidate| fit * ((candidate.evidence - best) / policy.shown_in).exp();
        let hit = |candidate: Candidate| {
            let relevance = relevance(&candidate);
            self.hit(candidate, relevance, Scale { best, policy: ask.policy })
        };
        let hits = candidates.into_iter().take(ask.limit).map(hit).collect();
        IndexHits { hits, confidence }
    }

    /// Reduces the bonus of standing instructions so that they do not rank above the best other memory.
    fn hold_back_orders(&self, candidates: &mut [Candidate], policy: &RelevancePolicy) {
        let is_order = |candidate: &Candidate| self.documents[candidate.place as usize].marks.standing;
        let others = candidates.iter().filter(|candidate| !is_order(candidate)).map(|candidate| candidate.evidence);
        let Some(best_other) = others.reduce(f32::max) else { return };
        for candidate in candidates.iter_mut() {
            let excess = standing_excess(candidate.evidence, best_other, policy);
            if let Some(part) = candidate.parts.iter_mut().find(|part| part.name == "standing") {
                part.value -= excess / policy.standing.max(1e-6);
                candidate.evidence -= excess;
            }
        }
    }

    /// Returns the places with the most evidence, with their neighbours and all standing instructions.
    fn pool(&self, weighed: &Weighed<'_>, passing: &ResolvedFilter, size: usize) -> Vec<u32> {
        let (best, more) = self.best(weighed, passing, size);
        if !more {
            return best;
        }
        let passes = |place: &u32| passing.lets(&self.documents[*place as usize]);
        let mut pool: Vec<u32> = self.orders.iter().copied().filter(passes).take(size).collect();
        for &place in &best {
            let around = [-2, -1, 1, 2].into_iter().filter_map(|steps| self.neighbour(place, steps));
            pool.extend(around.filter(passes));
        }
        pool.extend(best);
        pool.sort_unstable();
        pool.dedup();
        pool
    }

    /// Returns the share of the question's focus words that the best memory not said by the character contains. For advice
    /// questions anything related serves, so it is 1.
    fn focus(&self, candidates: &[Candidate], ask: &IndexQuery<'_>) -> f32 {
        let question = ask.question;
        if question.advice {
            return 1.0;
        }
        let telling = |candidate: &&Candidate| {
            let document = &self.documents[candidate.place as usize];
            document.teller != Teller::Character && !document.marks.standing
        };
        let best = candidates.iter().find(telling).or(candidates.first());
        let Some(best) = best.filter(|_| !question.focus.is_empty()) else { return ask.policy.relevance.focus_unread };
        let marks = self.documents[best.place as usize].marks;
        let holds = |word: &&String| self.words.holds(best.place, word) || (Question::is_measure(word) && (marks.number || marks.time));
        question.focus.iter().filter(holds).count() as f32 / question.focus.len() as f32
    }

    /// Returns the lead of the named person's memories over those of others, -1..=1.
    fn lead(&self, candidates: &[Candidate], weighed: &Weighed<'_>, by_named: &impl Fn(u32) -> Option<bool>) -> f32 {
        let best = |named: bool| {
            let theirs = candidates.iter().filter(|candidate| by_named(candidate.place) == Some(named));
            theirs.map(|candidate| weighed.own(candidate.place)).reduce(f32::max)
        };
        match best(true) {
            Some(theirs) => ((theirs.max(0.0) - best(false).unwrap_or(0.0).max(0.0)) / 4.0).clamp(-1.0, 1.0),
            None => 0.0,
        }
    }

    /// Returns how well a memory fits by itself, 0..=1: by the words of the question or by similar meaning.
    fn fit(&self, candidate: &Candidate, similarity: f32, policy: &RelevancePolicy) -> f32 {
        let held = ((candidate.own.words + candidate.own.letters) / 2.0).clamp(0.0, 1.0);
        let similar = ((similarity - policy.similar_from) / (1.0 - policy.similar_from)).max(0.0);
        1.0 - (1.0 - held) * (1.0 - similar)
    }

    /// Sorts by score. If the question asks for a current state, near-equal results are sorted newest first.
    fn rank(&self, candidates: &mut [Candidate], best: f32, ask: &IndexQuery<'_>) {
        let (recall, policy) = (&ask.policy.recall, &ask.policy.relevance);
        for candidate in candidates.iter_mut() {
            let document = &self.documents[candidate.place as usize];
            let strength = document.strength_at(self.turns, &ask.policy.strength).get();
            candidate.score = recall.relevance_weight * closeness(candidate.evidence, best, policy)
                + recall.importance_weight * document.importance.get()
                + recall.strength_weight * strength;
        }
        // Equal scores keep the order in which things were said, whatever ids they got and however the index was loaded.
        let said = |candidate: &Candidate| self.documents[candidate.place as usize].order();
        candidates.sort_by(|a, b| b.score.total_cmp(&a.score).then_with(|| said(a).cmp(&said(b))));
        if !ask.question.state || candidates.len() < 2 {
            return;
        }
        // Standing instructions are not answers; they keep their positions.
        let answers = |slot: &usize| !self.documents[candidates[*slot].place as usize].marks.standing;
        let among: Vec<usize> = (0..candidates.len().min(10)).filter(answers).take(policy.newest_among).collect();
        let Some(&head) = among.first() else { return };
        let strong = |candidate: &Candidate| own_evidence(Evidence { meaning: candidate.own.meaning.max(0.0), ..candidate.own }, policy);
        let least = policy.newest_share * among.iter().map(|slot| strong(&candidates[*slot])).fold(0.0, f32::max);
        let first = &self.documents[candidates[head].place as usize];
        let (teller, speaker) = (first.teller, first.speaker);
        let like_first = |candidate: &Candidate| {
            let document = &self.documents[candidate.place as usize];
            strong(candidate) >= least && document.teller == teller && document.speaker == speaker
        };
        let slots: Vec<usize> = among.into_iter().filter(|&slot| like_first(&candidates[slot])).collect();
        let scores: Vec<f32> = candidates.iter().map(|candidate| candidate.score).collect();
        let age = |candidate: &Candidate| (self.documents[candidate.place as usize].created_at, candidate.place);
        // Insertion sort by swapping; there are about three elements.
        for at in 1..slots.len() {
            for back in (1..=at).rev() {
                if age(&candidates[slots[back]]) > age(&candidates[slots[back - 1]]) {
                    candidates.swap(slots[back], slots[back - 1]);
                }
            }
        }
        for (candidate, score) in candidates.iter_mut().zip(scores) {
            // It gets the score of its new position.
            candidate.newest = score - candidate.score;
            candidate.score = score;
        }
    }

    fn hit(&self, candidate: Candidate, relevance: f32, scale: Scale<'_>) -> Hit {
        let Scale { best, policy } = scale;
        let document = &self.documents[candidate.place as usize];
        let strength = document.strength_at(self.turns, &policy.strength);
        // Closeness is linear in the evidence, so the parts are the scaled parts of the evidence plus a common baseline. Together
        // with importance and strength they add up to the score.
        let scale = policy.recall.relevance_weight / policy.relevance.falls_in;
        let mut parts: Vec<Part> = candidate.parts.into_iter().map(|part| Part::new(part.name, part.weight * scale, part.value)).collect();
        parts.push(Part::new("baseline", policy.recall.relevance_weight, closeness(0.0, best, &policy.relevance)));
        parts.push(Part::new("importance", policy.recall.importance_weight, document.importance.get()));
        parts.push(Part::new("strength", policy.recall.strength_weight, strength.get()));
        if candidate.newest != 0.0 {
            parts.push(Part::new("newest", 1.0, candidate.newest));
        }
        Hit { memory: document.id, parts, strength, relevance }
    }
}
