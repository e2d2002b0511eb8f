"""QR codes as rows of dark and light modules; no other module uses segno."""

from dataclasses import dataclass

import segno

QUIET_ZONE_MODULES = 4  # the margin of light modules that ISO/IEC 18004 requires


@dataclass(frozen=True, slots=True)
class QrCode:
    """A QR code: rows of modules from the top, True for dark, without the quiet zone."""

    text: str
    rows: tuple[tuple[bool, ...], ...]

    @property
    def size(self) -> int:
        """The width in modules, with the quiet zone."""
        return len(self.rows) + 2 * QUIET_ZONE_MODULES

    @property
    def lines(self) -> list[str]:
        """The code as lines of text, white on black; each line has two rows of modules."""
        margin_row = (False,) * (len(self.rows) + 2 * QUIET_ZONE_MODULES)
        side_margin = (False,) * QUIET_ZONE_MODULES
        rows = (
            [margin_row] * QUIET_ZONE_MODULES
            + [side_margin + row + side_margin for row in self.rows]
            + [margin_row] * (QUIET_ZONE_MODULES + 1)
        )
        return [
            "".join(
                "█▀▄ "[2 * is_upper_dark + is_lower_dark]
                for is_upper_dark, is_lower_dark in zip(upper_row, lower_row, strict=True)
            )
            for upper_row, lower_row in zip(rows[0:-1:2], rows[1::2], strict=True)
        ]

    @property
    def path(self) -> str:
        """The dark modules as the path of an SVG of `size` units."""
        return "".join(
            f"M{run_start + QUIET_ZONE_MODULES} {row_index + QUIET_ZONE_MODULES}"
            f"h{length}v1h-{length}z"
            for row_index, row in enumerate(self.rows)
            for run_start, length in find_dark_runs(row)
        )


def create_qr_code(text: str) -> QrCode:
    """Return the QR code of a text, readable if up to a quarter of it is damaged."""
    segno_code = segno.make(text, error="q", micro=False)
    return QrCode(
        text, tuple(tuple(bool(module) for module in row) for row in segno_code.matrix)
    )


def find_dark_runs(row: tuple[bool, ...]) -> list[tuple[int, int]]:
    """Return the start and the length of each dark run of a row."""
    runs: list[tuple[int, int]] = []
    for index, is_dark in enumerate(row):
        if is_dark and runs and sum(runs[-1]) == index:
            runs[-1] = runs[-1][0], runs[-1][1] + 1
        elif is_dark:
            runs.append((index, 1))
    return runs
