"""Checks of a static site: a mapping from the path of each file to its content."""

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

LINK = re.compile(r'(?:href|src)="([^"]*)"')
ID = re.compile(r'\bid="([^"]*)"')


def read_texts(files: Mapping[str, bytes]) -> dict[str, str]:
    """Return the text of each file except fonts and pictures."""
    return {
        name: data.decode()
        for name, data in files.items()
        if not name.endswith(("woff2", "png"))
    }


def assert_links_resolve(files: Mapping[str, bytes]) -> None:
    """Fail for a link to a missing file or anchor, and for one that is not relative."""
    texts = read_texts(files)
    anchors_by_file = {name: set(ID.findall(text)) for name, text in texts.items()}
    checked_count = 0
    for name, text in texts.items():
        found_texts = LINK.findall(text)
        found_texts += re.findall(r'url\("([^"]+)"\)', text) if name.endswith(".css") else []
        for link in found_texts:
            path, _sign, anchor = link.partition("#")
            assert not path.startswith("/"), (name, link)
            whole_path = PurePosixPath(name).parent / path if path else PurePosixPath(name)
            parts: list[str] = []
            for part in whole_path.parts:
                assert part != ".." or parts, (name, link, "leaves the site's folder")
                parts = parts[:-1] if part == ".." else [*parts, part]
            target = "/".join(parts)
            assert target in files, (name, link)
            assert not anchor or anchor in anchors_by_file[target], (name, link)
            checked_count += 1
    assert checked_count > 100
