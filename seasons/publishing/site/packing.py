"""Files packed one after the other: the same files give the same bytes, and little is held."""

import zipfile
from collections.abc import Iterable
from pathlib import Path

PACKED = {".woff2", ".png", ".zip", ".xlsx"}
"""What is packed already."""


def pack(files: Iterable[tuple[str, bytes]], path: Path) -> int:
    """Write files into a zip, and say how many they are; a broken one is never left there."""
    draft = path.with_name(f"{path.name}.part")
    count = 0
    try:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files:
                entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
                is_packed = Path(name).suffix in PACKED
                entry.compress_type = zipfile.ZIP_STORED if is_packed else zipfile.ZIP_DEFLATED
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, content)
                count += 1
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return count


def unfold(files: Iterable[tuple[str, bytes]], folder: Path) -> int:
    """Write files into a folder, and say how many they are."""
    count = 0
    for name, content in files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        count += 1
    return count
