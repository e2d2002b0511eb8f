"""The demo club's whist drive in play and its finished rubber evening."""

from collections.abc import Sequence
from datetime import date as Date
from typing import Any

from django.utils.translation import gettext as _

from clubs.models import Club
from drives.draw.random_stream import RandomStream
from drives.models import Drive
from drives.scores.random_scores import simulate_scores
from drives.services import (
    NewPlayer,
    begin_next_round,
    create_drive,
    create_table_links,
    enter_sheet,
    set_prizes,
)
from drives.snapshot import load_drive_snapshot
from rubbers.rubber.hands import TRICKS_PER_HAND
from rubbers.services import (
    NewRubberPlayer,
    close_rubber_night,
    create_rubber_night,
    record_hand,
    seat_next_players,
)
from rubbers.snapshot import load_night
from server.models import User

DEMO_SECRET = b"the demo club"
ROUND_COUNT, HANDS_PER_ROUND, DEFAULT_ROUNDS_PLAYED = 6, 4, 3
MAX_HANDS = 60
"""The maximum number of hands in a demo rubber, to prevent an endless loop."""


def create_demo_drive(
    club: Club,
    player_names: Sequence[str],
    date: Date,
    by: User,
    *,
    played_round_count: int = DEFAULT_ROUNDS_PLAYED,
) -> Drive:
    """Create a whist drive in which the first `played_round_count` rounds have been played."""
    drive = create_drive(
        club=club,
        name=_("Tea-time drive"),
        date=date,
        form="social",
        players=[NewPlayer(name=name) for name in player_names],
        rounds=ROUND_COUNT,
        hands=HANDS_PER_ROUND,
        secret=DEMO_SECRET,
        by=by,
    )
    prizes: list[dict[str, Any]] = [
        {"words": _("Highest total"), "measure": "total-high"},
        {"words": _("Lowest total"), "measure": "total-low"},
        {"words": _("Raffle"), "measure": "raffle", "ties": "lot"},
    ]
    set_prizes(drive=drive, lines=prizes, by=by)
    create_table_links(drive=drive, by=by)
    for round_number in range(1, played_round_count + 1):
        _play_round(drive, by)
        if round_number < ROUND_COUNT:
            drive = begin_next_round(drive=drive, by=by)
    return drive


def _play_round(drive: Drive, by: User) -> None:
    """Enter a result for each table of the current round."""
    snapshot = load_drive_snapshot(drive)
    assert snapshot.current_round is not None  # the drive has begun
    for table_number in snapshot.current_round.seats_by_table:
        score, extra_points = simulate_scores(
            snapshot.scoring,
            RandomStream(DEMO_SECRET, "demo", snapshot.current_round.number, table_number),
        )
        enter_sheet(
            drive=drive,
            round_number=snapshot.current_round.number,
            table=table_number,
            score=score,
            extras=extra_points,
            by=by,
        )


def create_demo_rubbers(club: Club, player_names: Sequence[str], date: Date, by: User) -> None:
    """Create a finished evening of two rubbers at one table with five players.

    A draw decides who plays each rubber.
    """
    night = create_rubber_night(
        club=club,
        name=_("Rubbers by the fire"),
        date=date,
        code="pole",
        players=[NewRubberPlayer(name=name) for name in player_names],
        by=by,
    )
    random_stream = RandomStream(DEMO_SECRET, "demo", "rubbers")
    for spell_number in (1, 2):
        seat_next_players(night=night, table=1, spell=spell_number, seating_mode="lot", by=by)
        for hand_number in range(1, MAX_HANDS):
            made_tricks = 3 + random_stream.draw_integer(TRICKS_PER_HAND - 5)
            record_hand(
                night=night, table=1, spell=spell_number, number=hand_number,
                hand={"tricks": {"A": made_tricks, "B": TRICKS_PER_HAND - made_tricks}}, by=by,
            )  # fmt: skip
            if load_night(night).tables[0, 1].is_over:
                break
    close_rubber_night(night=night, by=by)
