"""URLs are unambiguous: no named object takes the URL of a page."""

import re
from collections.abc import Iterator
from itertools import combinations

from django.urls import URLPattern, URLResolver, get_resolver

SLUG_PATTERN = re.compile(r"<slug:\w+>")
DATED_ROUTE_NAMES = {"drive_house_tables", "drive_new", "rubber_new"}
"""Drives and rubber nights have names that end with their date."""
FIXED_ROUTE_NAMES = {"etiquette", "etiquette_pdf"}
"""Law books have names that the program gives, none of them one of these."""


def list_patterns(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, str | None]]:
    for url_pattern in resolver.url_patterns:
        route = prefix + str(url_pattern.pattern)
        if isinstance(url_pattern, URLPattern):
            yield route, url_pattern.name
        elif not route.startswith("accounts"):
            yield from list_patterns(url_pattern, route)


def is_shadowed_by(page: str, other: str) -> bool:
    """Return whether some name makes a URL of the other route equal that of the page."""
    pairs = list(zip(page.split("/"), other.split("/"), strict=False))
    if page.count("/") != other.count("/") or page == other:
        return False
    return all(
        page_part == other_part or (SLUG_PATTERN.fullmatch(other_part) and "<" not in page_part)
        for page_part, other_part in pairs
    )


def test_no_named_object_can_shadow_the_url_of_a_page() -> None:
    routes = [
        (path, name)
        for path, name in list_patterns(get_resolver())
        if name not in DATED_ROUTE_NAMES | FIXED_ROUTE_NAMES
    ]
    ordered_pairs = [*combinations(routes, 2), *((b, a) for a, b in combinations(routes, 2))]
    shadowed_routes = {(a[1], b[1]) for a, b in ordered_pairs if is_shadowed_by(a[0], b[0])}
    assert shadowed_routes == set()
