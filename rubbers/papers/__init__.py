"""The papers of a rubber night as PDF: one file a paper, which holds its drawing and record.

They take a `NightOnPaper` and return bytes; a new one is its file and its line in `PAPERS`.
"""

from printing.kinds import PaperKind
from rubbers.papers import ledger, result, score_sheet, table_cards

PAPERS: tuple[PaperKind, ...] = (
    score_sheet.PAPER,
    table_cards.PAPER,
    result.PAPER,
    ledger.PAPER,
)
"""In the order in which they are needed."""
