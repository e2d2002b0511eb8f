"""A ladder as plain text and as a table of a spreadsheet."""

from exchange.sheets import Cell, Exact, Sheet
from seasons.ladders.sheets.ladders import LadderSheet
from server import formatting


def ladder_lines(sheet: LadderSheet) -> list[str]:
    """Write a ladder as lines of text."""
    widest = max((len(line.names) for line in sheet.lines), default=0)
    written = formatting.column((line.total for line in sheet.lines), sign=sheet.signed)
    lines = [f"{sheet.season}: {sheet.name}", sheet.rule]
    for line in sheet.lines:
        place, total = line.place or "–", written.write(line.total)
        lines.append(f"{place:>4}  {line.names:<{widest}}  {line.evenings:>3}  {total:>10}")
    return lines


def ladder_table(sheet: LadderSheet) -> Sheet:
    """Write a ladder as a table; the exact total stands beside the rounded one."""
    keys = ("rank", "tied", "who", "evenings", "counted", "needs", "value", "value_exact")
    rows: list[list[Cell]] = [
        [
            line.rank or None,
            "yes" if line.tied else "no",
            line.names,
            line.evenings,
            line.counted,
            line.needs,
            line.total,
            Exact(line.total),
        ]
        for line in sheet.lines
    ]
    return Sheet(name=sheet.name, keys=keys, rows=rows)
