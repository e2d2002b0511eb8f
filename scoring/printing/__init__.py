"""The papers as PDF: the only door to ReportLab. They take sheets, return bytes, never query.

| kind         | made from            | on the page                          |
|--------------|----------------------|--------------------------------------|
| travellers   | TravellerSlip, many  | four, cut apart                      |
| guide_cards  | GuideCard, many      | two, or one for many rounds          |
| score_slips  | ScoreSlip, many      | two, or four for few boards          |
| trump_slips  | TrumpSlip, many      | twenty, cut apart                    |
| ranking      | RankTable, one       | whole pages                          |
| hand_records | Traveller, many      | six, after the session               |
| recap        | Recap, one           | whole pages on their side            |
| explanations | Explanation, many    | each entry on pages of its own       |
"""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from scoring.printing import (
    explanations,
    guide_cards,
    hand_records,
    ranking,
    recap,
    score_slips,
    travellers,
    trump_slips,
)
from scoring.sheets.values import (
    Explanation,
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
    "score_slips": Paper(_("Score slips"), score_slips.draw, ScoreSlip),
    "trump_slips": Paper(_("Trump slips"), trump_slips.draw, TrumpSlip),
    "ranking": Paper(_("Ranking"), ranking.draw, RankTable, many=False),
    "hand_records": Paper(_("Hand records"), hand_records.draw, Traveller),
    "recap": Paper(_("Recap"), recap.draw, Recap, many=False),
    "explanations": Paper(_("Figures explained"), explanations.draw, Explanation),
}
