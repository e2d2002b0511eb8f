"""The adviser's proposal of a Swiss event: its rounds, boards, copies and advantages."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.advice.turnout import compute_minutes
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME
from tournaments.movements.formatting import format_hours
from tournaments.swiss.plan import count_copies_needed

MIN_ENTRIES, MIN_TEAMS = 6, 8
MIN_ROUNDS, MAX_ROUNDS = 5, 8
USUAL_BOARD_RANGE = (20, 28)  # the usual minimum and maximum of boards that an entry plays
DEFAULT_EVENING_MINUTES = 210
MIN_TEAMS_FOR_SWISS = 13  # from this number of teams, no planned movement is better
MIN_TEAMS_FOR_SEVEN_ROUNDS = 33  # from this number, leaders need seven rounds to meet


@dataclass(frozen=True, slots=True)
class SwissProposal:
    """The proposal of a Swiss event."""

    rounds: int
    boards_a_round: int
    minutes: int
    copies: int
    boards: int  # the number of boards to prepare, in all copies
    is_first: bool  # whether no planned movement suits as well
    good_for: str
    against: str
    copies_solution: str  # advice if there are too few copies; "" if there are enough

    @property
    def hours(self) -> str:
        """The duration as text, such as "about 3 hours"."""
        return format_hours(self.minutes)

    def as_data(self) -> dict[str, Any]:
        """Return the proposal as plain data for the API."""
        return {name: getattr(self, name) for name in self.__slots__}


def build_swiss_row(
    contest_kind: str, entry_count: int, proposal: SwissProposal
) -> dict[str, Any]:
    """Return the proposal for the API, with the same fields as the adviser's movements."""
    sit_out_count = entry_count % 2
    played_board_count = proposal.rounds * proposal.boards_a_round
    return {
        "name": DRAWN_MOVEMENT_NAME,
        "title": _("Swiss"),
        "options": {},
        "rounds": proposal.rounds,
        "boards_a_round": proposal.boards_a_round,
        "minutes": proposal.minutes,
        "boards": played_board_count,
        "copies": proposal.copies,
        "same_boards": True,
        "plays": {
            "least": played_board_count - sit_out_count * proposal.boards_a_round,
            "most": played_board_count,
        },
        "sit_outs": sit_out_count,
        "meetings": {
            "met": proposal.rounds * (entry_count // 2),
            "possible": entry_count * (entry_count - 1) // 2,
        },
        "winners": 1,
        "stationary": 0,
        "cost": proposal.against,
        "good_for": proposal.good_for,
        "lacking": proposal.copies_solution,
    }


def format_swiss_proposal(proposal: SwissProposal) -> str:
    """Return the proposal as text, in the format of the adviser's other suggestions."""
    lines = [
        ngettext(
            "Swiss: %(rounds)s rounds of %(boards)s board, %(minutes)s minutes",
            "Swiss: %(rounds)s rounds of %(boards)s boards, %(minutes)s minutes",
            proposal.boards_a_round,
        )
        % {
            "rounds": proposal.rounds,
            "boards": proposal.boards_a_round,
            "minutes": proposal.minutes,
        },
        _("Good for %(good)s.") % {"good": proposal.good_for},
        _("Downside: %(against)s.") % {"against": proposal.against},
        proposal.copies_solution,
    ]
    return "\n   ".join(line for line in lines if line)


def propose_swiss(
    contest_kind: str, entry_count: int, limits: Mapping[str, Any]
) -> SwissProposal | None:
    """Return a proposal of Swiss rounds for pairs or teams; None if Swiss rounds do not suit.

    `limits` are those of the adviser, which the proposal never exceeds. Its key `sets` is
    the number of copies of the boards, by default 1.
    """
    is_team_contest = contest_kind == "teams"
    if contest_kind not in ("pairs", "teams"):
        return None
    if entry_count < (MIN_TEAMS if is_team_contest else MIN_ENTRIES):
        return None
    rounds_and_boards = next(
        iter(_iter_round_and_board_counts(is_team_contest, entry_count, limits)), None
    )
    if rounds_and_boards is None:
        return None
    round_count, boards_a_round = rounds_and_boards
    table_count = entry_count // 2 * (2 if is_team_contest else 1)
    copy_count = count_copies_needed(contest_kind, table_count, boards_a_round)
    return SwissProposal(
        rounds=round_count,
        boards_a_round=boards_a_round,
        minutes=compute_minutes(round_count, boards_a_round),
        copies=copy_count,
        boards=round_count * boards_a_round * copy_count,
        is_first=is_team_contest
        and entry_count >= MIN_TEAMS_FOR_SWISS
        and not limits.get("rounds"),
        good_for=_("opponents at your own level, with the leaders meeting at the end"),
        against=_(
            "each round waits for the scores of the one before, and opponents aren’t known "
            "in advance"
        ),
        copies_solution=_describe_missing_copies(
            copy_count, limits.get("sets") or 1, is_team_contest=is_team_contest
        ),
    )


def _iter_round_and_board_counts(
    is_team_contest: bool, entry_count: int, limits: Mapping[str, Any]
) -> Iterator[tuple[int, int]]:
    """Yield the numbers of rounds and boards that are within the limits, the best first."""
    preferred_counts = (
        7 if is_team_contest and entry_count >= MIN_TEAMS_FOR_SEVEN_ROUNDS else 6,
        4,
    )
    max_boards = limits.get("boards") or USUAL_BOARD_RANGE[1]
    min_boards = min(USUAL_BOARD_RANGE[0], max_boards)
    available_board_count = limits.get("boards_at_hand") or max_boards
    max_minutes = limits.get("minutes") or DEFAULT_EVENING_MINUTES
    requested_round_count = limits.get("rounds")
    round_counts = (
        [requested_round_count] if requested_round_count else range(MIN_ROUNDS, MAX_ROUNDS + 1)
    )
    fitting_counts = [
        (round_count, board_count)
        for round_count in round_counts
        for board_count in range(2, 9)
        if compute_minutes(round_count, board_count) <= max_minutes
        and round_count * board_count <= min(max_boards, available_board_count)
        and (round_count * board_count >= min_boards or round_count == requested_round_count)
        and 2 <= round_count < entry_count - entry_count % 2
        and not (is_team_contest and board_count % 2)
    ]
    distance_by_round_and_board_count = {
        counts: (abs(counts[0] - preferred_counts[0]) + abs(counts[1] - preferred_counts[1]))
        for counts in fitting_counts
    }
    yield from sorted(
        fitting_counts, key=lambda counts: (distance_by_round_and_board_count[counts], counts)
    )


def _describe_missing_copies(
    copy_count: int, available_copy_count: int, *, is_team_contest: bool
) -> str:
    if available_copy_count >= copy_count:
        return ""
    if is_team_contest:
        message = ngettext(
            "All tables play the same boards, so %(copies)s copies are "
            "needed. You have %(sets)s. Make copies, or use separate "
            "boards for each match.",
            "All tables play the same boards, so %(copies)s copies are "
            "needed. You have %(sets)s. Make copies, or use separate "
            "boards for each match.",
            available_copy_count,
        )
        return message % {"copies": copy_count, "sets": available_copy_count}
    message = ngettext(
        "All tables play the same boards, so %(copies)s copies are "
        "needed. You have %(sets)s. Make copies, or choose a "
        "movement that needs one set.",
        "All tables play the same boards, so %(copies)s copies are "
        "needed. You have %(sets)s. Make copies, or choose a "
        "movement that needs fewer.",
        available_copy_count,
    )
    return message % {"copies": copy_count, "sets": available_copy_count}
