"""Samples of a drawn round, without a database."""

from scoring.sheets.draws import DrawnMatch, DrawnRound, DrawnSeat
from scoring.sheets.victory_scale import ScaleSheet, build_scale_rows
from tests.scoring.papers import samples


def build_scale() -> ScaleSheet:
    """Return the scale of matches of four boards."""
    return ScaleSheet(samples.HEADING, 4, tuple(build_scale_rows("teams", 4)))


def build_rounds(entries: int) -> list[DrawnRound]:
    """Return one round of this many pairs; the last of an odd number sits out."""
    matches = tuple(
        DrawnMatch(
            str(number),
            2 * number - 1,
            f"Ada Pole {number}",
            2 * number,
            f"Ben Trist {number}",
            "By lot.",
        )
        for number in range(1, entries // 2 + 1)
    )
    sitting_out = ((entries, "Cy Wheelock", "The lowest who has not sat out."),) * (entries % 2)
    lines = [
        DrawnSeat(name, number, match.table, side, other, match.reason)
        for match in matches
        for name, number, side, other in (
            (match.ns_name, match.ns, "N-S", match.ew_name),
            (match.ew_name, match.ew, "E-W", match.ns_name),
        )
    ]
    lines += [
        DrawnSeat(name, number, "", "", "", reason) for number, name, reason in sitting_out
    ]
    return [
        DrawnRound(
            samples.HEADING, 3, "A", matches, tuple(lines), sitting_out, "seed", "0" * 64
        )
    ]
