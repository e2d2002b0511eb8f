"""The adviser's list: a few of the best proposals for an evening, of different kinds."""

from collections.abc import Sequence
from functools import lru_cache

from tournaments.movements.advice import weights
from tournaments.movements.advice.proposals import Proposal, is_by_the_book, list_proposals
from tournaments.movements.advice.suggestion import Suggestion
from tournaments.movements.advice.turnout import Turnout
from tournaments.movements.meetings import Contest

MAX_SUGGESTIONS = 8
ALWAYS_LISTED = 3  # the best, even if similar; after them first one of each kind
MAX_OF_ONE_KIND = 2  # of one kind, with different boards a round
list_cached_proposals = lru_cache(maxsize=16)(
    list_proposals
)  # some hundred numbers each, no texts
MAX_COST_DIFFERENCE = 3 * weights.UNIT  # more than the first costs: no one would play it


def list_suggestions(evening: Turnout) -> list[Suggestion]:
    """List the suggestions for an evening, best first; empty if none fits the given limits.

    The usual limits are exceeded only if no proposal is within them.
    """
    found = list_cached_proposals(evening, usual=True) or list_cached_proposals(
        evening, usual=False
    )
    kept = _drop_similar(found)
    return [_build_suggestion(evening, each, found) for each in _select_suggestions(kept)]


def _drop_similar(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the best of the proposals that differ only in rounds, or only in boards a round.

    A match of teams has a fixed number of rounds, so its proposals differ only in the boards.
    """
    best: dict[object, Proposal] = {}
    for each in proposals:
        best.setdefault((each.kind, each.boards_a_round), each)
    kept: list[Proposal] = []
    lengths: dict[object, list[int]] = {}
    for each in best.values():
        taken = lengths.setdefault(each.kind, [])
        teams = each.shapes[0].figures.contest is Contest.TEAMS
        if len(taken) < MAX_OF_ONE_KIND and (teams or each.rounds not in taken):
            taken.append(each.rounds)
            kept.append(each)
    return kept


def _select_suggestions(kept: Sequence[Proposal]) -> list[Proposal]:
    """Return the best eight, with one for each number of winners and one by the book."""
    if not kept:
        return []
    near = [each for each in kept if each.cost <= kept[0].cost + MAX_COST_DIFFERENCE]
    firsts = {each.kind: each for each in reversed(near)}
    ordered = [*near[:ALWAYS_LISTED], *sorted(firsts.values(), key=near.index), *near]
    chosen = list({id(each): each for each in ordered}.values())[:MAX_SUGGESTIONS]
    must = [next((each for each in kept if each.winners == n), None) for n in (1, 2)]
    must.append(next((each for each in near if is_by_the_book(each)), None))
    for each in must:
        if each is not None and not any(each is other for other in chosen):
            _drop_last_optional(chosen, must)
            chosen.append(each)
    order = {id(each): number for number, each in enumerate(kept)}
    return sorted(chosen, key=lambda each: order[id(each)])


def _drop_last_optional(chosen: list[Proposal], must: Sequence[Proposal | None]) -> None:
    if len(chosen) < MAX_SUGGESTIONS:
        return
    needed = {id(each) for each in must}
    last = max(at for at, each in enumerate(chosen) if id(each) not in needed)
    del chosen[last]


def _build_suggestion(
    evening: Turnout, chosen: Proposal, proposals: Sequence[Proposal]
) -> Suggestion:
    key = (chosen.kind, chosen.boards_a_round)
    rounds = [
        each.rounds
        for each in proposals
        if (each.kind, each.boards_a_round) == key and each.rounds < chosen.rounds
    ]
    return Suggestion(evening, chosen, max(rounds, default=0))
