"""The public standings of a few entries, read without the other entries."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from scoring.methods import METHODS_BY_NAME
from scoring.models import Ranking
from scoring.secrecy import can_see_standings
from scoring.sheets.card_page import format_place
from scoring.standings_engine.scores import find_scoring_method
from server import formatting
from tournaments.models import Event, Session
from tournaments.movements.formatting import format_place_for_players


@dataclass(frozen=True, slots=True)
class OwnRank:
    """One entry's place in the standings: "4th of 7", with the formatted score."""

    entry_number: int
    label: str
    rank_text: str
    score: str
    sign_class: str  # "plus" or "minus" for a signed score, else ""


def load_own_ranks(event: Event, entries: Collection[int]) -> list[OwnRank]:
    """Load the places of some entries, given by their numbers, in the given order.

    Empty while standings are hidden, or before any result counts in them.
    """
    ranking = Ranking.objects.filter(event=event).first()
    if ranking is None or not can_see_standings(event):
        return []
    standing_rows = _load_public_standing_rows(event, ranking)
    is_signed = METHODS_BY_NAME[find_scoring_method(event).name].is_signed
    row_by_entry = {
        standing_row["entry"]: standing_row
        for standing_row in standing_rows
        if standing_row["entry"] in entries and standing_row["boards"]
    }
    return [
        _build_own_rank(row_by_entry[entry_number], standing_rows, is_signed=is_signed)
        for entry_number in entries
        if entry_number in row_by_entry
    ]


def _load_public_standing_rows(event: Event, ranking: Ranking) -> Sequence[Mapping[str, Any]]:
    is_in_play = any(session.state == Session.State.OPEN for session in event.sessions.all())
    if is_in_play and ranking.public is not None:
        return list(ranking.public["rows"])
    field_names = ("section", "field", "label", "rank", "tied", "score", "boards")
    standing_rows = ranking.standings.values("entry__number", *field_names)
    return [
        {**standing_row, "entry": standing_row["entry__number"]}
        for standing_row in standing_rows
    ]


def _build_own_rank(
    standing_row: Mapping[str, Any],
    standing_rows: Sequence[Mapping[str, Any]],
    *,
    is_signed: bool,
) -> OwnRank:
    field_key = standing_row["section"], standing_row["field"]
    entry_count = sum(
        (standing_row["section"], standing_row["field"]) == field_key
        for standing_row in standing_rows
    )
    score = Fraction(standing_row["score"])
    return OwnRank(
        entry_number=standing_row["entry"],
        label=format_place_for_players(standing_row["label"]),
        rank_text=format_place(standing_row["rank"], entry_count, is_tied=standing_row["tied"]),
        score=formatting.format_signed(score) if is_signed else formatting.format_plain(score),
        sign_class=("plus" if score > 0 else "minus") if is_signed and score else "",
    )
