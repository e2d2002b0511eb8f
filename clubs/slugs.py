"""Short names for addresses, each given once."""

from collections.abc import Collection

from django.db import models


def free_slug(
    wanted: str, model: type[models.Model], others: Collection[str] = frozenset()
) -> str:
    """Return the wanted slug, with -2, -3, … behind it where it is taken or one of `others`."""
    taken = set(others) | set(
        model._default_manager.filter(slug__startswith=wanted).values_list("slug", flat=True)
    )
    slug, number = wanted, 1
    while slug in taken:
        number += 1
        slug = f"{wanted}-{number}"
    return slug
