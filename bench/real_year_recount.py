"""A year's ladders counted once more from what was typed, by rules of its own.

Evenings are scored here by the rules as they stand written (plus and minus against the mean of
a board, adjusted boards left out, penalties taken off), and given to the recount of ladders
that the tests have, which imports nothing of the program.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from io import StringIO
from typing import Any

PEOPLE = (
    *("Ann Abbot", "Ben Baker", "Cora Carr", "Dan Dale", "Eve Early", "Fred Ford", "Gina Gale"),
    *("Hal Hood", "Ida Innes", "Jack Judd", "Kate Kerr", "Leo Lamb", "Mia Mott", "Ned Nash"),
    *("Olga Orr", "Paul Pike", "Quin Quick", "Rose Rudd", "Sam Snow", "Tess Todd", "Ugo Usher"),
    *("Vera Vane", "Will Wood", "Xena Xu", "Yves York", "Zoe Zell", "Abel Ash", "Bea Birch"),
    *("Cyd Cole", "Dora Dunn"),
)
VISITORS = ("Abel Ash", "Bea Birch", "Cyd Cole", "Dora Dunn")
LADDERS: dict[str, dict[str, Any]] = {
    "Points": {
        "who": "players",
        "measure": "place",
        "points": ["8", "6", "4", "3", "2", "1"],
        "combine": "sum",
        "best": 20,
        "minimum": 5,
    },
    "Members": {
        "who": "players",
        "measure": "place",
        "points": ["4", "3", "2", "1"],
        "combine": "mean",
        "minimum": 8,
        "members_only": True,
        "close_ranks": True,
    },
    "Pairs": {"who": "pairs", "measure": "plus", "combine": "sum", "minimum": 1},
    "Beaten": {
        "who": "players",
        "measure": "beaten",
        "combine": "sum",
        "drop_from": 9,
        "drop_every": 2,
        "minimum": 3,
        "ties": ["singles", "played", "latest"],
    },
    "There": {"who": "players", "measure": "attendance", "combine": "sum", "minimum": 1},
}


@dataclass
class Seat:
    """One table in one round, as the room has it: who sits where with which boards."""

    id: int
    round: int
    table: int
    boards: list[int]
    ns: list[int]
    ew: list[int]


@dataclass
class Evening:
    """All that was typed of an evening."""

    slug: str
    contest: str
    day: date
    names: dict[int, list[str]] = field(default_factory=dict)
    seats: list[Seat] = field(default_factory=list)
    tricks: dict[tuple[int, int], int | None] = field(default_factory=dict)
    """N-S's tricks by sitting and board; None where an average was ruled."""
    penalties: dict[int, int] = field(default_factory=lambda: defaultdict(int))
    places: dict[str, int] = field(default_factory=dict)  # of a drive
    totals: dict[str, int] = field(default_factory=dict)


def compared(year: Sequence[Evening]) -> int:
    """Recount every ladder from what was typed; print and count the lines that differ."""
    from django.core.management import call_command

    from tests.seasons.ladders.recount import recount

    document = {
        "players": [
            {"id": name, "name": name, "member": name not in VISITORS} for name in PEOPLE
        ],
        "ladders": [{"slug": name.lower(), **rule} for name, rule in LADDERS.items()],
        "evenings": [_told_again(each) for each in year],
    }
    differing = 0
    for name in LADDERS:
        out = StringIO()
        words = ["season", "ladder", f"the-year/{name.lower()}", "--format", "json"]
        call_command(*words, stdout=out)
        found, wanted = json.loads(out.getvalue()), recount(document, name.lower())
        for part in ("rows", "unranked"):
            lines = {json.dumps(row, sort_keys=True) for row in found[part]}
            own = {json.dumps(row, sort_keys=True) for row in wanted[part]}
            for line in sorted(lines ^ own):
                differing += 1
                print("program" if line in lines else "recount", name, line)
    return differing


def _told_again(evening: Evening) -> dict[str, Any]:
    """An evening as the recount reads it, scored here."""
    row = {"slug": evening.slug, "date": evening.day.isoformat(), "contest": evening.contest}
    if evening.contest == "drive":
        entries = [
            {"players": [name], "score": str(total), "place": _place(total, evening.totals)}
            for name, total in evening.totals.items()
        ]
        return row | {"boards": 1, "entries": entries}
    plus, boards = _scored(evening)
    entries = []
    fields = _fields(evening)
    for number, names in evening.names.items():
        if not boards[number]:
            continue
        entries.append(
            {
                "players": names,
                "score": str(plus[number]),
                "boards": boards[number],
                "field": fields[number],
                "place": 1
                + sum(
                    plus[other] / boards[other] > plus[number] / boards[number]
                    for other in evening.names
                    if boards[other] and fields[other] == fields[number]
                ),
            }
        )
    return row | {"boards": max(boards.values()), "entries": entries}


def _place(total: int, totals: dict[str, int]) -> int:
    return 1 + sum(other > total for other in totals.values())


def _fields(evening: Evening) -> dict[int, str]:
    """Two fields where nobody has changed sides, else one."""
    sides: dict[int, set[str]] = defaultdict(set)
    for seat in evening.seats:
        for side, entries in (("NS", seat.ns), ("EW", seat.ew)):
            for number in entries:
                sides[number].add(side)
    two = evening.contest == "pairs" and all(len(each) == 1 for each in sides.values())
    return {number: "".join(sides[number]) if two else "" for number in evening.names}


def _scored(evening: Evening) -> tuple[dict[int, Fraction], dict[int, int]]:
    """Everybody's plus against the mean of each board, and how many boards they had."""
    seats = {each.id: each for each in evening.seats}
    plus: dict[int, Fraction] = defaultdict(Fraction)
    boards: dict[int, int] = defaultdict(int)
    at: dict[int, list[tuple[Seat, int | None]]] = defaultdict(list)
    for (sitting, board), tricks in evening.tricks.items():
        at[board].append((seats[sitting], tricks))
    for rows in at.values():
        made = [tricks for _seat, tricks in rows if tricks is not None]
        mean = Fraction(sum(made), len(made)) if made else Fraction()
        if evening.contest == "teams":
            mean = Fraction(13, 2)
        for seat, tricks in rows:
            above = Fraction() if tricks is None else tricks - mean
            for sign, number in [*((1, n) for n in seat.ns), *((-1, n) for n in seat.ew)]:
                plus[number] += sign * above
                boards[number] += 1
    for number, amount in evening.penalties.items():
        plus[number] -= amount
    return plus, boards
