"""The contents of an archive: from the models, and from declarations of each app.

A row belongs to a club if its required foreign keys lead to the club, step by step, so a new
model is included automatically. An app's `carried` module declares the rest: keys and slugs
inside JSON, rows without a foreign key to the club, and excluded models with the reason.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import Q

from clubs.models import Act, Club

KEYS_A_QUERY = 900

Model = type[models.Model]
Paths = Mapping[str, str]
"""The places of row keys in JSON, each with its model: "places.*.3" is an entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSchema:
    """The export declarations of one app, or of all together.

    * `data` maps each JSON field to the keys inside it.
    * `calls` maps the name of an inverse to the keys in its arguments.
    * `words` maps a word in an act's undo data to the model whose key follows it, "" for none;
      the name is "word/call" if a word has two meanings.
    * `rooted` finds the rows of models without a foreign key path to the club.
    * `shared` finds those of them that other clubs use too.
    * `left` maps each excluded model to the reason.
    """

    data: Mapping[str, Paths] = field(default_factory=dict)
    calls: Mapping[str, Paths] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    rooted: Mapping[str, Callable[[Club], Iterable[int]]] = field(default_factory=dict)
    shared: Mapping[str, Callable[[Club], Iterable[int]]] = field(default_factory=dict)
    left: Mapping[str, str] = field(default_factory=dict)
    secret: tuple[Callable[[Club], list[str]], ...] = ()
    """Functions that name what contains cards still to be played."""
    busy: tuple[Callable[[Club], list[str]], ...] = ()
    """Functions that name what is in play."""


def joined(*parts: ArchiveSchema) -> ArchiveSchema:
    """Merge the declarations of all apps."""
    return ArchiveSchema(
        data={name: paths for part in parts for name, paths in part.data.items()},
        calls={name: paths for part in parts for name, paths in part.calls.items()},
        words={word: label for part in parts for word, label in part.words.items()},
        rooted={label: find for part in parts for label, find in part.rooted.items()},
        shared={label: find for part in parts for label, find in part.shared.items()},
        left={label: why for part in parts for label, why in part.left.items()},
        secret=tuple(find for part in parts for find in part.secret),
        busy=tuple(find for part in parts for find in part.busy),
    )


@dataclass(frozen=True, slots=True)
class ArchivedModel:
    """A model in the archive, and the lookup from its rows to the club.

    `way` is the lookup. It ends at the club, or at a `rooted` model; it is "" for the club and
    for a rooted model itself.
    """

    model: Model
    way: str
    root: str

    @property
    def label(self) -> str:
        return self.model._meta.label

    @property
    def fields(self) -> list[Any]:
        """Its columns, the primary key first, the rest by name."""
        rest = sorted(self.model._meta.local_concrete_fields, key=lambda each: each.attname)
        return sorted(rest, key=lambda each: not each.primary_key)

    def rows(self, club: Club, known: ArchiveSchema) -> models.QuerySet[Any]:
        """Return the rows of a club, ordered by primary key."""
        rows = self.model._base_manager.order_by("pk")
        if self.model is Act:
            return rows.filter(club=club.slug)
        if self.root == Club._meta.label:
            return rows.filter(**{self.way or "pk": club.pk})
        found = list(known.rooted[self.root](club))
        return rows.filter(Q(**{f"{self.way}__in" if self.way else "pk__in": found}))


def ours() -> list[Model]:
    """Return all managed models that are not proxies."""
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    ]


def tables(known: ArchiveSchema) -> list[ArchivedModel]:
    """List the archived models in order of dependence: targets of foreign keys come first."""
    ways = _ways(known)
    found: list[ArchivedModel] = []
    waiting = [model for model in ours() if model in ways and not _is_left(model, known)]
    waiting.sort(key=lambda model: model._meta.label)
    while waiting:
        free = [each for each in waiting if not _needed(each) & set(waiting)]
        # A cycle can be broken anywhere, as the database checks keys at the end.
        for model in free or waiting[:1]:
            root, way = ways[model]
            found.append(ArchivedModel(model, way, root))
        waiting = [each for each in waiting if each not in {table.model for table in found}]
    # The history comes last: it names everything else.
    return sorted(found, key=lambda table: table.model is Act)


def keys_of(
    club: Club, known: ArchiveSchema, carried: Iterable[ArchivedModel]
) -> dict[str, list[int]]:
    """Return the primary keys of all rows of a club by table, in ascending order.

    Each query looks up rows by the keys of their parents, in batches. One query with all joins
    would scan all evenings for every result.
    """
    found: dict[str, list[int]] = {}
    for table in carried:
        step = table.way.partition("__")[0]
        to = pointed_to(table.model._meta.get_field(step)) if step else None
        if to is None or to._meta.label not in found:
            found[table.label] = list(table.rows(club, known).values_list("pk", flat=True))
            continue
        keys: list[int] = []
        for some in in_pieces(found[to._meta.label]):
            rows = table.model._base_manager.filter(**{f"{step}__in": some}).order_by()
            keys += rows.values_list("pk", flat=True)
        found[table.label] = sorted(keys)
    return found


def in_pieces(keys: Sequence[int]) -> Iterator[Sequence[int]]:
    """Split keys into batches; all versions of SQLite accept 999 parameters in a query."""
    for start in range(0, len(keys), KEYS_A_QUERY):
        yield keys[start : start + KEYS_A_QUERY]


def unknown(known: ArchiveSchema) -> list[str]:
    """List the models that are neither archived nor excluded with a reason."""
    ways = _ways(known)
    return [m._meta.label for m in ours() if m not in ways and not _is_left(m, known)]


def pointed_to(field_: Any) -> Model | None:
    """Return the target model of a foreign key; None for any other column."""
    if isinstance(field_, models.ForeignKey):
        model: Model = field_.remote_field.model
        return model
    return None


def is_login(model: Model | None) -> bool:
    """Return whether a model is the user model."""
    return model is not None and model._meta.label == settings.AUTH_USER_MODEL


def _is_left(model: Model, known: ArchiveSchema) -> bool:
    return model._meta.label in known.left or f"{model._meta.app_label}.*" in known.left


def _needed(model: Model) -> set[Model]:
    keys = {pointed_to(each) for each in model._meta.local_concrete_fields}
    return {each for each in keys if each is not None and each is not model}


def _ways(known: ArchiveSchema) -> dict[Model, tuple[str, str]]:
    """Return for each model with a path to the club the end of the path and the lookup."""
    found: dict[Model, tuple[str, str]] = {Club: (Club._meta.label, ""), Act: ("", "")}
    for label in known.rooted:
        if _is_left(apps.get_model(label), known):
            continue
        found[apps.get_model(label)] = (label, "")
    grown = True
    while grown:
        grown = False
        for model in ours():
            if model not in found and (way := _step(model, found, known)):
                found[model] = way
                grown = True
    return found


def _step(
    model: Model, found: Mapping[Model, tuple[str, str]], known: ArchiveSchema
) -> tuple[str, str] | None:
    """Return the shortest path by a required foreign key to a model that is already found."""
    ways = []
    for each in model._meta.local_concrete_fields:
        to = pointed_to(each)
        if to is not None and to in found and not each.null and not _is_left(to, known):
            root, way = found[to]
            ways.append(
                (len(way), each.name, root, f"{each.name}__{way}" if way else each.name)
            )
    return min(ways)[2:] if ways else None
