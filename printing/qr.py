"""QR codes as rows of dark and light modules: the only door to segno."""

from dataclasses import dataclass

import segno

QUIET = 4  # light modules round a code, as ISO/IEC 18004 asks for


@dataclass(frozen=True, slots=True)
class Code:
    """One code: its rows of modules from the top, true for dark, the quiet zone left out."""

    text: str
    rows: tuple[tuple[bool, ...], ...]

    @property
    def size(self) -> int:
        """How many modules it is wide with its quiet zone."""
        return len(self.rows) + 2 * QUIET

    @property
    def lines(self) -> list[str]:
        """The code as lines of text, white on black, two rows of modules to a line."""
        wide = (False,) * (len(self.rows) + 2 * QUIET)
        side = (False,) * QUIET
        rows = [wide] * QUIET + [side + row + side for row in self.rows] + [wide] * (QUIET + 1)
        return [
            "".join("█▀▄ "[2 * upper + lower] for upper, lower in zip(one, two, strict=True))
            for one, two in zip(rows[0:-1:2], rows[1::2], strict=True)
        ]

    @property
    def path(self) -> str:
        """The dark modules as the path of an SVG of `size` units, run by run."""
        return "".join(
            f"M{start + QUIET} {line + QUIET}h{length}v1h-{length}z"
            for line, row in enumerate(self.rows)
            for start, length in runs(row)
        )


def code(text: str) -> Code:
    """Return the code of a text; a quarter of it may be dirty or torn and is still read."""
    made = segno.make(text, error="q", micro=False)
    return Code(text, tuple(tuple(bool(module) for module in row) for row in made.matrix))


def runs(row: tuple[bool, ...]) -> list[tuple[int, int]]:
    """Return where the dark runs of a row begin, and how long they are."""
    found: list[tuple[int, int]] = []
    for place, dark in enumerate(row):
        if dark and found and sum(found[-1]) == place:
            found[-1] = found[-1][0], found[-1][1] + 1
        elif dark:
            found.append((place, 1))
    return found
