"""Random histories of an event in stages and of a bracket at the tables.

Each step is one act of a director or of a player. The expected state after it is computed here
with separate code, from rows and from a record of the steps, never with the code under test.
"""

import os
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from django.test import Client
from django.urls import reverse

import hall.history.undo
import scoring.services
import tournaments.services
from boards.whist import WhistError
from clubs import audit
from clubs.models import Act
from clubs.undo import list_undoable_act_pks
from scoring.models import (
    EntryProfile,
    Final,
    Knockout,
    Outcome,
    Ranking,
    Result,
    Stage,
    Standing,
    Strata,
)
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from scoring.standings_engine.knockouts import load_bracket
from server.models import User
from tests import evenings
from tournaments.models import Event, Session, Sitting

HISTORY_COUNT = int(os.environ.get("HISTORIES", "0"))
"""The number of histories, where more than the suite's few are requested."""
DIRECTOR_PAGE_NAMES = (
    *("event_desk", "entries", "movement", "seats", "stages", "bracket_desk", "seeds"),
    *("prizes", "history", "scores", "papers", "closing", "director_standings", "room"),
    *("changes", "draws", "terms", "rulings", "event_edit"),
)
PUBLIC_PAGE_NAMES = (
    "event",
    "standings",
    "travellers",
    "awards",
    "pairings",
    "screen",
    "event_deals",
)


