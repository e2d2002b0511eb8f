"""The papers of an evening as PDF files; most modules lay out one kind of paper.

Their functions draw sheets as a PDF and return its bytes. A new paper needs a module with a
`PaperKind`, and an entry in `PAPER_KINDS`.
"""

from django.utils.translation import gettext as _

from printing.kinds import PaperKind
from scoring.errors import PaperRefused
from scoring.papers import (
    announcement,
    board_lists,
    bracket,
    door_list,
    draw_lists,
    entry_links,
    etiquette,
    explanations,
    field_lists,
    guide_cards,
    hand_cards,
    hand_records,
    pack,
    pair_guides,
    ranking,
    recap,
    score_slips,
    table_links,
    travellers,
    tray_labels,
    trump_slips,
    victory_scale,
    wall_sheet,
)

PAPER_KINDS: tuple[PaperKind, ...] = (
    travellers.PAPER_KIND,
    guide_cards.PAPER_KIND,
    pair_guides.PAPER_KIND,
    door_list.PAPER_KIND,
    wall_sheet.PAPER_KIND,
    draw_lists.PAPER_KIND,
    draw_lists.ROUND_SLIPS_PAPER,
    victory_scale.PAPER_KIND,
    announcement.PAPER_KIND,
    etiquette.PAPER_KIND,
    score_slips.PAPER_KIND,
    table_links.PAPER_KIND,
    trump_slips.PAPER_KIND,
    tray_labels.PAPER_KIND,
    hand_cards.CURTAIN_CARDS,
    board_lists.DEALING_MACHINE_LIST,
    hand_cards.HAND_RECORD_CARDS,
    ranking.PAPER_KIND,
    field_lists.STRATA_LIST_PAPER,
    field_lists.PRIZES_PAPER,
    bracket.PAPER_KIND,
    recap.PAPER_KIND,
    explanations.PAPER_KIND,
    hand_records.PAPER_KIND,
    hand_records.FOUR_COLOUR_PAPER,
    board_lists.RESULT_CARD,
    entry_links.PAPER_KIND,
)
PAPER_KINDS = (*pack.create_paper_set_kinds(PAPER_KINDS), *PAPER_KINDS)
"""Every kind of paper, in the order of the pages. The packs combine the other kinds."""


def get_paper_kinds() -> dict[str, PaperKind]:
    """Return all kinds of papers, by name."""
    return {paper_kind.name: paper_kind for paper_kind in PAPER_KINDS}


def get_paper_kind(name: str) -> PaperKind:
    """Return the kind of paper with a name; raise PaperRefused for an unknown one."""
    if name not in get_paper_kinds():
        raise PaperRefused(
            _("Paper %(kind)s not found. Choose from: %(kinds)s.")
            % {"kind": name, "kinds": ", ".join(get_paper_kinds())}
        )
    return get_paper_kinds()[name]


def get_paper_kind_title(name: str) -> str:
    """Return the title of a kind, or its name if the program has no such kind any more."""
    return str(get_paper_kinds()[name].title) if name in get_paper_kinds() else name
