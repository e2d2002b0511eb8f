"""The public standings of a few entries, read without the other entries."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoring.methods import METHODS
from scoring.models import Ranking
from scoring.secrecy import can_see_standings
from scoring.sheets.card_page import format_place
from scoring.standings_engine.scores import find_method
from server import formatting
from tournaments.models import Event, Session
from tournaments.movements.formatting import format_place_for_players


@dataclass(frozen=True, slots=True)
class OwnPlace:
    """One entry's place: its number, its seat's label, "4th of 7", and its formatted score."""

    entry: int
    label: str
    place: str
    score: str
    side: str  # "plus" or "minus" for a signed score, else ""


def load_own_places(event: Event, entries: Collection[int]) -> list[OwnPlace]:
    """Load the places of some entries, given by their numbers, in the given order.

    Empty while standings are hidden, or before any result counts in them.
    """
    ranking = Ranking.objects.filter(event=event).first()
    if ranking is None or not can_see_standings(event):
        return []
    rows = _load_public_rows(event, ranking)
    is_signed = METHODS[find_method(event).name].signed
    rows_by_entry = {
        row["entry"]: row for row in rows if row["entry"] in entries and row["boards"]
    }
    return [
        _build_own_place(rows_by_entry[entry], rows, is_signed=is_signed)
        for entry in entries
        if entry in rows_by_entry
    ]


def _load_public_rows(event: Event, ranking: Ranking) -> Sequence[Mapping[str, Any]]:
    """Return the public rows of the standings."""
    is_live = any(session.state == Session.State.OPEN for session in event.sessions.all())
    if is_live and ranking.public is not None:
        return list(ranking.public["rows"])
    names = ("section", "field", "label", "rank", "tied", "score", "boards")
    rows = ranking.standings.values("entry__number", *names)
    return [{**row, "entry": row["entry__number"]} for row in rows]


def _build_own_place(
    row: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], *, is_signed: bool
) -> OwnPlace:
    field = row["section"], row["field"]
    count = sum((each["section"], each["field"]) == field for each in rows)
    score = Fraction(row["score"])
    return OwnPlace(
        entry=row["entry"],
        label=format_place_for_players(row["label"]),
        place=format_place(row["rank"], count, tied=row["tied"]),
        score=formatting.format_signed(score) if is_signed else formatting.format_plain(score),
        side=("plus" if score > 0 else "minus") if is_signed and score else "",
    )
