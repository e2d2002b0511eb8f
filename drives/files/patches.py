"""Differences between an imported file and this program's output for the same drive.

A file may leave out default values, or have values that this program would leave out. With the
patches an unchanged drive is exported exactly as it was imported.
"""

import copy
from collections.abc import Sequence
from typing import Any

Patch = list[Any]
"""A path, whether the file has a value there, and the value."""


def compute_patches(
    normal: object, source: object, path: tuple[str | int, ...] = ()
) -> list[Patch]:
    """Return the patches that turn the program's version of a file into the original."""
    if isinstance(normal, dict) and isinstance(source, dict):
        patches = [[[*path, key], False, None] for key in normal if key not in source]
        patches += [[[*path, key], True, source[key]] for key in source if key not in normal]
        for key in normal:
            if key in source:
                patches += compute_patches(normal[key], source[key], (*path, key))
        return patches
    if isinstance(normal, list) and isinstance(source, list) and len(normal) == len(source):
        return [
            patch
            for place, (one, other) in enumerate(zip(normal, source, strict=True))
            for patch in compute_patches(one, other, (*path, place))
        ]
    return (
        [] if normal == source and type(normal) is type(source) else [[[*path], True, source]]
    )


def apply_patches(normal: dict[str, Any], changes: Sequence[Patch]) -> dict[str, Any]:
    """Return the file as it was imported; every path in the patches exists."""
    root: Any = {"": copy.deepcopy(normal)}
    for path, is_present, value in changes:
        place = root
        for step in ["", *path][:-1]:
            place = place[step]
        if is_present:
            place[["", *path][-1]] = copy.deepcopy(value)
        else:
            del place[path[-1]]
    parent: dict[str, Any] = root[""]
    return parent
