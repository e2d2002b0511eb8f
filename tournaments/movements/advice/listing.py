"""Which of all the ways to play an evening stand in the list: few, and unlike each other."""

from collections.abc import Sequence
from functools import lru_cache

from tournaments.movements.advice import weights
from tournaments.movements.advice.fields import Proposal, is_by_the_book, proposals
from tournaments.movements.advice.suggestion import Suggestion
from tournaments.movements.advice.turnout import Turnout
from tournaments.movements.meetings import Contest

LONGEST_LIST = 8
CERTAIN = 3  # the best of all, however alike; after them one of each kind first
ALIKE = 2  # of one kind, with different boards a round
_proposals = lru_cache(maxsize=16)(proposals)  # some hundred figures each, and no words
FAR_WORSE = 3 * weights.UNIT  # behind the first: nobody would play it


def listed_for(evening: Turnout) -> list[Suggestion]:
    """List the ways to play an evening, the best first; nothing where none fits what is given.

    The usual limits are broken only where nothing keeps them.
    """
    found = _proposals(evening, usual=True) or _proposals(evening, usual=False)
    kept = _unlike(found)
    return [_suggestion(evening, each, found) for each in _shortened(kept)]


def _unlike(found: Sequence[Proposal]) -> list[Proposal]:
    """The best of those that differ in their rounds only, or in their boards only.

    A match of teams is played whole, so that of it only the boards can differ.
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
    """The best eight, with a choice of winners, and sections as the book has them."""
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
