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
from scoring.doubts.plausibility import ResultQuery
from scoring.secrecy import can_order_card_papers
from scoring.session_snapshot import SessionSnapshot
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class QueriedResult:
    """One queried result, with the text of its query."""

    sitting: int
    board: int
    where: str
    text: str
    typed: str
    swap: str  # "2", or "" if the other direction is not more likely


@dataclass(frozen=True, slots=True)
class RoundCorrection:
    """One correction that explains all queries of a table's round."""

    sitting: int
    text: str
    marks: tuple[tuple[int, str], ...]  # board and N-S tricks


@dataclass(frozen=True, slots=True)
class QueryRow:
    """The row below a queried result in the score grid."""

    queried: QueriedResult
    round: RoundCorrection | None  # the correction that settles its round, once a round

    @property
    def name(self) -> str:
        """The name of the result's input in the grid."""
        return f"r-{self.queried.sitting}-{self.queried.board}"

    @property
    def key(self) -> str:
        """The key that a response names: the sitting and the board."""
        return f"{self.queried.sitting}-{self.queried.board}"


@dataclass(frozen=True, slots=True)
class SessionQueries:
    """All queries of a session, and the corrections that settle whole rounds."""

    queried_results: tuple[QueriedResult, ...]
    rounds: tuple[RoundCorrection, ...]
    no_best_play_reason: str = ""  # why best play was not used although the cards are known

    @property
    def rows(self) -> dict[str, QueryRow]:
        """The queries by the names of their inputs; a round's correction is in one row only."""
        rounds = {
            round_correction.sitting: round_correction for round_correction in self.rounds
        }
        rows_with_corrections = (
            QueryRow(queried_result, rounds.pop(queried_result.sitting, None))
            for queried_result in self.queried_results
        )
        return {query_row.name: query_row for query_row in rows_with_corrections}


def list_session_queries(snapshot: SessionSnapshot, best: BestPlay | None) -> SessionQueries:
    """List the open queries of a session, and the corrections that settle a whole round.

    `best` is best play by board, or None for users who are not directors.
    """
    doubts = list_open_doubts(snapshot, best)
    return SessionQueries(
        tuple(build_queried_result(doubtful_result) for doubtful_result in doubts.results),
        tuple(
            build_round_correction(table_correction)
            for table_correction in doubts.round_corrections
        ),
        _describe_unchecked_results(snapshot.session, best),
    )


def _describe_unchecked_results(session: Session, best: BestPlay | None) -> str:
    boards = session.board_set
    if best is None or best or boards is None or not boards.made:
        return ""
    return solver.get_missing_text() if can_order_card_papers(session) else ""


def build_queried_result(doubt: DoubtfulResult) -> QueriedResult:
    """Build the query about a result."""
    return QueriedResult(
        sitting=doubt.table.sitting,
        board=doubt.board,
        where=_("Board %(board)s, round %(round)s, table %(table)s")
        % {"board": doubt.board, "round": doubt.table.round, "table": doubt.table.label},
        text=_format_query(doubt.typed, doubt.query, doubt.omitted_count),
        typed=str(doubt.typed),
        swap="" if doubt.query is None or doubt.query.swap is None else str(doubt.query.swap),
    )


def build_round_correction(round_correction: TableCorrection) -> RoundCorrection:
    """Build the proposal of a correction that explains a table's round."""
    marks = tuple((board, str(tricks)) for board, tricks in round_correction.correction.tricks)
    return RoundCorrection(
        round_correction.table.sitting, _format_round_correction(round_correction), marks
    )


def _format_query(typed_tricks: int, query: ResultQuery | None, omitted_count: int) -> str:
    """Return the queried score and the reason; the tricks of best play are never revealed.

    `omitted_count` counts the other tables whose own result is queried.
    """
    sentences = [_format_reason(typed_tricks, query)]
    if omitted_count:
        text = ngettext(
            "%(count)s other score on this board needs checking too.",
            "%(count)s other scores on this board need checking too.",
            omitted_count,
        )
        sentences.append(text % {"count": omitted_count})
    return " ".join(sentences)


def _format_reason(typed_tricks: int, query: ResultQuery | None) -> str:
    if query is None:
        return _("N-S %(typed)s? It was queried when entered.") % {"typed": typed_tricks}
    if query.expected_range is None:
        return _("N-S %(typed)s? The cards make it unlikely.") % {"typed": typed_tricks}
    lowest, highest = query.expected_range
    text = (
        _("N-S %(typed)s? %(count)s other tables made %(least)s.")
        if lowest == highest
        else _("N-S %(typed)s? %(count)s other tables made %(least)s–%(most)s.")
    )
    return text % {
        "typed": typed_tricks,
        "count": len(query.others),
        "least": lowest,
        "most": highest,
    }


def _format_round_correction(round_correction: TableCorrection) -> str:
    placeholders = {
        "round": round_correction.table.round,
        "table": round_correction.table.label,
    }
    board_text = _("%(tricks)s on board %(board)s")
    board_texts = [
        board_text % {"tricks": tricks, "board": board}
        for board, tricks in round_correction.correction.tricks
    ]
    if round_correction.correction.kind == "direction":
        text = _(
            "Round %(round)s, table %(table)s: N-S and E-W look swapped for the whole round"
        )
    else:
        text = _("Round %(round)s, table %(table)s: the boards look mixed up")
    return _("%(text)s. Correct N-S to %(tricks)s?") % {
        "text": text % placeholders,
        "tricks": ", ".join(board_texts),
    }
