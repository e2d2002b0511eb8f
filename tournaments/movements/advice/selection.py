"""The adviser's list: the best proposals of different kinds."""

from collections.abc import Sequence
from functools import lru_cache

from tournaments.movements.advice import weights
from tournaments.movements.advice.proposals import Proposal, is_by_the_book, list_proposals
from tournaments.movements.advice.suggestion import Suggestion
from tournaments.movements.advice.turnout import Turnout
from tournaments.movements.meetings import Contest

MAX_SUGGESTIONS = 8
ALWAYS_LISTED = 3  # the best are shown even if similar; then one of each kind comes first
MAX_OF_ONE_KIND = 2  # proposals of one kind, with different boards a round
# an entry has some hundred numbers and no texts
list_cached_proposals = lru_cache(maxsize=16)(list_proposals)
# proposals that cost this much more than the first are not shown
MAX_COST_DIFFERENCE = 3 * weights.UNIT


def list_suggestions(evening: Turnout) -> list[Suggestion]:
    """List the suggestions for an evening, best first; empty if none is within its limits.

    The usual limits are only exceeded if no proposal is within them.
    """
    proposals = list_cached_proposals(evening, usual=True) or list_cached_proposals(
        evening, usual=False
    )
    distinct_proposals = _drop_similar(proposals)
    return [
        _build_suggestion(evening, each, proposals)
        for each in _select_suggestions(distinct_proposals)
    ]


def _drop_similar(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Keep the best of proposals that differ only in rounds, or only in boards a round.

    A match of teams has a fixed number of rounds, so its proposals differ only in the boards.
    """
    best: dict[object, Proposal] = {}
    for each in proposals:
        best.setdefault((each.kind, each.boards_a_round), each)
    distinct_proposals: list[Proposal] = []
    lengths: dict[object, list[int]] = {}
    for each in best.values():
        same_kind = lengths.setdefault(each.kind, [])
        teams = each.shapes[0].figures.contest is Contest.TEAMS
        if len(same_kind) < MAX_OF_ONE_KIND and (teams or each.rounds not in same_kind):
            same_kind.append(each.rounds)
            distinct_proposals.append(each)
    return distinct_proposals


def _select_suggestions(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the best eight, including one for each number of winners and one by the book."""
    if not proposals:
        return []
    close_proposals = [
        each for each in proposals if each.cost <= proposals[0].cost + MAX_COST_DIFFERENCE
    ]
    first_of_kinds = {each.kind: each for each in reversed(close_proposals)}
    ordered = [
        *close_proposals[:ALWAYS_LISTED],
        *sorted(first_of_kinds.values(), key=close_proposals.index),
        *close_proposals,
    ]
    selected = list({id(each): each for each in ordered}.values())[:MAX_SUGGESTIONS]
    required = [next((each for each in proposals if each.winners == n), None) for n in (1, 2)]
    required.append(next((each for each in close_proposals if is_by_the_book(each)), None))
    for each in required:
        if each is not None and not any(each is other for other in selected):
            _drop_last_optional(selected, required)
            selected.append(each)
    order = {id(each): number for number, each in enumerate(proposals)}
    return sorted(selected, key=lambda each: order[id(each)])


def _drop_last_optional(selected: list[Proposal], required: Sequence[Proposal | None]) -> None:
    if len(selected) < MAX_SUGGESTIONS:
        return
    required_ids = {id(each) for each in required}
    last = max(index for index, each in enumerate(selected) if id(each) not in required_ids)
    del selected[last]


def _build_suggestion(
    evening: Turnout, proposal: Proposal, proposals: Sequence[Proposal]
) -> Suggestion:
    key = (proposal.kind, proposal.boards_a_round)
    rounds = [
        each.rounds
        for each in proposals
        if (each.kind, each.boards_a_round) == key and each.rounds < proposal.rounds
    ]
    return Suggestion(evening, proposal, max(rounds, default=0))
