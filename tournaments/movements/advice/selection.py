"""Selects the proposals that the adviser lists: the best ones of each kind."""

from collections.abc import Sequence
from functools import lru_cache

from tournaments.movements.advice import weights
from tournaments.movements.advice.proposals import (
    Proposal,
    has_recommended_section_sizes,
    list_proposals,
)
from tournaments.movements.advice.suggestion import Suggestion
from tournaments.movements.advice.turnout import Turnout
from tournaments.movements.meetings import Contest

MAX_SUGGESTIONS = 8
MIN_LISTED_PROPOSALS = 3  # the best proposals are shown even if they are similar
MAX_PROPOSALS_PER_KIND = 2  # proposals of one kind differ only in rounds and boards a round
# A cached item is small: some hundred numbers and no texts.
list_cached_proposals = lru_cache(maxsize=16)(list_proposals)
# Proposals that cost this much more than the first are not shown.
MAX_COST_DIFFERENCE = 3 * weights.COST_UNIT


def list_suggestions(turnout: Turnout) -> list[Suggestion]:
    """List the suggestions for an evening, best first.

    Proposals beyond the usual limits are used only if there are none within them. The list is
    empty if no proposal fits the evening.
    """
    proposals = list_cached_proposals(
        turnout, should_fit_usual_limits=True
    ) or list_cached_proposals(turnout, should_fit_usual_limits=False)
    distinct_proposals = _drop_similar_proposals(proposals)
    return [
        _build_suggestion(turnout, proposal, proposals)
        for proposal in _select_proposals(distinct_proposals)
    ]


def _drop_similar_proposals(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return at most MAX_PROPOSALS_PER_KIND proposals of each kind, the best ones.

    Two proposals of a kind differ in both rounds and boards a round. A match of teams has a
    fixed number of rounds, so its proposals differ only in boards a round.
    """
    best_proposal_by_kind_and_boards: dict[object, Proposal] = {}
    for proposal in proposals:
        best_proposal_by_kind_and_boards.setdefault(
            (proposal.kind, proposal.boards_a_round), proposal
        )
    distinct_proposals: list[Proposal] = []
    round_counts_by_kind: dict[object, list[int]] = {}
    for proposal in best_proposal_by_kind_and_boards.values():
        round_counts_of_kind = round_counts_by_kind.setdefault(proposal.kind, [])
        is_team_event = proposal.section_options[0].statistics.contest is Contest.TEAMS
        if len(round_counts_of_kind) < MAX_PROPOSALS_PER_KIND and (
            is_team_event or proposal.round_count not in round_counts_of_kind
        ):
            round_counts_of_kind.append(proposal.round_count)
            distinct_proposals.append(proposal)
    return distinct_proposals


def _select_proposals(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Return the best eight, including one proposal for each number of winners.

    A proposal of similar cost whose sections all have at most seven tables is included too.
    """
    if not proposals:
        return []
    similar_cost_proposals = [
        proposal
        for proposal in proposals
        if proposal.cost <= proposals[0].cost + MAX_COST_DIFFERENCE
    ]
    best_proposal_by_kind = {
        proposal.kind: proposal for proposal in reversed(similar_cost_proposals)
    }
    candidates = [
        *similar_cost_proposals[:MIN_LISTED_PROPOSALS],
        *sorted(best_proposal_by_kind.values(), key=similar_cost_proposals.index),
        *similar_cost_proposals,
    ]
    selected_proposals = list({id(proposal): proposal for proposal in candidates}.values())[
        :MAX_SUGGESTIONS
    ]
    required_proposals = [
        next(
            (proposal for proposal in proposals if proposal.winner_count == winner_count), None
        )
        for winner_count in (1, 2)
    ]
    required_proposals.append(
        next(
            (
                proposal
                for proposal in similar_cost_proposals
                if has_recommended_section_sizes(proposal)
            ),
            None,
        )
    )
    for proposal in required_proposals:
        if proposal is not None and not any(
            proposal is selected_proposal for selected_proposal in selected_proposals
        ):
            _drop_last_optional_proposal(selected_proposals, required_proposals)
            selected_proposals.append(proposal)
    indexes_by_id = {id(proposal): index for index, proposal in enumerate(proposals)}
    return sorted(selected_proposals, key=lambda proposal: indexes_by_id[id(proposal)])


def _drop_last_optional_proposal(
    selected_proposals: list[Proposal], required_proposals: Sequence[Proposal | None]
) -> None:
    if len(selected_proposals) < MAX_SUGGESTIONS:
        return
    required_ids = {id(proposal) for proposal in required_proposals}
    last_index = max(
        index
        for index, proposal in enumerate(selected_proposals)
        if id(proposal) not in required_ids
    )
    del selected_proposals[last_index]


def _build_suggestion(
    turnout: Turnout, proposal: Proposal, proposals: Sequence[Proposal]
) -> Suggestion:
    kind_and_boards = (proposal.kind, proposal.boards_a_round)
    lower_round_counts = [
        other_proposal.round_count
        for other_proposal in proposals
        if (other_proposal.kind, other_proposal.boards_a_round) == kind_and_boards
        and other_proposal.round_count < proposal.round_count
    ]
    return Suggestion(turnout, proposal, max(lower_round_counts, default=0))
