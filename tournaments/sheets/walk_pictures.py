"""Pictures of movements: the tables in a loop, with arrows for the moves after each round.

Positions are in pixels, and only the narrowest phones scale a drawing down. Therefore each
picture has a narrow drawing and, if the loop is long, a wide one.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.translation import gettext as _

from tournaments.movements import Movement
from tournaments.movements.formatting import join_place_names
from tournaments.movements.walks import MovementLoops, find_movement_loops

NARROW_PICTURE_WIDTH, WIDE_PICTURE_WIDTH = 284, 500
BOX_HEIGHT, ROW_GAP, COLUMN_GAP = 44, 34, 24
PICTURE_MARGIN, ARROW_GAP, ARROW_HEAD_SIZE = 14, 3, 9
MAX_STOPS = 32
"""The maximum number of stops in a picture; for more stops, no picture is drawn."""


@dataclass(frozen=True, slots=True)
class PictureStop:
    """One box of a picture: its top left corner, its width, and its label."""

    x: int
    y: int
    width: int
    label: str

    @property
    def middle_x(self) -> int:
        """The horizontal centre of the box."""
        return self.x + self.width // 2

    @property
    def baseline_y(self) -> int:
        """The vertical position of the label's baseline."""
        return self.y + BOX_HEIGHT // 2 + 6

    @property
    def middle_y(self) -> int:
        """The vertical centre of the box."""
        return self.y + BOX_HEIGHT // 2


@dataclass(frozen=True, slots=True)
class Drawing:
    """One drawing: its size, its boxes, and the lines and heads of its arrows."""

    width: int
    height: int
    stops: tuple[PictureStop, ...]
    lines: tuple[str, ...]
    arrow_heads: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WalkPicture:
    """The drawings of a movement, with a caption and a description for screen readers."""

    narrow_drawing: Drawing
    wide_drawing: Drawing | None
    description: str
    caption: str

    @property
    def drawings(self) -> list[tuple[str, Drawing]]:
        """The drawings, each with the CSS class for its screen width."""
        if self.wide_drawing is None:
            return [("", self.narrow_drawing)]
        return [("only-narrow", self.narrow_drawing), ("only-wide", self.wide_drawing)]


def draw_walk(movement: Movement) -> WalkPicture | None:
    """Return the picture of a movement's moves.

    Returns None if no one moves, the moves need guide cards, or there are too many stops.
    """
    movement_loops = find_movement_loops(movement)
    if movement_loops is None or sum(map(len, movement_loops.loops)) > MAX_STOPS:
        return None
    narrow_drawing, wide_drawing = (
        _draw_loops(movement_loops, NARROW_PICTURE_WIDTH),
        _draw_loops(movement_loops, WIDE_PICTURE_WIDTH),
    )
    return WalkPicture(
        narrow_drawing=narrow_drawing,
        wide_drawing=wide_drawing if wide_drawing.height < narrow_drawing.height else None,
        description=f"{_format_caption(movement_loops)} {_format_sentence(movement_loops)}",
        caption=_format_caption(movement_loops),
    )


def _draw_loops(movement_loops: MovementLoops, width: int) -> Drawing:
    box_width = 46 if movement_loops.is_in_number_order or movement_loops.moving_side else 64
    boxes_per_row = (width - 2 * PICTURE_MARGIN + COLUMN_GAP) // (box_width + COLUMN_GAP)
    stops: list[PictureStop] = []
    arrow_lines: list[str] = []
    arrow_heads: list[str] = []
    row_top = 2
    for loop_labels in movement_loops.loops:
        placed_stops = _place_stops(loop_labels, box_width, boxes_per_row, row_top)
        for picture_stop, next_stop in pairwise(placed_stops):
            arrow_line, arrow_head = _draw_arrow(picture_stop, next_stop)
            arrow_lines.append(arrow_line)
            arrow_heads.append(arrow_head)
        arrow_line, arrow_head = _draw_closing_arrow(placed_stops)
        arrow_lines.append(arrow_line)
        arrow_heads.append(arrow_head)
        stops += placed_stops
        row_top = max(stop.y for stop in placed_stops) + BOX_HEIGHT + ROW_GAP
    right_edge_x = max(stop.x + stop.width for stop in stops) + PICTURE_MARGIN
    return Drawing(
        right_edge_x,
        row_top - ROW_GAP + 18,
        tuple(stops),
        tuple(arrow_lines),
        tuple(arrow_heads),
    )


