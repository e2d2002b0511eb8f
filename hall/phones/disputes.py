"""Boards of which the two sides of a table have typed different scores (rules D2)."""

from collections.abc import Iterable
from dataclasses import dataclass

from boards.whist.seats import Side
from scoring.models import Agreement, Outcome, ResultVersion
from scoring.sittings import SeatedSession, SeatedTable


@dataclass(frozen=True, slots=True)
class Disputed:
    """A board of which its table's sides have typed different scores."""

    board: int
    table: str
    at: tuple[str, int]  # its section and its number
    said: tuple[tuple[str, str], ...]  # who, and what: "9 – 4"


def disputed(found: SeatedSession, tables: Iterable[SeatedTable]) -> tuple[Disputed, ...]:
    """The boards that wait for a yes, and of which both sides have typed something else."""
    waiting = {
        result.pk: (table, board)
        for table in tables
        for board in table.boards
        if (result := found.result(table, board)) is not None
        and result.agreement == Agreement.AWAITED
    }
    typed: dict[int, dict[str, tuple[int | None, int | None]]] = {}
    for each in ResultVersion.objects.filter(result__in=waiting).order_by("result", "number"):
        by = each.by.rpartition("/")[2]
        if by in list(Side) and each.outcome == Outcome.PLAYED:
            typed.setdefault(each.result_id, {})[by] = each.written.both
    return tuple(
        Disputed(
            board=waiting[result][1],
            table=waiting[result][0].label,
            at=(waiting[result][0].section, waiting[result][0].table),
            said=tuple((Side(by).word, _both(*said)) for by, said in sorted(sides.items())),
        )
        for result, sides in typed.items()
        if len(set(sides.values())) > 1
    )


def _both(ns: int | None, ew: int | None) -> str:
    return f"{ns} – {ew}"
