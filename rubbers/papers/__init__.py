"""The papers of a rubber night as PDF. Each module draws one paper and declares its `PAPER`.

To add a paper, add a module and an entry in `PAPERS`.
"""

from printing.kinds import PaperKind
from rubbers.papers import ledger, result, score_sheet, table_cards

PAPERS: tuple[PaperKind, ...] = (
    score_sheet.PAPER,
    table_cards.PAPER,
    result.PAPER,
    ledger.PAPER,
)
"""The papers in the order in which they are needed during a night."""
