"""The adviser's list: the few best and most different of all ways to play an evening."""

from collections.abc import Sequence
from functools import lru_cache

from tournaments.movements.advice import weights
from tournaments.movements.advice.fields import Proposal, is_by_the_book, proposals
from tournaments.movements.advice.suggestion import Suggestion
from tournaments.movements.advice.turnout import Turnout
from tournaments.movements.meetings import Contest

LONGEST_LIST = 8
CERTAIN = 3  # the best, even if similar; after them first one of each kind
ALIKE = 2  # of one kind, with different boards a round
_proposals = lru_cache(maxsize=16)(proposals)  # some hundred numbers each, no texts
FAR_WORSE = 3 * weights.UNIT  # more than the first costs: no one would play it


def listed_for(evening: Turnout) -> list[Suggestion]:
    """List the ways to play an evening, best first; empty if none fits the given limits.

    The usual limits are exceeded only where no way is within them.
    """
    found = _proposals(evening, usual=True) or _proposals(evening, usual=False)
    kept = _unlike(found)
    return [_suggestion(evening, each, found) for each in _shortened(kept)]


def _unlike(found: Sequence[Proposal]) -> list[Proposal]:
    """Return the best of those that differ only in rounds, or only in boards a round.

    A match of teams is played whole, so its proposals can differ only in the boards.
    """
    best: dict[object, Proposal] = {}
    for each in found:
        best.setdefault((each.kind, each.boards_a_round), each)
    kept: list[Proposal] = []
    lengths: dict[object, list[int]] = {}
    for each in best.values():
        taken = lengths.setdefault(each.kind, [])
        teams = each.shapes[0].figures.contest is Contest.TEAMS
        if len(taken) < ALIKE and (teams or each.rounds not in taken):
            taken.append(each.rounds)
            kept.append(each)
    return kept


def _shortened(kept: Sequence[Proposal]) -> list[Proposal]:
    """Return the best eight, with a choice of winners, and sections as in the book of rules."""
    if not kept:
        return []
    near = [each for each in kept if each.cost <= kept[0].cost + FAR_WORSE]
    firsts = {each.kind: each for each in reversed(near)}
    ordered = [*near[:CERTAIN], *sorted(firsts.values(), key=near.index), *near]
    chosen = list({id(each): each for each in ordered}.values())[:LONGEST_LIST]
    must = [next((each for each in kept if each.winners == n), None) for n in (1, 2)]
    must.append(next((each for each in near if is_by_the_book(each)), None))
    for each in must:
        if each is not None and not any(each is other for other in chosen):
            _make_room(chosen, must)
            chosen.append(each)
    order = {id(each): number for number, each in enumerate(kept)}
    return sorted(chosen, key=lambda each: order[id(each)])


def _make_room(chosen: list[Proposal], must: Sequence[Proposal | None]) -> None:
    if len(chosen) < LONGEST_LIST:
        return
    needed = {id(each) for each in must}
    last = max(at for at, each in enumerate(chosen) if id(each) not in needed)
    del chosen[last]


def _suggestion(evening: Turnout, chosen: Proposal, found: Sequence[Proposal]) -> Suggestion:
    key = (chosen.kind, chosen.boards_a_round)
    rounds = [
        each.rounds
        for each in found
        if (each.kind, each.boards_a_round) == key and each.rounds < chosen.rounds
    ]
    return Suggestion(evening, chosen, max(rounds, default=0))
