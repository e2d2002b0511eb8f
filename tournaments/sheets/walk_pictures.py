"""Pictures of movements: the tables in a loop, with arrows for the moves after each round.

Positions are in pixels. Only the narrowest phones scale a drawing down; each picture therefore
has a narrow drawing and, if the loop is long, a wide one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext as _

from tournaments.movements import Movement
from tournaments.movements.formatting import join_place_names
from tournaments.movements.walks import Walk, find_walk

NARROW, WIDE = 284, 500
HIGH, DOWN, ACROSS = 44, 34, 24  # of a box, and the gaps between boxes
MARGIN, CLEAR, HEAD = 14, 3, 9
MAX_STOPS = 32
"""The maximum number of stops in a picture; with more, no picture is drawn."""


@dataclass(frozen=True, slots=True)
class PictureStop:
    """One box of a picture: its top left corner, its width, and its label."""

    x: int
    y: int
    width: int
    label: str

    @property
    def middle(self) -> int:
        """The horizontal centre of the box."""
        return self.x + self.width // 2

    @property
    def line(self) -> int:
        """The vertical position of the label's baseline."""
        return self.y + HIGH // 2 + 6

    @property
    def level(self) -> int:
        """The vertical centre of the box."""
        return self.y + HIGH // 2


@dataclass(frozen=True, slots=True)
class Drawing:
    """One drawing: its size, its boxes, and the lines and heads of its arrows."""

    width: int
    height: int
    stops: tuple[PictureStop, ...]
    lines: tuple[str, ...]
    heads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WalkPicture:
    """The drawings of a movement, with a caption and a description for screen readers."""

    narrow: Drawing
    wide: Drawing | None
    sentence: str
    caption: str

    @property
    def drawings(self) -> list[tuple[str, Drawing]]:
        """The drawings, each with the CSS class for its screen width."""
        if self.wide is None:
            return [("", self.narrow)]
        return [("only-narrow", self.narrow), ("only-wide", self.wide)]


def draw_walk(movement: Movement) -> WalkPicture | None:
    """Return the picture of a movement's moves.

    None if it uses guide cards or has too many stops.
    """
    walk = find_walk(movement)
    if walk is None or sum(map(len, walk.loops)) > MAX_STOPS:
        return None
    narrow, wide = _draw_loops(walk, NARROW), _draw_loops(walk, WIDE)
    return WalkPicture(
        narrow=narrow,
        wide=wide if wide.height < narrow.height else None,
        sentence=f"{_format_caption(walk)} {_format_sentence(walk)}",
        caption=_format_caption(walk),
    )


def _draw_loops(walk: Walk, width: int) -> Drawing:
    box = 46 if walk.by_number or walk.by_table else 64
    boxes_per_row = (width - 2 * MARGIN + ACROSS) // (box + ACROSS)
    stops: list[PictureStop] = []
    lines: list[str] = []
    heads: list[str] = []
    top = 2
    for loop in walk.loops:
        placed_stops = _place_stops(loop, box, boxes_per_row, top)
        for picture_stop, other in pairwise(placed_stops):
            line, head = _draw_arrow(picture_stop, other)
            lines.append(line)
            heads.append(head)
        line, head = _draw_closing_arrow(placed_stops)
        lines.append(line)
        heads.append(head)
        stops += placed_stops
        top = max(stop.y for stop in placed_stops) + HIGH + DOWN
    right = max(stop.x + stop.width for stop in stops) + MARGIN
    return Drawing(right, top - DOWN + 18, tuple(stops), tuple(lines), tuple(heads))


def _place_stops(loop: Sequence[str], box: int, most: int, top: int) -> list[PictureStop]:
    """Return the boxes of a loop in rows of alternating direction.

    A long loop has an even number.
    """
    rows = 1 if len(loop) < 4 else 2 * -(-len(loop) // (2 * most))
    stops_per_row, remainder = divmod(len(loop), rows)
    column, placed_stops = 0, []
    labels = iter(loop)
    for row in range(rows):
        direction = -1 if row % 2 else 1
        for at in range(stops_per_row + (row < remainder)):
            column += direction * bool(at)
            x = MARGIN + column * (box + ACROSS)
            placed_stops.append(PictureStop(x, top + row * (HIGH + DOWN), box, next(labels)))
    return placed_stops


def _draw_arrow(stop: PictureStop, other: PictureStop) -> tuple[str, str]:
    """Return the line and head of the arrow from one box to the next, beside it or below it."""
    if stop.y == other.y:
        ahead = 1 if other.x > stop.x else -1
        begin = stop.x + stop.width + CLEAR if ahead > 0 else stop.x - CLEAR
        end = other.x - CLEAR if ahead > 0 else other.x + other.width + CLEAR
        return f"M{begin} {stop.level}H{end - ahead * HEAD}", _draw_arrow_head(
            end, stop.level, ahead, 0
        )
    begin, end = stop.y + HIGH + CLEAR, other.y - CLEAR
    return f"M{stop.middle} {begin}V{end - HEAD}", _draw_arrow_head(stop.middle, end, 0, 1)


def _draw_closing_arrow(placed_stops: Sequence[PictureStop]) -> tuple[str, str]:
    """Return the line and head of the arrow from the last box round the others to the first."""
    first, last = placed_stops[0], placed_stops[-1]
    foot = first.y + HIGH + CLEAR
    if last.y == first.y:
        bottom = foot + 12
        line = f"M{last.middle} {foot}V{bottom}H{first.middle}V{foot + HEAD}"
        return line, _draw_arrow_head(first.middle, foot, 0, -1)
    if len({stop.y for stop in placed_stops}) == 2:
        if last.x == first.x:
            begin = last.y - CLEAR
            line = f"M{last.middle} {begin}V{foot + HEAD}"
        else:
            line = f"M{last.x - CLEAR} {last.level}H{first.middle}V{foot + HEAD}"
        return line, _draw_arrow_head(first.middle, foot, 0, -1)
    end = first.x - 1
    line = f"M{last.x - CLEAR} {last.level}H4V{first.level}H{end - HEAD}"
    return line, _draw_arrow_head(end, first.level, 1, 0)


def _draw_arrow_head(x: int, y: int, right: int, down: int) -> str:
    """Return the triangle of an arrow head whose point is at (x, y)."""
    back_x, back_y = x - right * HEAD, y - down * HEAD
    half_width = HEAD // 2 + 1
    return (
        f"{x},{y} {back_x + down * half_width},{back_y + right * half_width} "
        f"{back_x - down * half_width},{back_y - right * half_width}"
    )


def _format_caption(walk: Walk) -> str:
    """Describe the arrows in words, because prints have no colours."""
    if walk.by_number:
        text = _("Arrows: move to the table that the next number has just left.")
    elif not walk.by_table:
        text = _("Arrows: where players move after each round.")
    elif walk.by_table == "EW":
        text = _("Arrows: East-West after each round.")
    else:
        text = _("Arrows: North-South after each round.")
    if walk.usual < walk.moves:
        exception = _("Some rounds differ, as noted.")
        text = f"{text} {exception}"
    if not walk.stay:
        return text
    names = join_place_names(walk.stay)
    template = _("%(names)s stays.") if len(walk.stay) == 1 else _("%(names)s stay.")
    return f"{text} {template % {'names': names}}"


def _format_sentence(walk: Walk) -> str:
    steps = [
        _("%(one)s to %(other)s") % {"one": one, "other": other}
        for loop in walk.loops
        for one, other in zip(loop, [*loop[1:], loop[0]], strict=True)
    ]
    return f"{', '.join(steps)}."
