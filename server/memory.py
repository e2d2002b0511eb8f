"""What lives as long as the program is not searched for garbage again and again."""

import gc
from typing import Any

OBJECTS = 50_000
"""New objects between two searches; Python's 700 mean hundreds while much is scored."""


def collect_less_often() -> None:
    """Let more objects be made between two garbage collections.

    A start loads 2,500 modules, which remain; a first start also makes thousands of classes for
    the migrations. With Python's thresholds a fifth of its time went to collections.
    """
    gc.set_threshold(OBJECTS, 20, 50)


def settle(**_signal: Any) -> None:
    """Set apart what has been loaded, and search less often."""
    gc.collect()
    gc.freeze()
    collect_less_often()
