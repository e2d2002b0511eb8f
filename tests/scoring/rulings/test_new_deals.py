"""New deals: ruled and undone, at one table or at two that share the boards of a round.

State before × act: after every act an entry is about what the grid shows, and no play counts
twice.
"""

import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from scoring.errors import RulingRefused
from scoring.models import Result, Ruling
from scoring.services import make_ruling, record_result, withdraw_ruling
from scoring.services.rulings import repeat_ruling
from scoring.session_snapshot import SeatedTable, load_session_snapshot
from scoring.standings_engine.result_lines import load_tally
from server.models import User
from tests import evenings
from tournaments.models import Session, Sitting

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
BOARD = 1
SEEDS = range(12)


class Tray:
    """Board 1 of a session, and the first two tables that play it."""

    def __init__(self, movement: str) -> None:
        self.session: Session
        self.user: User
        self.session, self.user = evenings.open_session(8, movement=movement)
        snapshot = load_session_snapshot(self.session)
        self.tables: list[SeatedTable] = snapshot.tables_by_board[BOARD][:2]
        self.one, self.other = (
            Sitting.objects.get(pk=table.sitting_id) for table in self.tables
        )

    def enter_mark(self, sitting: Sitting, mark: str) -> None:
        """Enter a result as the grid does, with the value that it shows."""
        shown_mark = self.shown(sitting)
        record_result(
            sitting=sitting, board_number=BOARD, mark=mark, seen_score=shown_mark, by=self.user
        )

    def shown(self, sitting: Sitting) -> str:
        seated = load_session_snapshot(self.session)
        table = next(table for table in seated.tables if table.sitting_id == sitting.pk)
        result = seated.find_result_to_replace(table, BOARD)
        return result.mark if result else ""

    def rule(self, sitting: Sitting, kind: str) -> Ruling:
        return make_ruling(
            sitting=sitting,
            board_number=BOARD,
            kind=kind,
            law="III.2",
            reason="so",
            by=self.user,
        )

    @property
    def counted_plays(self) -> list[tuple[int, int | None]]:
        """Return which of the two tables count, each with its tricks."""
        places_by_entries = {table.ns.entries: place for place, table in enumerate(self.tables)}
        lines = load_tally(self.session.event).lines
        return sorted((places_by_entries[line.ns_entries], line.ns_tricks) for line in lines)


@pytest.fixture
def tray() -> Tray:
    """Return a tray whose two tables share the boards of a round (relay)."""
    return Tray("compass-relay")


@pytest.mark.parametrize(
    "intermediate_action", ["nothing", "a result", "a note", "a note and a result"]
)
def test_undone_new_deal_restores_replaced_result(tray: Tray, intermediate_action: str) -> None:
    tray.enter_mark(tray.one, "7")
    ruling = tray.rule(tray.one, "new_deal")
    assert tray.shown(tray.one) == ""
    noted_rulings = [tray.rule(tray.one, "noted")] if "note" in intermediate_action else []
    if "result" in intermediate_action:
        tray.enter_mark(tray.one, "8")
        with pytest.raises(RulingRefused, match="already has a score"):
            withdraw_ruling(ruling=ruling, by=tray.user)
        tray.enter_mark(tray.one, "")
    for noted_ruling in noted_rulings:
        with pytest.raises(RulingRefused, match="already has a ruling"):
            withdraw_ruling(ruling=ruling, by=tray.user)
        withdraw_ruling(ruling=noted_ruling, by=tray.user)
    withdraw_ruling(ruling=ruling, by=tray.user)
    assert tray.shown(tray.one) == "7"
    tray.enter_mark(tray.one, "9")
    assert tray.counted_plays == [(0, 9)]
    for noted_ruling in noted_rulings:  # it was about cards that were finally not dealt
        with pytest.raises(RulingRefused, match="was undone"):
            repeat_ruling(ruling=noted_ruling, by=tray.user)


@pytest.mark.parametrize(
    ("state_before", "expected_plays"),
    [
        ("", [(0, 6), (1, 8)]),  # played afterwards: it belongs to the new deal
        ("cleared", [(0, 6), (1, 8)]),
        ("3", [(0, 6)]),  # played before: its result is void, and can be corrected
    ],
)
def test_table_sharing_boards_gets_new_deal_if_not_yet_played(
    tray: Tray, state_before: str, expected_plays: list[tuple[int, int]]
) -> None:
    tray.enter_mark(tray.one, "7")
    if state_before:
        tray.enter_mark(tray.other, "3")
    if state_before == "cleared":
        tray.enter_mark(tray.other, "")
    tray.rule(tray.one, "new_deal")
    tray.enter_mark(tray.one, "6")
    tray.enter_mark(tray.other, "8")
    assert tray.counted_plays == expected_plays
    assert tray.shown(tray.other) == "8"


def test_new_deal_ruled_at_both_sharing_tables_is_created_once(tray: Tray) -> None:
    tray.enter_mark(tray.one, "7")
    tray.rule(tray.one, "new_deal")
    second = tray.rule(tray.other, "new_deal")
    assert (second.result and second.result.deal) == 1
    assert tray.rule(tray.other, "new_deal").pk == second.pk  # pressed twice
    tray.enter_mark(tray.one, "6")
    tray.enter_mark(tray.other, "8")
    assert tray.counted_plays == [(0, 6), (1, 8)]


def test_new_deal_after_first_new_result_is_another_deal(tray: Tray) -> None:
    tray.enter_mark(tray.one, "7")
    tray.rule(tray.one, "new_deal")
    tray.enter_mark(tray.one, "6")
    second_new_deal = tray.rule(tray.other, "new_deal")
    assert (second_new_deal.result and second_new_deal.result.deal) == 2
    tray.enter_mark(tray.other, "8")
    assert tray.counted_plays == [(1, 8)]


def list_acts(tray: Tray, chance: random.Random) -> list[Callable[[], Any]]:
    sitting = chance.choice((tray.one, tray.other))
    rulings = list(Ruling.objects.order_by("pk"))
    standing = [item for item in rulings if item.withdrawn_at is None]
    withdrawn_rulings = [item for item in rulings if item.withdrawn_at is not None]
    return [
        lambda: tray.enter_mark(sitting, str(chance.randrange(14))),
        lambda: tray.enter_mark(sitting, ""),
        lambda: tray.rule(sitting, "new_deal"),
        lambda: tray.rule(sitting, "noted"),
        lambda: tray.rule(sitting, "average"),
        *(lambda it=item: withdraw_ruling(ruling=it, by=tray.user) for item in standing[-2:]),
        *(
            lambda it=item: repeat_ruling(ruling=it, by=tray.user)
            for item in withdrawn_rulings[-1:]
        ),
    ]


@pytest.mark.parametrize("seed", SEEDS)
def test_entries_match_shown_plays_and_no_play_counts_twice(
    seed: int,
) -> None:
    chance = random.Random(seed)
    tray = Tray("compass-relay" if seed % 3 else "howell")
    for _step in range(15):
        with suppress(RulingRefused):
            chance.choice(list_acts(tray, chance))()
        for sitting in (tray.one, tray.other):
            assert Result.find_or_create_current_result(sitting, BOARD).mark == tray.shown(
                sitting
            )
        plays = [play for play, _tricks in tray.counted_plays]
        assert len(plays) == len(set(plays))
