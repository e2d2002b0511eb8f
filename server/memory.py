"""What lives as long as the program is not searched for garbage again and again."""

import gc
from typing import Any

OBJECTS = 50_000
"""New objects between two searches; Python's 700 mean hundreds while much is scored."""


def settle(**_signal: Any) -> None:
    """Set apart what has been loaded, and search less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(OBJECTS, 20, 50)
