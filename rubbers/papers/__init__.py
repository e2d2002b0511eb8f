"""The papers of a rubber night as PDF files. Each module draws one paper.

To add a paper, write a module with a `PAPER_KIND`, and add it to `PAPER_KINDS`.
"""

from printing.kinds import PaperKind
from rubbers.papers import ledger, result, score_sheet, table_cards

PAPER_KINDS: tuple[PaperKind, ...] = (
    score_sheet.PAPER_KIND,
    table_cards.PAPER_KIND,
    result.PAPER_KIND,
    ledger.PAPER_KIND,
)
"""The papers in the order in which they are needed during a night."""
