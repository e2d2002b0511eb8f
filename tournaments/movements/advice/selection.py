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
    proposals = list_cached_proposals(
        evening, within_usual_limits=True
    ) or list_cached_proposals(evening, within_usual_limits=False)
    distinct_proposals = _drop_similar(proposals)
    return [
        _build_suggestion(evening, proposal, proposals)
        for proposal in _select_suggestions(distinct_proposals)
    ]


def _drop_similar(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Keep the best of proposals that differ only in rounds, or only in boards a round.

    A match of teams has a fixed number of rounds, so its proposals differ only in the boards.
    """
    best: dict[object, Proposal] = {}
    for proposal in proposals:
        best.setdefault((proposal.kind, proposal.boards_a_round), proposal)
    distinct_proposals: list[Proposal] = []
    lengths: dict[object, list[int]] = {}
    for proposal in best.values():
        same_kind = lengths.setdefault(proposal.kind, [])
        teams = proposal.shapes[0].figures.contest is Contest.TEAMS
        if len(same_kind) < MAX_OF_ONE_KIND and (teams or proposal.rounds not in same_kind):
            same_kind.append(proposal.rounds)
            distinct_proposals.append(proposal)
    return distinct_proposals


def _select_suggestions(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the best eight, including one for each number of winners and one by the book."""
    if not proposals:
        return []
    close_proposals = [
        proposal
        for proposal in proposals
        if proposal.cost <= proposals[0].cost + MAX_COST_DIFFERENCE
    ]
    first_of_kinds = {proposal.kind: proposal for proposal in reversed(close_proposals)}
    ordered = [
        *close_proposals[:ALWAYS_LISTED],
        *sorted(first_of_kinds.values(), key=close_proposals.index),
        *close_proposals,
    ]
    selected = list({id(proposal): proposal for proposal in ordered}.values())[:MAX_SUGGESTIONS]
    required = [
        next((proposal for proposal in proposals if proposal.winners == n), None)
        for n in (1, 2)
    ]
    required.append(
        next((proposal for proposal in close_proposals if is_by_the_book(proposal)), None)
    )
    for proposal in required:
        if proposal is not None and not any(proposal is other for other in selected):
            _drop_last_optional(selected, required)
            selected.append(proposal)
    order = {id(proposal): number for number, proposal in enumerate(proposals)}
    return sorted(selected, key=lambda proposal: order[id(proposal)])


def _drop_last_optional(selected: list[Proposal], required: Sequence[Proposal | None]) -> None:
    if len(selected) < MAX_SUGGESTIONS:
        return
    required_ids = {id(proposal) for proposal in required}
    last = max(
        index for index, proposal in enumerate(selected) if id(proposal) not in required_ids
    )
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
