"""The papers of a drive as PDF files. Each module draws one paper from a `PrintedDrive`.

To add a paper, write a module with a `PaperKind`, and add it to `PAPER_KINDS`.
"""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.papers import (
    call_sheet,
    flags,
    master_sheet,
    pack,
    points_poster,
    prize_list,
    score_cards,
    seat_list,
    table_cards,
    table_sheets,
    tallies,
)
from printing.kinds import PaperKind

PAPER_KINDS: tuple[PaperKind, ...] = (
    score_cards.PAPER_KIND,
    seat_list.PAPER_KIND,
    table_cards.PAPER_KIND,
    table_sheets.PAPER_KIND,
    flags.PAPER_KIND,
    master_sheet.PAPER_KIND,
    call_sheet.PAPER_KIND,
    tallies.PAPER_KIND,
    points_poster.PAPER_KIND,
    prize_list.PAPER_KIND,
)
"""The papers in the order in which they are offered and printed."""
PACK = pack.build_paper_pack(
    [paper_kind for paper_kind in PAPER_KINDS if not paper_kind.is_on_request]
)


def get_paper_kinds_by_name() -> dict[str, PaperKind]:
    """Return all papers of a drive by name, beginning with the full set."""
    return {paper_kind.name: paper_kind for paper_kind in (PACK, *PAPER_KINDS)}


def find_paper_kinds(paper_names: Sequence[str]) -> list[PaperKind]:
    """Find papers by their names; raise UnreadableDrive with the known names."""
    kinds_by_name = {paper_kind.name: paper_kind for paper_kind in PAPER_KINDS}
    paper_kinds = []
    for paper_name in paper_names:
        paper_kind = kinds_by_name.get(paper_name.replace("-", "_"))
        if paper_kind is None:
            message = _("Paper “%(name)s” not found. Choose from %(names)s.")
            known_names = ", ".join(
                known_name.replace("_", "-") for known_name in kinds_by_name
            )
            raise UnreadableDrive(message % {"name": paper_name[:40], "names": known_names})
        paper_kinds.append(paper_kind)
    return paper_kinds
