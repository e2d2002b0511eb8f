"""The demo club's events without trays: a whist drive in play and a finished rubber night."""

from collections.abc import Sequence
from datetime import date as Date
from typing import Any

from django.utils.translation import gettext as _

from clubs.models import Club
from drives.draw.chance import Chance
from drives.held import read_drive
from drives.models import Drive
from drives.scores.plausible import made_up
from drives.services import (
    NewPlayer,
    begin_drive,
    enter_sheet,
    make_table_links,
    next_round,
    set_prizes,
)
from rubbers.held import read_night
from rubbers.rubber.hands import TRICKS
from rubbers.services import Guest, begin_rubbers, close_rubbers, mark_hand, seat_next
from server.models import User

SECRET = b"the demo club"
ROUNDS, HANDS, ROUNDS_PLAYED = 6, 4, 3
MOST_HANDS = 60
"""A guard against an endless loop; a rubber has far fewer hands."""


def make_demo_drive(club: Club, names: Sequence[str], date: Date, by: User) -> Drive:
    """Create a drive that is half played, with two sit-outs a round if the names require it."""
    drive = begin_drive(
        club=club,
        name=_("Tea-time drive"),
        date=date,
        form="social",
        players=[NewPlayer(name=name) for name in names],
        rounds=ROUNDS,
        hands=HANDS,
        secret=SECRET,
        by=by,
    )
    prizes: list[dict[str, Any]] = [
        {"words": _("Highest total"), "measure": "total-high"},
        {"words": _("Lowest total"), "measure": "total-low"},
        {"words": _("Raffle"), "measure": "raffle", "ties": "lot"},
    ]
    set_prizes(drive=drive, lines=prizes, by=by)
    make_table_links(drive=drive, by=by)
    for _round in range(ROUNDS_PLAYED):
        drive = _play(drive, by)
    return drive


def _play(drive: Drive, by: User) -> Drive:
    """Enter a result for each table of the current round, and call the next round."""
    held = read_drive(drive)
    assert held.at is not None  # the drive has begun
    for table in held.at.tables:
        score, extras = made_up(held.scoring, Chance(SECRET, "demo", held.at.number, table))
        enter_sheet(
            drive=drive, round_number=held.at.number, table=table, score=score,
            extras=extras, by=by,
        )  # fmt: skip
    return next_round(drive=drive, by=by)


def make_demo_rubbers(club: Club, names: Sequence[str], date: Date, by: User) -> None:
    """Create a finished night of five at one table: two rubbers, with cuts by lot."""
    night = begin_rubbers(
        club=club,
        name=_("Rubbers by the fire"),
        date=date,
        code="pole",
        players=[Guest(name=name) for name in names],
        by=by,
    )
    chance = Chance(SECRET, "demo", "rubbers")
    for spell in (1, 2):
        seat_next(night=night, table=1, spell=spell, how="lot", by=by)
        for hand in range(1, MOST_HANDS):
            made = 3 + chance.one_below(TRICKS - 5)
            mark_hand(
                night=night, table=1, spell=spell, number=hand,
                hand={"tricks": {"A": made, "B": TRICKS - made}}, by=by,
            )  # fmt: skip
            if read_night(night).tables[0, 1].is_over:
                break
    close_rubbers(night=night, by=by)