def _place_stops(
    loop_labels: Sequence[str], box_width: int, boxes_per_row: int, top_y: int
) -> list[PictureStop]:
    """Return the boxes of a loop in rows of alternating direction.

    A long loop has an even number of rows.
    """
    row_count = 1 if len(loop_labels) < 4 else 2 * -(-len(loop_labels) // (2 * boxes_per_row))
    stops_per_row, remainder = divmod(len(loop_labels), row_count)
    column, placed_stops = 0, []
    labels = iter(loop_labels)
    for row_index in range(row_count):
        direction = -1 if row_index % 2 else 1
        for index in range(stops_per_row + (row_index < remainder)):
            column += direction * bool(index)
            x = PICTURE_MARGIN + column * (box_width + COLUMN_GAP)
            placed_stops.append(
                PictureStop(
                    x, top_y + row_index * (BOX_HEIGHT + ROW_GAP), box_width, next(labels)
                )
            )
    return placed_stops


def _draw_arrow(stop: PictureStop, next_stop: PictureStop) -> tuple[str, str]:
    """Return the line and head of the arrow to the next box, which is beside or below it."""
    if stop.y == next_stop.y:
        direction = 1 if next_stop.x > stop.x else -1
        arrow_start = stop.x + stop.width + ARROW_GAP if direction > 0 else stop.x - ARROW_GAP
        arrow_end = (
            next_stop.x - ARROW_GAP
            if direction > 0
            else next_stop.x + next_stop.width + ARROW_GAP
        )
        return (
            f"M{arrow_start} {stop.middle_y}H{arrow_end - direction * ARROW_HEAD_SIZE}",
            _draw_arrow_head(arrow_end, stop.middle_y, direction, 0),
        )
    arrow_start, arrow_end = stop.y + BOX_HEIGHT + ARROW_GAP, next_stop.y - ARROW_GAP
    return f"M{stop.middle_x} {arrow_start}V{arrow_end - ARROW_HEAD_SIZE}", _draw_arrow_head(
        stop.middle_x, arrow_end, 0, 1
    )


def _draw_closing_arrow(placed_stops: Sequence[PictureStop]) -> tuple[str, str]:
    """Return the line and head of the arrow from the last box back to the first box."""
    first_stop, last_stop = placed_stops[0], placed_stops[-1]
    first_x, last_x = first_stop.middle_x, last_stop.middle_x
    arrow_y = first_stop.y + BOX_HEIGHT + ARROW_GAP
    head_base_y = arrow_y + ARROW_HEAD_SIZE
    if last_stop.y == first_stop.y:
        arrow_line = f"M{last_x} {arrow_y}V{arrow_y + 12}H{first_x}V{head_base_y}"
        return arrow_line, _draw_arrow_head(first_x, arrow_y, 0, -1)
    line_start = f"M{last_stop.x - ARROW_GAP} {last_stop.middle_y}"
    if len({stop.y for stop in placed_stops}) == 2:
        if last_stop.x == first_stop.x:
            arrow_line = f"M{last_x} {last_stop.y - ARROW_GAP}V{head_base_y}"
        else:
            arrow_line = f"{line_start}H{first_x}V{head_base_y}"
        return arrow_line, _draw_arrow_head(first_x, arrow_y, 0, -1)
    arrow_end = first_stop.x - 1
    arrow_line = f"{line_start}H4V{first_stop.middle_y}H{arrow_end - ARROW_HEAD_SIZE}"
    return arrow_line, _draw_arrow_head(arrow_end, first_stop.middle_y, 1, 0)


def _draw_arrow_head(x: int, y: int, x_direction: int, y_direction: int) -> str:
    """Return the triangle of an arrow head whose point is at (x, y)."""
    base_x, base_y = x - x_direction * ARROW_HEAD_SIZE, y - y_direction * ARROW_HEAD_SIZE
    half_width = ARROW_HEAD_SIZE // 2 + 1
    return (
        f"{x},{y} {base_x + y_direction * half_width},{base_y + x_direction * half_width} "
        f"{base_x - y_direction * half_width},{base_y - x_direction * half_width}"
    )


def _format_caption(movement_loops: MovementLoops) -> str:
    """Describe the arrows in words, because printed papers have no colours."""
    if movement_loops.is_in_number_order:
        caption = _("Arrows: move to the table that the next number has just left.")
    elif not movement_loops.moving_side:
        caption = _("Arrows: where players move after each round.")
    elif movement_loops.moving_side == "EW":
        caption = _("Arrows: East-West after each round.")
    else:
        caption = _("Arrows: North-South after each round.")
    if movement_loops.usual_move_count < movement_loops.move_count:
        exception_note = _("Some rounds differ, as noted.")
        caption = f"{caption} {exception_note}"
    if not movement_loops.stationary_stops:
        return caption
    stationary_places_text = join_place_names(movement_loops.stationary_stops)
    template = (
        _("%(names)s stays.")
        if len(movement_loops.stationary_stops) == 1
        else _("%(names)s stay.")
    )
    return f"{caption} {template % {'names': stationary_places_text}}"


def _format_sentence(movement_loops: MovementLoops) -> str:
    move_texts = [
        _("%(one)s to %(other)s") % {"one": stop_label, "other": next_stop_label}
        for loop in movement_loops.loops
        for stop_label, next_stop_label in zip(loop, [*loop[1:], loop[0]], strict=True)
    ]
    return f"{', '.join(move_texts)}."
