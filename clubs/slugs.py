"""The creation of unique slugs."""

from collections.abc import Collection
from typing import Any

from django.db import models


def create_free_slug(
    wanted_slug: str,
    model_or_queryset: type[models.Model] | models.QuerySet[Any] | models.Manager[Any],
    other_slugs: Collection[str] = frozenset(),
) -> str:
    """Return the wanted slug, with -2, -3, … appended if a row or `other_slugs` has it."""
    manager = (
        model_or_queryset._default_manager
        if isinstance(model_or_queryset, type)
        else model_or_queryset
    )
    similar_rows = manager.filter(slug__startswith=wanted_slug)
    taken_slugs = set(other_slugs) | set(similar_rows.values_list("slug", flat=True))
    slug, suffix_number = wanted_slug, 1
    while slug in taken_slugs:
        suffix_number += 1
        slug = f"{wanted_slug}-{suffix_number}"
    return slug
