"""Conversation, and what is known from it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from .._request import Request, body, one, path
from .._results.listing import Results
from .._results.talk import Context, Fact, Facts, Moment, MoodNow, Observed, Person, Standing, Turn, Withdrawn
from .base import Calls
from .read import facts_page, listed, said_messages, turned


class TalkCalls(Calls):
    """Observe, context, facts, people, relationship, mood."""

    def observe(
        self,
        user: str | None = None,
        assistant: str | None = None,
        *,
        messages: Sequence[Mapping[str, Any]] = (),
        session: str | None = None,
        place: str | None = None,
        story_time: str | None = None,
        people: Sequence[str] = (),
        idempotency_key: str | None = None,
    ) -> Observed:
        """Ingests an exchange and extracts memories, facts and feelings.

        ``messages`` are dictionaries with ``role``, ``content`` and optionally ``at``, ``speaker`` and ``injected``.

        >>> seen = memory.observe(user="나 부산에 살아", assistant="바다가 가깝겠다!")
        >>> [(fact.subject, fact.value) for fact in seen.facts]
        [('residence', '부산')]
        """
        asked = body(
            messages=said_messages(user, assistant, messages),
            session=session,
            place=place,
            story_time=story_time,
            people=list(people) or None,
        )
        return self._run(Request("POST", path("turns"), one(Observed), asked, idempotency_key))

    def context(self, query: str, *, budget: int | None = None) -> Context:
        """Returns the context for a model that is about to answer ``query``. ``budget`` is its size in tokens.

        >>> _ = memory.store("I adopted a puppy called Mochi")
        >>> "Mochi" in memory.context("how is my puppy?", budget=800).text
        True
        """
        return self._run(Request("POST", path("context"), one(Context), body(query=query, budget=budget), only_reads=True))

    def turns(
        self, *, limit: int = 50, before: str | None = None, session: str | None = None, withdrawn: bool = False
    ) -> Results[Turn]:
        """Returns the latest messages, in order. ``before`` is the id of the first message of the page that was read last.

        >>> _ = memory.observe(user="안녕", assistant="안녕!")
        >>> [(turn.role, turn.content) for turn in memory.turns()]
        [('user', '안녕'), ('assistant', '안녕!')]
        """
        asked = path("turns", limit=limit, cursor=before, session=session, withdrawn=withdrawn)
        return self._run(Request("GET", asked, listed(Turn, "turns")))

    def reword(self, id: str, content: str) -> Withdrawn:
        """Changes a message; what was learned from it is extracted again.

        >>> seen = memory.observe(user="나 부산에 살아")
        >>> _ = memory.reword(seen.turns[0].id, "나 대구에 살아")
        >>> [fact.value for fact in memory.facts()]
        ['대구']
        """
        return self._run(Request("PATCH", path("turns", id), one(Withdrawn), body(content=content)))

    def withdraw(self, id: str) -> Withdrawn:
        """Withdraws a message: what was learned only from it is forgotten.

        >>> seen = memory.observe(user="나 부산에 살아")
        >>> _ = memory.withdraw(seen.turns[0].id)
        >>> len(memory.facts())
        0
        """
        return self._run(Request("DELETE", path("turns", id), one(Withdrawn)))

    def facts(self, *, history: bool = False) -> Facts:
        """Returns the facts about the user. ``history=True`` includes ended ones.

        >>> _ = memory.observe(user="My name is Minsu.")
        >>> [(fact.subject, fact.value) for fact in memory.facts()]
        [('name', 'Minsu')]
        """
        (facts, statements), cursor = self._run(Request("GET", path("facts", history=history), facts_page))
        while cursor is not None:
            (more, _), cursor = self._run(Request("GET", path("facts", history=history, cursor=cursor), facts_page))
            facts += more
        return Facts(facts, statements=statements)

    def set_fact(self, subject: str, value: str) -> Fact:
        """Sets a fact by hand, as the owner.

        >>> memory.set_fact("residence", "Seoul").value
        'Seoul'
        """
        return self._run(Request("PUT", path("facts"), one(Fact), body(subject=subject, value=value)))

    def end_fact(self, subject: str, value: str | None = None) -> Facts:
        """Ends a fact by hand; it stays in the history. Returns what was ended.

        >>> _ = memory.set_fact("residence", "Seoul")
        >>> len(memory.end_fact("residence"))
        1
        """
        (facts, statements), _ = self._run(Request("DELETE", path("facts", subject=subject, value=value), facts_page))
        return Facts(facts, statements=statements)

    def people(self) -> Results[Person]:
        """Returns the people and pets in the user's life.

        >>> _ = memory.observe(user="내 동생 이름은 지우야")
        >>> [(person.name, person.relation) for person in memory.people()]
        [('지우', '동생')]
        """
        return Results(self._pages(turned(Person, "people", "people")))

    def relationship(self, *, limit: int = 20) -> Standing:
        """Returns the relationship between the character and the user, with its last ``limit`` changes.

        >>> memory.relationship().level
        'stranger'
        """
        return self._run(Request("GET", path("relationship", limit=limit), one(Standing)))

    def mood(self) -> MoodNow:
        """Returns the character's current mood and face.

        >>> memory.mood().face["happy"]
        0
        """
        return self._run(Request("GET", path("mood"), one(MoodNow)))

    def timeline(
        self, *, since: date | str | None = None, until: date | str | None = None, turns: bool = False, limit: int = 100
    ) -> Results[Moment]:
        """Returns the latest events in order: memories, facts, scenes and, with ``turns=True``, messages.

        >>> _ = memory.store("We met in Seoul")
        >>> [event.type for event in memory.timeline()]
        ['memory']
        """
        asked = path("timeline", since=since, until=until, turns=turns, limit=limit)
        return self._run(Request("GET", asked, listed(Moment, "moments")))
