"""The papers of a rubber night as PDF: each module draws one paper and has its record.

They take a `NightOnPaper` and return bytes. A new paper is a module and an entry in `PAPERS`.
"""

from printing.kinds import PaperKind
from rubbers.papers import ledger, result, score_sheet, table_cards

PAPERS: tuple[PaperKind, ...] = (
    score_sheet.PAPER,
    table_cards.PAPER,
    result.PAPER,
    ledger.PAPER,
)
"""The papers in the order in which a night needs them."""
