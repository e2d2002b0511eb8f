"""The prizes of an event and their winners, from the standings last computed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from hashlib import sha256

from scoring.models import EventPrize
from scoring.reckoning.order import PlacedEntry, in_order, placed, strata_of, tags_of
from tournaments.models import Event
from tournaments.stages.prizes import Award, Prize, award_prizes, compute_payments
from tournaments.stages.strata import rank_strata

NO_PRIZE = "no prize"
"""The tag of an entry that may win no prize: it withdrew, or was disqualified."""
Line = tuple[int, int]


@dataclass(frozen=True, slots=True)
class PrizeGiving:
    """All prizes of an event and their winners; `lists` are the entries that may win."""

    prizes: tuple[EventPrize, ...]
    given: tuple[Award, ...]
    paid: Mapping[int, int]  # in cents, by the number of the entry; tied entries share
    lists: Mapping[str, Sequence[Line]]
    names: Mapping[int, str]


def ranking_of(rows: Sequence[PlacedEntry]) -> list[Line]:
    """Return all entries that played in one order over all fields, with shared ranks."""
    lines: list[Line] = []
    for shared in in_order([row for row in rows if row.boards]):
        rank = len(lines) + 1
        lines += [(rank, row.entry) for row in shared]
    return lines


def stratum_lists(event: Event, rows: Sequence[PlacedEntry]) -> dict[str, list[Line]]:
    """Return the ranking of each stratum with all lower ones, the highest first."""
    strata = strata_of(event)
    if not strata:
        return {}
    ranks = {entry: rank for rank, entry in ranking_of(rows)}
    scores = {entry: Fraction(-rank) for entry, rank in ranks.items()}
    names = [name for name, _least in event.strata.lines]
    order = {entry: at for at, (_rank, entry) in enumerate(ranking_of(rows))}
    found = rank_strata(scores, strata, names)
    return {
        name: sorted(lines, key=lambda line: (line[0], order[line[1]]))
        for name, lines in found.items()
    }


def prize_giving(event: Event) -> PrizeGiving:
    """Assign the prizes by the current standings; they are won only at the end."""
    prizes = tuple(event.prizes.all())
    rows = placed(event)
    tags = tags_of(event)
    barred = {number for number, words in tags.items() if NO_PRIZE in words}
    lists = {
        name: [line for line in lines if line[1] not in barred]
        for name, lines in _lists(event, rows, tags, {each.listed for each in prizes}).items()
    }
    asked = [Prize(each.name, each.listed, each.place, each.value) for each in prizes]
    given = award_prizes(asked, lists)
    return PrizeGiving(
        prizes=prizes,
        given=tuple(given),
        paid=compute_payments(given, lists),
        lists=lists,
        names={row.entry: row.name for row in rows},
    )


def _lists(
    event: Event,
    rows: Sequence[PlacedEntry],
    tags: Mapping[int, Collection[str]],
    wanted: Collection[str],
) -> dict[str, list[Line]]:
    everybody = ranking_of(rows)
    sides = {row.entry: row.side for row in rows}
    strata = stratum_lists(event, rows)
    found: dict[str, list[Line]] = {}
    for listed in sorted(wanted):
        kind, _colon, of = listed.partition(":")
        if kind == "stratum":
            found[listed] = strata.get(of, [])
        elif kind == "side":
            found[listed] = _among(everybody, {e for e, side in sides.items() if side == of})
        elif kind == "tag":
            mine = {entry for entry, words in tags.items() if of.casefold() in words}
            found[listed] = _among(everybody, mine)
        elif listed == "lot":
            found[listed] = _by_lot(everybody, str(event.uid))
        else:
            found[listed] = everybody
    return found


def _among(lines: Sequence[Line], mine: Collection[int]) -> list[Line]:
    """Return the ranking of some entries, with new ranks; shared ranks remain shared."""
    found: list[Line] = []
    last = 0
    for rank, entry in lines:
        if entry not in mine:
            continue
        again = found[-1][0] if found and rank == last else len(found) + 1
        found.append((again, entry))
        last = rank
    return found


def _by_lot(lines: Sequence[Line], seed: str) -> list[Line]:
    drawn = sorted(
        (entry for _rank, entry in lines),
        key=lambda entry: sha256(f"{seed}|{entry}".encode()).digest(),
    )
    return [(place, entry) for place, entry in enumerate(drawn, start=1)]
