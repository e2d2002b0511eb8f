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
    travellers.PAPER,
    guide_cards.PAPER,
    pair_guides.PAPER,
    door_list.PAPER,
    wall_sheet.PAPER,
    draw_lists.PAPER,
    draw_lists.SLIPS,
    victory_scale.PAPER,
    announcement.PAPER,
    etiquette.PAPER,
    score_slips.PAPER,
    table_links.PAPER,
    trump_slips.PAPER,
    tray_labels.PAPER,
    hand_cards.CURTAIN_CARDS,
    board_lists.MACHINE_LIST,
    hand_cards.HAND_RECORD_CARDS,
    ranking.PAPER,
    field_lists.STRATA_PAPER,
    field_lists.PRIZES_PAPER,
    bracket.PAPER,
    recap.PAPER,
    explanations.PAPER,
    hand_records.PAPER,
    hand_records.FOUR_COLOUR_PAPER,
    board_lists.RESULT_CARD,
    entry_links.PAPER,
)
PAPER_KINDS = (*pack.create_paper_set_kinds(PAPER_KINDS), *PAPER_KINDS)
"""Every kind of paper, in the order of the pages. The packs combine the other kinds."""


def get_paper_kinds() -> dict[str, PaperKind]:
    """Return all kinds of papers, by name."""
    return {kind.name: kind for kind in PAPER_KINDS}


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
