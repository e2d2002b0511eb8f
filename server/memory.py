"""Garbage collection: objects that live as long as the program are not searched each time."""

import gc
from typing import Any

GC_THRESHOLD = 50_000
"""GC threshold of generation 0; Python's 700 causes hundreds of collections per scoring run."""


def collect_less_often() -> None:
    """Raise the threshold of the garbage collector.

    A start loads 2,500 modules, which remain; a first start also makes thousands of classes for
    the migrations. With Python's thresholds a fifth of its time went to collections.
    """
    gc.set_threshold(GC_THRESHOLD, 20, 50)


def freeze_loaded_objects(**_signal: Any) -> None:
    """Freeze the loaded objects, and collect less often."""
    gc.collect()
    gc.freeze()
    collect_less_often()
