"""What an archive carries, as the rooms have told it; the rest is read from the models.

A row belongs to a club when its own required keys lead there, step by step. So a new model is
carried by itself. What cannot be seen from the models is told by a room in its `carried`: keys
and addresses inside JSON, rows that no key leads from to a club, and what stays behind and why.
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
"""Where in JSON the key of a row stands, and of which model: "places.*.3" is an entry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSchema:
    """What one room, or all together, know of their rows.

    `data` names every JSON field with the keys inside it; `calls` the keys in what takes an act
    back, by the name of the inverse; `words` the model that a word of an act's way back is
    followed by the key of ("" for a word that no key follows), with "word/call" where one word
    means two things. `rooted` finds rows that no key leads from to the club, and `shared` those
    of them that other clubs use too. `left` is what stays behind, each with its reason.
    """

    data: Mapping[str, Paths] = field(default_factory=dict)
    calls: Mapping[str, Paths] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)
    rooted: Mapping[str, Callable[[Club], Iterable[int]]] = field(default_factory=dict)
    shared: Mapping[str, Callable[[Club], Iterable[int]]] = field(default_factory=dict)
    left: Mapping[str, str] = field(default_factory=dict)
    secret: tuple[Callable[[Club], list[str]], ...] = ()
    """Name what holds cards that are still to be played."""
    busy: tuple[Callable[[Club], list[str]], ...] = ()
    """Name what is in play."""


def joined(*parts: ArchiveSchema) -> ArchiveSchema:
    """Put together what the rooms know."""
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
    """A model that is carried, and how its rows lead to the club.

    `way` is the look-up, which ends at the club or at a model that is `rooted` by itself; for
    one that is rooted itself it is "".
    """

    model: Model
    way: str
    root: str

    @property
    def label(self) -> str:
        return self.model._meta.label

    @property
    def fields(self) -> list[Any]:
        """Its columns, the key first, the rest by name."""
        rest = sorted(self.model._meta.local_concrete_fields, key=lambda each: each.attname)
        return sorted(rest, key=lambda each: not each.primary_key)

    def rows(self, club: Club, known: ArchiveSchema) -> models.QuerySet[Any]:
        """The rows of a club, in the order of their keys."""
        rows = self.model._base_manager.order_by("pk")
        if self.model is Act:
            return rows.filter(club=club.slug)
        if self.root == Club._meta.label:
            return rows.filter(**{self.way or "pk": club.pk})
        found = list(known.rooted[self.root](club))
        return rows.filter(Q(**{f"{self.way}__in" if self.way else "pk__in": found}))


def ours() -> list[Model]:
    """Every model with a table that the program itself looks after."""
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    ]


def tables(known: ArchiveSchema) -> list[ArchivedModel]:
    """List what is carried in order of dependence: what a row points to comes before it."""
    ways = _ways(known)
    found: list[ArchivedModel] = []
    waiting = [model for model in ours() if model in ways and not _is_left(model, known)]
    waiting.sort(key=lambda model: model._meta.label)
    while waiting:
        free = [each for each in waiting if not _needed(each) & set(waiting)]
        # A circle of keys is broken anywhere: the database looks at keys at the end.
        for model in free or waiting[:1]:
            root, way = ways[model]
            found.append(ArchivedModel(model, way, root))
        waiting = [each for each in waiting if each not in {table.model for table in found}]
    # The history comes last: it names everything else.
    return sorted(found, key=lambda table: table.model is Act)


def keys_of(
    club: Club, known: ArchiveSchema, carried: Iterable[ArchivedModel]
) -> dict[str, list[int]]:
    """The keys of all rows of a club by table, in ascending order.

    A table is asked for the rows that lead to those found already, some at a time: one question
    over all the steps would go through all evenings for every result.
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
    """Some keys at a time; SQLite takes 999 in one question everywhere."""
    for start in range(0, len(keys), KEYS_A_QUERY):
        yield keys[start : start + KEYS_A_QUERY]


def unknown(known: ArchiveSchema) -> list[str]:
    """Name the models that are neither carried nor left behind with a reason."""
    ways = _ways(known)
    return [m._meta.label for m in ours() if m not in ways and not _is_left(m, known)]


def pointed_to(field_: Any) -> Model | None:
    """The model that a column holds a key of; None for any other column."""
    if isinstance(field_, models.ForeignKey):
        model: Model = field_.remote_field.model
        return model
    return None


def is_login(model: Model | None) -> bool:
    """Whether a model is the one of logins."""
    return model is not None and model._meta.label == settings.AUTH_USER_MODEL


def _is_left(model: Model, known: ArchiveSchema) -> bool:
    return model._meta.label in known.left or f"{model._meta.app_label}.*" in known.left


def _needed(model: Model) -> set[Model]:
    keys = {pointed_to(each) for each in model._meta.local_concrete_fields}
    return {each for each in keys if each is not None and each is not model}


def _ways(known: ArchiveSchema) -> dict[Model, tuple[str, str]]:
    """For each model that is led to the club: where its way ends, and the look-up to there."""
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
    """The shortest way by a required key to what is found already."""
    ways = []
    for each in model._meta.local_concrete_fields:
        to = pointed_to(each)
        if to is not None and to in found and not each.null and not _is_left(to, known):
            root, way = found[to]
            ways.append(
                (len(way), each.name, root, f"{each.name}__{way}" if way else each.name)
            )
    return min(ways)[2:] if ways else None
