"""The creation of unique slugs."""

from collections.abc import Collection
from typing import Any

from django.db import models


def create_free_slug(
    wanted_slug: str,
    rows: type[models.Model] | models.QuerySet[Any] | models.Manager[Any],
    others: Collection[str] = frozenset(),
) -> str:
    """Return the wanted slug, with -2, -3, … appended if a row or one of `others` uses it."""
    manager = rows._default_manager if isinstance(rows, type) else rows
    similar_rows = manager.filter(slug__startswith=wanted_slug)
    taken_slugs = set(others) | set(similar_rows.values_list("slug", flat=True))
    slug, number = wanted_slug, 1
    while slug in taken_slugs:
        number += 1
        slug = f"{wanted_slug}-{number}"
    return slug
