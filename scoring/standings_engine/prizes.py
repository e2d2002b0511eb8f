"""The prizes of an event and their winners, from the standings last computed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

from scoring.models import EventPrize
from scoring.standings_engine.overall_order import (
    PlacedEntry,
    group_by_place,
    load_placed_entries,
    load_strata,
    load_tags,
)
from tournaments.models import Event
from tournaments.stages.prizes import Award, Prize, award_prizes, compute_payments
from tournaments.stages.strata import rank_strata

NO_PRIZE_TAG = "no prize"
"""The tag of an entry that cannot win a prize, because it withdrew or was disqualified."""
Line = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PrizeGiving:
    """All prizes of an event with their winners; `eligible_entries` has the ranking for each
    list.
    """

    prizes: tuple[EventPrize, ...]
    awards: tuple[Award, ...]
    paid: Mapping[int, int]  # in cents, by the number of the entry; tied entries share
    eligible_entries: Mapping[str, Sequence[Line]]
    names: Mapping[int, str]


def rank_overall(rows: Sequence[PlacedEntry]) -> list[Line]:
    """Return all entries that played in one ranking across all fields, with shared ranks."""
    lines: list[Line] = []
    for shared in group_by_place([row for row in rows if row.boards]):
        rank = len(lines) + 1
        lines += [(rank, row.entry) for row in shared]
    return lines


def rank_by_stratum(event: Event, rows: Sequence[PlacedEntry]) -> dict[str, list[Line]]:
    """Return the ranking of each stratum, which includes all lower strata, highest stratum
    first.
    """
    strata = load_strata(event)
    if not strata:
        return {}
    ranks = {entry: rank for rank, entry in rank_overall(rows)}
    scores = {entry: Fraction(-rank) for entry, rank in ranks.items()}
    names = [name for name, _least in event.strata.lines]
    order = {entry: at for at, (_rank, entry) in enumerate(rank_overall(rows))}
    found = rank_strata(scores, strata, names)
    return {
        name: sorted(lines, key=lambda line: (line[0], order[line[1]]))
        for name, lines in found.items()
    }


def assign_prizes(event: Event) -> PrizeGiving:
    """Assign the prizes by the current standings; the result is provisional until the event
    ends.
    """
    prizes = tuple(event.prizes.all())
    rows = load_placed_entries(event)
    tags = load_tags(event)
    barred = {number for number, words in tags.items() if NO_PRIZE_TAG in words}
    lists = {
        name: [line for line in lines if line[1] not in barred]
        for name, lines in _build_prize_lists(
            event, rows, tags, {each.listed for each in prizes}
        ).items()
    }
    asked = [Prize(each.name, each.listed, each.place, each.value) for each in prizes]
    given = award_prizes(asked, lists)
    return PrizeGiving(
        prizes=prizes,
        awards=tuple(given),
        paid=compute_payments(given, lists),
        eligible_entries=lists,
        names={row.entry: row.name for row in rows},
    )


def _build_prize_lists(
    event: Event,
    rows: Sequence[PlacedEntry],
    tags: Mapping[int, Collection[str]],
    wanted: Collection[str],
) -> dict[str, list[Line]]:
    everybody = rank_overall(rows)
    sides = {row.entry: row.side for row in rows}
    strata = rank_by_stratum(event, rows)
    found: dict[str, list[Line]] = {}
    for listed in sorted(wanted):
        kind, _colon, of = listed.partition(":")
        if kind == "stratum":
            found[listed] = strata.get(of, [])
        elif kind == "side":
            found[listed] = _rank_among(
                everybody, {e for e, side in sides.items() if side == of}
            )
        elif kind == "tag":
            mine = {entry for entry, words in tags.items() if of.casefold() in words}
            found[listed] = _rank_among(everybody, mine)
        elif listed == "lot":
            found[listed] = _order_by_lot(everybody, str(event.uid))
        else:
            found[listed] = everybody
    return found


def _rank_among(lines: Sequence[Line], mine: Collection[int]) -> list[Line]:
    """Return a new ranking of some entries; entries that shared a rank still share one."""
    found: list[Line] = []
    last = 0
    for rank, entry in lines:
        if entry not in mine:
            continue
        again = found[-1][0] if found and rank == last else len(found) + 1
        found.append((again, entry))
        last = rank
    return found


def _order_by_lot(lines: Sequence[Line], seed: str) -> list[Line]:
    drawn = sorted(
        (entry for _rank, entry in lines),
        key=lambda entry: sha256(f"{seed}|{entry}".encode()).digest(),
    )
    return [(place, entry) for place, entry in enumerate(drawn, start=1)]
