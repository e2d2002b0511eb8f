"""The queries about implausible results, as short questions to the director or scorer.

A result is queried if best play or the results of other tables make it unlikely.
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards import solver
from scoring.doubts.open_doubts import (
    BestPlay,
    DoubtfulResult,
    TableCorrection,
    list_open_doubts,
)
from scoring.doubts.plausibility import ResultDoubt
from scoring.secrecy import can_order_card_papers
from scoring.session_snapshot import SessionSnapshot
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class QueriedResult:
    """One queried result, with the text of its query."""

    sitting_id: int
    board_number: int
    location: str
    text: str
    typed_tricks: str
    swapped_tricks: str  # N-S tricks if the sides were mixed up; "" if unlikely


@dataclass(frozen=True, slots=True)
class RoundCorrection:
    """One correction that would settle all queries of a table's round."""

    sitting_id: int
    text: str
    corrected_marks: tuple[tuple[int, str], ...]  # board and N-S tricks


@dataclass(frozen=True, slots=True)
class DoubtRow:
    """The row below a queried result in the score grid."""

    queried_result: QueriedResult
    # The correction of the whole round; only one row of each round has it.
    round_correction: RoundCorrection | None

    @property
    def name(self) -> str:
        """The name of the input field of the result in the grid."""
        return f"r-{self.queried_result.sitting_id}-{self.queried_result.board_number}"

    @property
    def key(self) -> str:
        """The key of the result in a response: the sitting and the board."""
        return f"{self.queried_result.sitting_id}-{self.queried_result.board_number}"


@dataclass(frozen=True, slots=True)
class SessionDoubts:
    """All queries of a session, and the corrections that settle whole rounds."""

    queried_results: tuple[QueriedResult, ...]
    round_corrections: tuple[RoundCorrection, ...]
    no_best_play_reason: str = ""  # why best play was not used although the cards are known

    @property
    def rows(self) -> dict[str, DoubtRow]:
        """The queries by the name of the input field; only one row has a round's correction."""
        corrections_by_sitting = {
            round_correction.sitting_id: round_correction
            for round_correction in self.round_corrections
        }
        doubt_rows = (
            DoubtRow(
                queried_result, corrections_by_sitting.pop(queried_result.sitting_id, None)
            )
            for queried_result in self.queried_results
        )
        return {doubt_row.name: doubt_row for doubt_row in doubt_rows}


def list_session_doubts(snapshot: SessionSnapshot, best_play: BestPlay | None) -> SessionDoubts:
    """List the open queries of a session, and the corrections that settle a whole round.

    `best_play` is best play by board, or None for users who are not directors.
    """
    open_doubts = list_open_doubts(snapshot, best_play)
    return SessionDoubts(
        tuple(
            build_queried_result(doubtful_result)
            for doubtful_result in open_doubts.doubtful_results
        ),
        tuple(
            build_round_correction(table_correction)
            for table_correction in open_doubts.round_corrections
        ),
        _explain_missing_best_play(snapshot.session, best_play),
    )


def _explain_missing_best_play(session: Session, best_play: BestPlay | None) -> str:
    board_set = session.board_set
    if best_play is None or best_play or board_set is None or not board_set.made:
        return ""
    return solver.get_missing_solver_message() if can_order_card_papers(session) else ""


def build_queried_result(doubtful_result: DoubtfulResult) -> QueriedResult:
    """Build the query about a result."""
    return QueriedResult(
        sitting_id=doubtful_result.table.sitting_id,
        board_number=doubtful_result.board_number,
        location=_("Board %(board)s, round %(round)s, table %(table)s")
        % {
            "board": doubtful_result.board_number,
            "round": doubtful_result.table.round,
            "table": doubtful_result.table.label,
        },
        text=_format_doubt(
            doubtful_result.typed_tricks,
            doubtful_result.result_doubt,
            doubtful_result.omitted_table_count,
        ),
        typed_tricks=str(doubtful_result.typed_tricks),
        swapped_tricks=""
        if doubtful_result.result_doubt is None
        or doubtful_result.result_doubt.swapped_tricks is None
        else str(doubtful_result.result_doubt.swapped_tricks),
    )


def build_round_correction(table_correction: TableCorrection) -> RoundCorrection:
    """Build the proposal of a correction that explains a table's round."""
    corrected_marks = tuple(
        (board_number, str(tricks))
        for board_number, tricks in table_correction.round_correction.boards_and_tricks
    )
    return RoundCorrection(
        table_correction.table.sitting_id,
        _format_round_correction(table_correction),
        corrected_marks,
    )


def _format_doubt(
    typed_tricks: int, result_doubt: ResultDoubt | None, omitted_count: int
) -> str:
    """Return the queried score and the reason; the tricks of best play are never revealed.

    `omitted_count` counts the other tables whose own result is queried.
    """
    sentences = [_format_reason(typed_tricks, result_doubt)]
    if omitted_count:
        template = ngettext(
            "%(count)s other score on this board needs checking too.",
            "%(count)s other scores on this board need checking too.",
            omitted_count,
        )
        sentences.append(template % {"count": omitted_count})
    return " ".join(sentences)


def _format_reason(typed_tricks: int, result_doubt: ResultDoubt | None) -> str:
    if result_doubt is None:
        return _("N-S %(typed)s? It was queried when entered.") % {"typed": typed_tricks}
    if result_doubt.expected_range is None:
        return _("N-S %(typed)s? The cards make it unlikely.") % {"typed": typed_tricks}
    lowest_expected_tricks, highest_expected_tricks = result_doubt.expected_range
    template = (
        _("N-S %(typed)s? %(count)s other tables made %(least)s.")
        if lowest_expected_tricks == highest_expected_tricks
        else _("N-S %(typed)s? %(count)s other tables made %(least)s–%(most)s.")
    )
    return template % {
        "typed": typed_tricks,
        "count": len(result_doubt.other_tricks),
        "least": lowest_expected_tricks,
        "most": highest_expected_tricks,
    }


def _format_round_correction(table_correction: TableCorrection) -> str:
    placeholders = {
        "round": table_correction.table.round,
        "table": table_correction.table.label,
    }
    board_template = _("%(tricks)s on board %(board)s")
    board_texts = [
        board_template % {"tricks": tricks, "board": board_number}
        for board_number, tricks in table_correction.round_correction.boards_and_tricks
    ]
    if table_correction.round_correction.mistake_kind == "direction":
        round_template = _(
            "Round %(round)s, table %(table)s: N-S and E-W look swapped for the whole round"
        )
    else:
        round_template = _("Round %(round)s, table %(table)s: the boards look mixed up")
    return _("%(text)s. Correct N-S to %(tricks)s?") % {
        "text": round_template % placeholders,
        "tricks": ", ".join(board_texts),
    }