class RandomWalk:
    """The random steps, the record of them, and the invariants."""

    def __init__(self, event: Event, user: User, chance: random.Random) -> None:
        self.root, self.user, self.chance = event, user, chance
        self.done: Counter[str] = Counter()
        self.client = Client()
        self.client.force_login(user)

    # ------------------------------------------------------------- state

    def list_events(self) -> list[Event]:
        """Return all events that lists show."""
        rows = Event.objects.filter(put_away_at=None)
        return list(rows.select_related("club", "terms").order_by("pk"))

    def read_state(self) -> dict[str, Any]:
        """Return everything that an error leaves unchanged and that undo restores."""
        listed_event_pks = [item.pk for item in self.list_events()]
        return {
            "events": sorted(
                Event.objects.filter(pk__in=listed_event_pks).values_list(*EVENT_FIELDS)
            ),
            "stages": sorted(
                (stage.event_id, str(stage.rule), stage.drawn_at is not None, str(stage.drawn))
                for stage in Stage.objects.all()
            ),
            "finals": sorted(
                (
                    final.event.name,
                    final.order,
                    str(final.brought),
                    self.list_entry_names(final.event),
                )
                for final in Final.objects.select_related("event")
            ),
            "brackets": sorted(
                (
                    knockout.event.name,
                    str(knockout.seeds),
                    knockout.three_way,
                    str(knockout.matches),
                )
                for knockout in Knockout.objects.filter(
                    event__in=listed_event_pks
                ).select_related("event")
            ),
            "strata": sorted(Strata.objects.values_list("event", "rule", "lines")),
            "profiles": sorted(
                (
                    entry_profile.entry.event_id,
                    entry_profile.entry.number,
                    str(entry_profile.to_data()),
                )
                for entry_profile in EntryProfile.objects.filter(entry__event=self.root)
                if entry_profile.to_data() != EntryProfile().to_data()
            ),
            "sessions": sorted(
                Event.objects.filter(pk__in=listed_event_pks).values_list(
                    "name", "sessions__number", "sessions__state"
                )
            ),
            "seats": sorted(
                Sitting.objects.filter(
                    section__session__event__in=listed_event_pks
                ).values_list(*SEAT_FIELDS)
            ),
            "results": sorted(
                Result.objects.filter(sitting__section__session__event__in=listed_event_pks)
                .exclude(outcome=Outcome.CLEARED)
                .values_list(*RESULT_FIELDS)
            ),
        }

    def list_entry_names(self, event: Event) -> list[str]:
        """Return the names of the entries, in order."""
        return list(event.entries.order_by("number").values_list("name", flat=True))

    # ------------------------------------------------------------- undo and redo

    def undo_or_redo(self) -> None:
        """Undo or redo any act of any event."""
        actual = []
        for event in self.list_events():
            acts = list(audit.list_acts(event))
            undoable_acts = list_undoable_act_pks(acts)
            actual += [(event, act) for act in acts if act.pk in undoable_acts]
        if actual:
            event, act = self.chance.choice(actual[:12])
            self.undo_act(event, act)

    def undo_act(self, event: Event, act: Act) -> Act:
        """Undo an act; return the act of the undo."""
        hall.history.undo.undo_event_act(event=event, act=act, by=self.user)
        self.done[f"{act.action} back"] += 1
        return Act.objects.get(undoes=act)

    def undo_and_redo(self, event: Event) -> None:
        """Undo and redo the last act, and check that both are exact."""
        acts = list(audit.list_acts(event))
        if not acts or acts[0].pk not in list_undoable_act_pks(acts):
            return
        archived = Final.objects.filter(stage__event=event, event__put_away_at__isnull=False)
        if archived.exists():
            return  # a redone draw creates its finals again, none of them archived
        state_after = self.read_state()
        try:
            undoing_act = self.undo_act(event, acts[0])
        except WhistError:
            assert self.read_state() == state_after
            return
        event = Event.objects.get(pk=event.pk)
        self.undo_act(event, undoing_act)
        assert self.read_state() == state_after

    def take_step(self, step: Callable[[], Event | None]) -> None:
        """Take a step; an error must have a reason and change nothing."""
        state_before, error_text = self.read_state(), ""
        try:
            changed_event = step()
        except WhistError as error:
            error_text = str(error) or "no reason"
        if error_text:
            assert error_text != "no reason"
            self.done[f"{step.__name__} refused"] += 1
            assert self.read_state() == state_before
            return
        self.done[step.__name__] += 1
        if changed_event is not None and self.chance.random() < 0.25:
            self.undo_and_redo(changed_event)

    # ------------------------------------------------------------- invariants

    def check_standings(self) -> None:
        """Check that stored standings equal recomputed ones, for events that have started."""
        for event in self.list_events():
            if not event.sessions.exclude(state=Session.State.PLANNED).exists():
                continue
            standings.update_standings(event)
            stored_ranks = self.list_ranks(event)
            Ranking.objects.filter(event=event).delete()
            standings.update_standings(Event.objects.get(pk=event.pk))
            assert self.list_ranks(event) == stored_ranks

    def list_ranks(self, event: Event) -> list[tuple[Any, ...]]:
        rows = Standing.objects.filter(ranking__event=event).order_by("entry__number")
        return list(rows.values_list("entry__number", "rank", "score", "boards", "carried"))

    def check_pages(self, page_count: int) -> None:
        """Fetch this many pages of all events and their entries; all of them for 0."""
        addresses = [
            address for event in self.list_events() for address in self.list_urls(event)
        ]
        for address in self.chance.sample(addresses, page_count) if page_count else addresses:
            response = self.client.get(address, follow=True)
            assert response.status_code == 200, address

    def list_urls(self, event: Event) -> list[str]:
        """Return the current pages of an event."""
        names = [*DIRECTOR_PAGE_NAMES, *PUBLIC_PAGE_NAMES]
        if Knockout.objects.filter(event=event).exists():
            names.append("bracket")
        entry = event.entries.order_by("number").first()
        cards = [reverse("scorecard", args=[event.slug, entry.number])] if entry else []
        return [reverse(name, args=[event.slug]) for name in names] + cards

    def check_bracket(self, event: Event) -> None:
        """Check that no team loses twice, and that each round has only earlier winners."""
        row = Knockout.objects.select_related("event__terms").filter(event=event).first()
        if row is None:
            return
        bracket = load_bracket(row)
        losers = [
            seed for matches in bracket.rounds for match in matches for seed in match.losers
        ]
        assert len(losers) == len(set(losers))
        for before, after in zip(bracket.rounds, bracket.rounds[1:], strict=False):
            seeds = [seed for match in before for seed in match.advancing_sides]
            sides = [seed for match in after for seed in match.sides]
            assert len(seeds) == len(set(seeds))
            assert sorted(sides) == sorted(seeds)
        for match in bracket.rounds[0]:
            assert not (row.three_way and match.is_bye)
            assert set(match.advancing_sides) <= set(match.sides)
        assert set(row.seeds) <= set(event.entries.values_list("number", flat=True))


