"""The demo club's whist drive in play and its finished rubber evening."""

from collections.abc import Sequence
from datetime import date as Date
from typing import Any

from django.utils.translation import gettext as _

from clubs.models import Club
from drives.draw.random_stream import RandomStream
from drives.models import Drive
from drives.scores.random_scores import draw_scores
from drives.services import (
    NewPlayer,
    begin_next_round,
    create_drive,
    create_table_links,
    enter_sheet,
    set_prizes,
)
from drives.snapshot import load_drive
from rubbers.rubber.hands import TRICKS_PER_HAND
from rubbers.services import NewRubberPlayer, close_night, create_night, record_hand, seat_next
from rubbers.snapshot import load_night
from server.models import User

DEMO_SECRET = b"the demo club"
ROUNDS, HANDS, ROUNDS_PLAYED = 6, 4, 3
MAX_HANDS = 60
"""The maximum number of hands in a demo rubber, as a guard against an endless loop."""


def create_demo_drive(
    club: Club,
    names: Sequence[str],
    date: Date,
    by: User,
    *,
    rounds_played: int = ROUNDS_PLAYED,
) -> Drive:
    """Create a whist drive with half of its rounds played, or as many as given."""
    drive = create_drive(
        club=club,
        name=_("Tea-time drive"),
        date=date,
        form="social",
        players=[NewPlayer(name=name) for name in names],
        rounds=ROUNDS,
        hands=HANDS,
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
    for number in range(1, rounds_played + 1):
        _play_round(drive, by)
        if number < ROUNDS:
            drive = begin_next_round(drive=drive, by=by)
    return drive


def _play_round(drive: Drive, by: User) -> None:
    """Enter a result for each table of the current round."""
    held = load_drive(drive)
    assert held.current_round is not None  # the drive has begun
    for table in held.current_round.tables:
        score, extras = draw_scores(
            held.scoring, RandomStream(DEMO_SECRET, "demo", held.current_round.number, table)
        )
        enter_sheet(
            drive=drive, round_number=held.current_round.number, table=table, score=score,
            extras=extras, by=by,
        )  # fmt: skip


def create_demo_rubbers(club: Club, names: Sequence[str], date: Date, by: User) -> None:
    """Create a finished evening of two rubbers at one table with five players.

    A draw decides who plays each rubber.
    """
    night = create_night(
        club=club,
        name=_("Rubbers by the fire"),
        date=date,
        code="pole",
        players=[NewRubberPlayer(name=name) for name in names],
        by=by,
    )
    random_stream = RandomStream(DEMO_SECRET, "demo", "rubbers")
    for spell in (1, 2):
        seat_next(night=night, table=1, spell=spell, how="lot", by=by)
        for hand in range(1, MAX_HANDS):
            made_tricks = 3 + random_stream.draw_one_below(TRICKS_PER_HAND - 5)
            record_hand(
                night=night, table=1, spell=spell, number=hand,
                hand={"tricks": {"A": made_tricks, "B": TRICKS_PER_HAND - made_tricks}}, by=by,
            )  # fmt: skip
            if load_night(night).tables[0, 1].is_over:
                break
    close_night(night=night, by=by)
