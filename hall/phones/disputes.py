"""The boards for which the two sides of a table typed different scores (rules D2)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from boards.whist.seats import Side
from scoring.models import Agreement, Outcome, ResultVersion
from scoring.session_snapshot import SeatedTable, SessionSnapshot


@dataclass(frozen=True, slots=True)
class Dispute:
    """A board for which the two sides of its table typed different scores."""

    board_number: int
    table_label: str
    table_key: tuple[str, int]  # section and number of the table
    entered_values: tuple[tuple[str, str], ...]  # side and score: "9 – 4"
    sitting_pk: int
    mark: str  # the current result: "9"
    choices: tuple[tuple[str, str], ...]  # each score typed, with its mark: "9 – 4", "9"


def list_disputes(
    snapshot: SessionSnapshot, tables: Iterable[SeatedTable]
) -> tuple[Dispute, ...]:
    """Return the unconfirmed boards for which both sides typed different scores."""
    unconfirmed_plays_by_result = {
        result.pk: (table, board_number, result.mark)
        for table in tables
        for board_number in table.boards
        if (result := snapshot.find_result(table, board_number)) is not None
        and result.agreement == Agreement.AWAITED
    }
    scores_by_result: dict[int, dict[str, tuple[str, str]]] = {}
    for version in ResultVersion.objects.filter(
        result__in=unconfirmed_plays_by_result
    ).order_by("result", "number"):
        side_code = version.by.rpartition("/")[2]
        if side_code in list(Side) and version.outcome == Outcome.PLAYED:
            scores_by_result.setdefault(version.result_id, {})[side_code] = (
                _format_both_sides(*version.written_score.side_values),
                version.mark,
            )
    return tuple(
        _build_dispute(*unconfirmed_plays_by_result[result_pk], scores_by_side)
        for result_pk, scores_by_side in scores_by_result.items()
        if len(set(scores_by_side.values())) > 1
    )


def _build_dispute(
    table: SeatedTable,
    board_number: int,
    current_mark: str,
    scores_by_side: Mapping[str, tuple[str, str]],
) -> Dispute:
    ordered_sides = sorted(scores_by_side.items(), reverse=True)  # N-S first, as everywhere
    return Dispute(
        board_number=board_number,
        table_label=table.label,
        table_key=(table.section, table.table_number),
        entered_values=tuple(
            (Side(side_code).word, score_text)
            for side_code, (score_text, _mark) in ordered_sides
        ),
        sitting_pk=table.sitting_id,
        mark=current_mark,
        choices=tuple(choice for _side_code, choice in ordered_sides),
    )


def _format_both_sides(ns_value: int | None, ew_value: int | None) -> str:
    return f"{ns_value} – {ew_value}"
