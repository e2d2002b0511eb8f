"""QR codes as rows of dark and light modules; the only module that uses segno."""

from dataclasses import dataclass

import segno

QUIET_ZONE_MODULES = 4  # light modules round a code, required by ISO/IEC 18004


@dataclass(frozen=True, slots=True)
class QrCode:
    """A QR code: its rows of modules from the top, true for dark, without the quiet zone."""

    text: str
    rows: tuple[tuple[bool, ...], ...]

    @property
    def size(self) -> int:
        """The width in modules, with the quiet zone."""
        return len(self.rows) + 2 * QUIET_ZONE_MODULES

    @property
    def lines(self) -> list[str]:
        """The code as lines of text, white on black, with two rows of modules to a line."""
        wide = (False,) * (len(self.rows) + 2 * QUIET_ZONE_MODULES)
        side = (False,) * QUIET_ZONE_MODULES
        rows = (
            [wide] * QUIET_ZONE_MODULES
            + [side + row + side for row in self.rows]
            + [wide] * (QUIET_ZONE_MODULES + 1)
        )
        return [
            "".join("█▀▄ "[2 * upper + lower] for upper, lower in zip(one, two, strict=True))
            for one, two in zip(rows[0:-1:2], rows[1::2], strict=True)
        ]

    @property
    def path(self) -> str:
        """The dark modules as the path of an SVG of `size` units."""
        return "".join(
            f"M{start + QUIET_ZONE_MODULES} {line + QUIET_ZONE_MODULES}h{length}v1h-{length}z"
            for line, row in enumerate(self.rows)
            for start, length in find_dark_runs(row)
        )


def create_qr_code(text: str) -> QrCode:
    """Return the QR code of a text; it is readable with up to a quarter of it damaged."""
    made = segno.make(text, error="q", micro=False)
    return QrCode(text, tuple(tuple(bool(module) for module in row) for row in made.matrix))


def find_dark_runs(row: tuple[bool, ...]) -> list[tuple[int, int]]:
    """Return the start and the length of each dark run of a row."""
    found: list[tuple[int, int]] = []
    for place, dark in enumerate(row):
        if dark and found and sum(found[-1]) == place:
            found[-1] = found[-1][0], found[-1][1] + 1
        elif dark:
            found.append((place, 1))
    return found
