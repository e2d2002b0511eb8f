"""The creation of unique slugs."""

from collections.abc import Collection
from typing import Any

from django.db import models


def create_free_slug(
    wanted: str,
    rows: type[models.Model] | models.QuerySet[Any] | models.Manager[Any],
    others: Collection[str] = frozenset(),
) -> str:
    """Return the wanted slug, with -2, -3, … appended if a row or one of `others` uses it."""
    among = rows._default_manager if isinstance(rows, type) else rows
    like = among.filter(slug__startswith=wanted)
    taken = set(others) | set(like.values_list("slug", flat=True))
    slug, number = wanted, 1
    while slug in taken:
        number += 1
        slug = f"{wanted}-{number}"
    return slug
