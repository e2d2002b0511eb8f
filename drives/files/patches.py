"""Differences between an imported file and this program's output for the same drive.

A file may omit default values, or contain values that this program omits. With the patches, an
unchanged drive is exported exactly as it was imported.
"""

import copy
from collections.abc import Sequence
from typing import Any

Patch = list[Any]
"""A patch: the path of a value, whether the imported file has a value there, and this value."""


def compute_patches(
    exported_value: object, imported_value: object, path: tuple[str | int, ...] = ()
) -> list[Patch]:
    """Return the patches that turn this program's output into the imported file.

    `path` is the path of the two values in their files.
    """
    if isinstance(exported_value, dict) and isinstance(imported_value, dict):
        patches = [
            [[*path, key], False, None] for key in exported_value if key not in imported_value
        ]
        patches += [
            [[*path, key], True, imported_value[key]]
            for key in imported_value
            if key not in exported_value
        ]
        for key in exported_value:
            if key in imported_value:
                patches += compute_patches(
                    exported_value[key], imported_value[key], (*path, key)
                )
        return patches
    if (
        isinstance(exported_value, list)
        and isinstance(imported_value, list)
        and len(exported_value) == len(imported_value)
    ):
        return [
            patch
            for index, (exported_item, imported_item) in enumerate(
                zip(exported_value, imported_value, strict=True)
            )
            for patch in compute_patches(exported_item, imported_item, (*path, index))
        ]
    return (
        []
        if exported_value == imported_value and type(exported_value) is type(imported_value)
        else [[[*path], True, imported_value]]
    )


def apply_patches(
    minimal_file_data: dict[str, Any], patches: Sequence[Patch]
) -> dict[str, Any]:
    """Return `minimal_file_data` with the patches, which is the file as it was imported.

    The object or list that a patch changes must exist in `minimal_file_data`.
    """
    wrapped_file: Any = {"": copy.deepcopy(minimal_file_data)}
    for path, is_present, value in patches:
        container = wrapped_file
        for path_key in ["", *path][:-1]:
            container = container[path_key]
        if is_present:
            container[["", *path][-1]] = copy.deepcopy(value)
        else:
            del container[path[-1]]
    patched_file_data: dict[str, Any] = wrapped_file[""]
    return patched_file_data
