"""The papers as PDF: the only door to ReportLab. They take sheets, return bytes, never query.

| kind         | made from            | on the page                          |
|--------------|----------------------|--------------------------------------|
| travellers   | TravellerSlip, many  | four, cut apart                      |
| guide_cards  | GuideCard, many      | two, or one for many rounds          |
| pair_guides  | PairGuide, many      | two, or one for many rounds          |
| door_list    | ScoreSlip, many      | whole pages                          |
| wall_sheet   | WallSheet, many      | whole pages on their side            |
| announcement | Announcement, many   | whole pages                          |
| score_slips  | ScoreSlip, many      | two, or four for few boards          |
| trump_slips  | TrumpSlip, many      | twenty, cut apart                    |
| tray_labels  | TrayLabel, many      | eight, cut apart                     |
| curtain_cards| HandCard, many       | twenty, cut apart                    |
| machine_list | MachineList, one     | whole pages                          |
| memory_cards | HandCard, many       | four of five by three inches         |
| result_card  | ResultCard, one      | whole pages                          |
| ranking      | RankTable, one       | whole pages                          |
| hand_records | Traveller, many      | six, after the session; _four: in colours |
| table_links  | TableCard, many      | four, cut apart                      |
| entry_links  | EntryCard, many      | eight, cut apart                     |
| recap        | Recap, one           | whole pages on their side            |
| explanations | Explanation, many    | each entry on pages of its own       |
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.papers import (
    announcement,
    board_lists,
    door_list,
    entry_links,
    explanations,
    guide_cards,
    hand_cards,
    hand_records,
    pair_guides,
    ranking,
    recap,
    score_slips,
    table_links,
    travellers,
    tray_labels,
    trump_slips,
    wall_sheet,
)
from scoring.sheets.entry_links import EntryCard
from scoring.sheets.figures import Explanation
from scoring.sheets.hall import Announcement, PairGuide, WallSheet
from scoring.sheets.table_links import TableCard
from scoring.sheets.trays import HandCard, MachineList, ResultCard, TrayLabel
from scoring.sheets.values import (
    GuideCard,
    RankTable,
    Recap,
    ScoreSlip,
    Traveller,
    TravellerSlip,
    TrumpSlip,
)


@dataclass(frozen=True, slots=True)
class Paper:
    """A kind of paper: its title, how it is drawn, and which sheet it is drawn from.

    `draw` takes one sheet, or a sequence of sheets where `many` is true, and the paper's size
    as `size="A4"` or `size="Letter"`.
    """

    title: str | Promise
    draw: Callable[..., bytes]
    sheet: type
    many: bool = True


PAPERS: dict[str, Paper] = {
    "travellers": Paper(_("Travellers"), travellers.draw, TravellerSlip),
    "guide_cards": Paper(_("Table guide cards"), guide_cards.draw, GuideCard),
    "pair_guides": Paper(_("Personal guide cards"), pair_guides.draw, PairGuide),
    "door_list": Paper(_("Who sits where"), door_list.draw, ScoreSlip),
    "wall_sheet": Paper(_("Movement for the wall"), wall_sheet.draw_all, WallSheet),
    "announcement": Paper(_("To read out"), announcement.draw_all, Announcement),
    "score_slips": Paper(_("Score slips"), score_slips.draw, ScoreSlip),
    "trump_slips": Paper(_("Trump slips"), trump_slips.draw, TrumpSlip),
    "tray_labels": Paper(_("Tray labels"), tray_labels.draw, TrayLabel),
    "curtain_cards": Paper(_("Curtain cards"), hand_cards.draw_curtains, HandCard),
    "machine_list": Paper(
        _("Dealing machine's list"), board_lists.draw_machine_list, MachineList, many=False
    ),
    "memory_cards": Paper(_("Hand record cards"), hand_cards.draw_records, HandCard),
    "result_card": Paper(
        _("Result card"), board_lists.draw_result_card, ResultCard, many=False
    ),
    "table_links": Paper(_("Cards for phones at the tables"), table_links.draw, TableCard),
    "entry_links": Paper(_("Slips with everybody's own address"), entry_links.draw, EntryCard),
    "ranking": Paper(_("Ranking"), ranking.draw, RankTable, many=False),
    "hand_records": Paper(_("Hand records"), hand_records.draw, Traveller),
    "hand_records_four": Paper(
        _("Hand records in four colours"), hand_records.draw_in_four_colours, Traveller
    ),
    "recap": Paper(_("Recap"), recap.draw, Recap, many=False),
    "explanations": Paper(_("Figures explained"), explanations.draw, Explanation),
}
