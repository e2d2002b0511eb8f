"""The files of an export: portable file names, and reproducible zips."""

import re
import unicodedata
import zipfile
from collections.abc import Iterable
from pathlib import Path

MAX_NAME_LENGTH = 60
_NON_ALPHANUMERIC_PATTERN = re.compile(r"[^a-z0-9]+")
COMPRESSED_SUFFIXES = {".woff2", ".png", ".zip", ".xlsx"}
"""The suffixes of files that are already compressed, which a zip stores unchanged."""
RESERVED_NAMES = {
    "con",
    "prn",
    "aux",
    "nul",
    *(f"{port_name}{digit}" for port_name in ("com", "lpt") for digit in "0123456789"),
}


def make_file_name(text: str) -> str:
    """Return a portable file name for a text, without a suffix.

    "Łucja Nowak" becomes lucja-nowak. A text without Latin letters or digits becomes "page".
    """
    ascii_text = unicodedata.normalize("NFKD", text.lower().replace("ł", "l").replace("ø", "o"))
    ascii_characters = ascii_text.encode("ascii", "ignore").decode()
    ascii_name = (
        _NON_ALPHANUMERIC_PATTERN.sub("-", ascii_characters)
        .strip("-")[:MAX_NAME_LENGTH]
        .strip("-")
        or "page"
    )
    return f"{ascii_name}-1" if ascii_name in RESERVED_NAMES else ascii_name


def make_file_names(texts: Iterable[str]) -> dict[str, str]:
    """Return a unique file name for each text; equal texts always get equal names."""
    names_by_text: dict[str, str] = {}
    used_names: set[str] = set()
    for text in texts:
        unique_name = base_name = make_file_name(text)
        suffix_number = 1
        while unique_name in used_names:
            suffix_number += 1
            unique_name = f"{base_name}-{suffix_number}"
        used_names.add(unique_name)
        names_by_text[text] = unique_name
    return names_by_text


def write_zip(files: Iterable[tuple[str, bytes]], path: Path) -> int:
    """Write files into a zip and return their number; after a failure no zip remains."""
    temporary_path = path.with_name(f"{path.name}.part")
    file_count = 0
    try:
        with zipfile.ZipFile(temporary_path, "w", zipfile.ZIP_DEFLATED) as archive:
            for file_name, file_bytes in files:
                zip_entry = zipfile.ZipInfo(file_name, (1980, 1, 1, 0, 0, 0))
                is_already_compressed = Path(file_name).suffix in COMPRESSED_SUFFIXES
                zip_entry.compress_type = (
                    zipfile.ZIP_STORED if is_already_compressed else zipfile.ZIP_DEFLATED
                )
                zip_entry.external_attr = 0o644 << 16
                archive.writestr(zip_entry, file_bytes)
                file_count += 1
        temporary_path.replace(path)
    finally:
        temporary_path.unlink(missing_ok=True)
    return file_count


def write_folder(files: Iterable[tuple[str, bytes]], folder: Path) -> int:
    """Write files into a folder, and return the number of files."""
    file_count = 0
    for file_name, file_bytes in files:
        path = folder / file_name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(file_bytes)
        file_count += 1
    return file_count
