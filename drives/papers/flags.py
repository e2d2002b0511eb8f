"""The sheets of forts in military whist, with their opponents and space for flags won."""

from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from reportlab.pdfgen.canvas import Canvas

from drives.papers.trumps import draw_trumps
from drives.sheets.on_paper import PrintedDrive
from printing import grid, pages
from printing.box import MM, Box
from printing.fonts import BOLD_FONT
from printing.grid import Column
from printing.headings import draw_big_number, draw_slip_heading
from printing.kinds import OutdatingChanges, PaperGroup
from printing.layout import PageLayout
from printing.text_boxes import write_text

_MARGIN, _HEAD_HEIGHT, _NAMES_HEIGHT, _TITLE_ROW_HEIGHT, _FOOT_HEIGHT = (
    7 * MM,
    24 * MM,
    20 * MM,
    8 * MM,
    8 * MM,
)
MIN_ROW_HEIGHT, MAX_ROW_HEIGHT = 9 * MM, 20 * MM


def lay_out_pages(drive: PrintedDrive, *, paper_size: pages.Size) -> PageLayout:
    """Return the pages with a sheet for each fort; no pages if the drive has no forts."""
    if drive.form_code != "military" or not drive.seated_rounds:
        return pages.lay_out_half_pages([], paper_size)
    tile = pages.get_half_page_box(paper_size)
    rows_height = (
        tile.height
        - 2 * _MARGIN
        - _HEAD_HEIGHT
        - _NAMES_HEIGHT
        - _TITLE_ROW_HEIGHT
        - _FOOT_HEIGHT
    )
    draw_functions = [
        partial(_draw_fort, drive, fort_number, round_index_range)
        for fort_number in range(1, len(drive.seated_rounds[0].tables) + 1)
        for round_index_range in grid.split_count_evenly(
            len(drive.seated_rounds), int(rows_height / MIN_ROW_HEIGHT) - 1
        )
    ]
    return pages.lay_out_half_pages(draw_functions, paper_size)


def list_fort_visits(drive: PrintedDrive) -> list[dict[int, tuple[int, int]]]:
    """Return a dictionary for each round: {fort: (fort of its visitors, fort that it visits)}.

    Fort n plays at home at table n, where the home pair has seats 1 and 3. Four players with
    consecutive numbers form a fort.
    """
    fort_by_player = {
        player.number: index // 4 + 1 for index, player in enumerate(drive.players)
    }
    visits = []
    for seated_round in drive.seated_rounds:
        guest_fort_by_table = {
            table_number: fort_by_player[seats[1]]
            for table_number, seats in seated_round.tables
        }
        visited_fort_by_guest_fort = {
            guest_fort: table_number for table_number, guest_fort in guest_fort_by_table.items()
        }
        visits.append(
            {
                table_number: (
                    guest_fort_by_table[table_number],
                    visited_fort_by_guest_fort.get(table_number, table_number),
                )
                for table_number in guest_fort_by_table
            }
        )
    return visits


def _draw_fort(
    drive: PrintedDrive, fort_number: int, round_index_range: range, canvas: Canvas, tile: Box
) -> None:
    content_box = tile.inset(_MARGIN)
    strip_box = content_box.get_top_strip(_HEAD_HEIGHT - 3 * MM)
    number_box = Box(strip_box.right - 26 * MM, strip_box.bottom, 26 * MM, strip_box.height)
    draw_big_number(canvas, number_box, str(fort_number), _("Fort"))
    heading_box = Box(
        strip_box.left, strip_box.bottom, strip_box.width - 29 * MM, strip_box.height
    )
    draw_slip_heading(canvas, heading_box.inset(0, 1 * MM), drive.heading)
    fort_players = drive.players[4 * fort_number - 4 : 4 * fort_number]
    names_box = content_box.exclude_top(_HEAD_HEIGHT).get_top_strip(_NAMES_HEIGHT)
    pairs = (
        (_("At home: %(pair)s"), fort_players[:2]),
        (_("Visiting: %(pair)s"), fort_players[2:]),
    )
    for index, (pair_message, pair) in enumerate(pairs):
        line_box = Box(
            names_box.left, names_box.top - (index + 1) * 9 * MM, names_box.width, 8.5 * MM
        )
        pair_names = " + ".join(drive.format_player(member.number) for member in pair)
        write_text(canvas, pair_message % {"pair": pair_names}, line_box, size=14, min_size=9)
    body_box = content_box.exclude_top(_HEAD_HEIGHT + _NAMES_HEIGHT)
    columns = [
        Column(_("Round"), 12, font=BOLD_FONT, size=13),
        Column(_("Trumps"), 18),
        Column(_("At home to fort"), 24, size=14),
        Column(_("Flags won"), 20, is_framed=True),
        Column(_("Visiting fort"), 22, font=BOLD_FONT, size=14),
        Column(_("Flags won"), 20, is_framed=True),
    ]
    seated_rounds = drive.seated_rounds[round_index_range.start : round_index_range.stop]
    visits = list_fort_visits(drive)[round_index_range.start : round_index_range.stop]
    rows = [
        [
            str(seated_round.number),
            "",
            str(fort_visits[fort_number][0]),
            "",
            str(fort_visits[fort_number][1]),
            "",
        ]
        for seated_round, fort_visits in zip(seated_rounds, visits, strict=True)
    ]
    row_height = grid.compute_row_height(
        body_box.height - _TITLE_ROW_HEIGHT - _FOOT_HEIGHT,
        len(round_index_range) + 1,
        min_height=MIN_ROW_HEIGHT,
        max_height=MAX_ROW_HEIGHT,
    )

    def draw_cell(row_index: int, column_index: int, cell: Box) -> None:
        if column_index == 1 and row_index < len(round_index_range):
            draw_trumps(canvas, seated_rounds[row_index].trumps, cell, size=13)

    rows.append([_("Total"), *[""] * 5])
    grid.draw_grid(
        canvas, body_box, columns, rows, head_height=_TITLE_ROW_HEIGHT, row_height=row_height,
        rows_above_thick_lines=(len(round_index_range) - 1,),
        draw_cell=draw_cell, are_cells_tagged=False,
    )  # fmt: skip
    foot_text = _("Each hand won takes a flag from the other fort.")
    write_text(
        canvas,
        foot_text,
        content_box.get_bottom_strip(_FOOT_HEIGHT - 2 * MM),
        size=11,
        min_size=9,
    )


PAPER_KIND = pages.create_kind_without_cards(
    name="flags",
    title=gettext_lazy("Flag sheets"),
    blurb=gettext_lazy("Military whist: opponents and flags for each fort."),
    group=PaperGroup.TABLES,
    outdating_changes=OutdatingChanges.SEATS | OutdatingChanges.NAMES,
    is_offered=lambda drive: drive.form_code == "military",
    lay_out=lay_out_pages,
)