EVENT_FIELDS = ("name", "numbers_stand")
SEAT_FIELDS = (
    *("section__session__event__name", "section__letter", "round", "table"),
    *("north__number", "east__number", "south__number", "west__number"),
)
RESULT_FIELDS = (
    *("sitting__section__session__event__name", "sitting__round", "sitting__table"),
    *("board", "outcome", "ns_tricks"),
)


def compute_pluses(event: Event) -> dict[int, tuple[Fraction, int]]:
    """Return each entry's tricks above the mean of each board, and the boards played."""
    rows = Result.objects.filter(sitting__section__session__event=event)
    tricks = {
        (item.sitting_id, item.board): item.ns_tricks
        for item in rows.filter(outcome=Outcome.PLAYED)
    }
    sides: dict[tuple[int, int], tuple[int, int]] = {}
    for session in event.sessions.all():
        for table in load_session_snapshot(session).tables:
            for board in table.boards if table.is_played else ():
                sides[table.sitting_id, board] = table.ns.entries[0], table.ew.entries[0]
    on_board: dict[int, list[int]] = defaultdict(list)
    for (_sitting, board), ns_tricks in tricks.items():
        on_board[board].append(ns_tricks or 0)
    actual: dict[int, tuple[Fraction, int]] = {}
    for play, ns_tricks in tricks.items():
        mean = Fraction(sum(on_board[play[1]]), len(on_board[play[1]]))
        for sign, entry in zip((1, -1), sides[play], strict=True):
            plus, boards = actual.get(entry, (Fraction(), 0))
            actual[entry] = plus + sign * ((ns_tricks or 0) - mean), boards + 1
    return actual


def enter_some_results(event: Event, user: User, chance: random.Random) -> None:
    """Enter or change some results of an event's tables."""
    session = event.sessions.order_by("number").last()
    assert session is not None
    plays = [
        (table.sitting_id, board)
        for table in load_session_snapshot(session).tables
        if table.is_played
        for board in table.boards
    ]
    for sitting, board in chance.sample(plays, min(len(plays), 3)):
        evenings.enter_result(session, sitting, board, str(chance.randint(0, 13)), user)


def remove_random_entry(event: Event, user: User, chance: random.Random) -> None:
    """Remove an entry, which a bracket and a final refuse."""
    entry = chance.choice(list(event.entries.all()))
    tournaments.services.remove_entry(entry=entry, by=user)


def decide_random_match(event: Event, user: User, chance: random.Random) -> None:
    """Decide, correct or reopen a match: by margins, boards or word."""
    row = Knockout.objects.select_related("event__terms").get(event=event)
    bracket = load_bracket(row)
    rows = [
        match
        for round_matches in bracket.rounds
        for match in round_matches
        if match.can_be_played
    ]
    match = chance.choice(rows)
    width = len(match.pairings)
    texts: dict[str, Any] = {}
    decision_kind = chance.choice(["margins", "margins", "margins", "extra", "word", "open"])
    if decision_kind in ("margins", "extra"):
        texts["margins"] = [str(chance.randint(-2, 2)) for _ in range(width * row.segments)]
    if decision_kind == "extra":
        texts["extra_margins"] = [str(chance.randint(-1, 1)) for _ in range(width)]
    if decision_kind == "word":
        sides = chance.sample(match.sides, len(match.next_positions))
        numbers = [row.seeds[seed - 1] for seed in sides]
        texts |= dict(zip(("winner_number", "second_winner_number"), numbers, strict=False))
    matches_before = dict(row.matches)
    later_choice = chance.choice(["", "", "keep", "take_back"])
    scoring.services.record_match(
        event=event, match_key=match.key, later_choice=later_choice, by=user, **texts
    )
    matches_after = Knockout.objects.get(event=event).matches
    if later_choice != "take_back":  # nothing else moves
        match_key = f"{match.round_number}-{match.number}"
        assert {**matches_before, match_key: None} == {**matches_after, match_key: None}
