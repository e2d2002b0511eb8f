"""The archive specification, which defines the rows of a club that an archive contains.

A row belongs to a club if a chain of required foreign keys leads from it to the club. New
models are therefore included automatically. The `archive_spec` module of each app declares
what the models cannot express, such as keys inside JSON.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import Q

from clubs.models import Act, Club

MAX_KEYS_PER_QUERY = 900

ModelClass = type[models.Model]
ReferencePaths = Mapping[str, str]
"""The paths of primary keys inside a JSON value, each with the label of the key's model.

`places.*.3` is the path of the element with index 3 in every item of `places`.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveSpec:
    """The archive specification of one app, or of all apps together.

    * `reference_paths_by_field` maps each JSON field to the paths of primary keys inside it.
    * `reference_paths_by_inverse_name` maps the name of an inverse to the paths of primary keys
      in its arguments.
    * `model_labels_by_subject` maps the text before the last word of an undo subject to a model
      label.
      For example, it maps "table link" to "clubs.TableLink", because the subject
      "table link 7" ends with the primary key of a TableLink. The label is "" if the last word
      is not a primary key. If two inverses use a text for different models, the mapping's key
      is "text/inverse".
    * `row_finders_by_label` maps each model without a foreign key path to the club to a
      function, which returns the primary keys of the model's rows.
    * `shared_row_finders_by_label` returns the primary keys of those rows that other clubs also
      use.
    * `exclusion_reasons_by_label` maps each model that is not archived to the reason for this.
    """

    reference_paths_by_field: Mapping[str, ReferencePaths] = field(default_factory=dict)
    reference_paths_by_inverse_name: Mapping[str, ReferencePaths] = field(default_factory=dict)
    model_labels_by_subject: Mapping[str, str] = field(default_factory=dict)
    row_finders_by_label: Mapping[str, Callable[[Club], Iterable[int]]] = field(
        default_factory=dict
    )
    shared_row_finders_by_label: Mapping[str, Callable[[Club], Iterable[int]]] = field(
        default_factory=dict
    )
    exclusion_reasons_by_label: Mapping[str, str] = field(default_factory=dict)
    unplayed_event_finders: tuple[Callable[[Club], list[str]], ...] = ()
    """The functions that return the names of a club's events with cards still to be played."""
    running_event_finders: tuple[Callable[[Club], list[str]], ...] = ()
    """The functions that return the names of a club's events that are in play."""
    congress_event_finders: tuple[Callable[[Club], list[str]], ...] = ()
    """The functions that return the names of a club's events that use congress features."""


def merge_specs(*specs: ArchiveSpec) -> ArchiveSpec:
    """Return one specification made of the specifications of all apps."""
    return ArchiveSpec(
        reference_paths_by_field={
            name: paths
            for spec in specs
            for name, paths in spec.reference_paths_by_field.items()
        },
        reference_paths_by_inverse_name={
            name: paths
            for spec in specs
            for name, paths in spec.reference_paths_by_inverse_name.items()
        },
        model_labels_by_subject={
            prefix: label
            for spec in specs
            for prefix, label in spec.model_labels_by_subject.items()
        },
        row_finders_by_label={
            label: finder
            for spec in specs
            for label, finder in spec.row_finders_by_label.items()
        },
        shared_row_finders_by_label={
            label: finder
            for spec in specs
            for label, finder in spec.shared_row_finders_by_label.items()
        },
        exclusion_reasons_by_label={
            label: reason
            for spec in specs
            for label, reason in spec.exclusion_reasons_by_label.items()
        },
        unplayed_event_finders=tuple(
            check for spec in specs for check in spec.unplayed_event_finders
        ),
        running_event_finders=tuple(
            check for spec in specs for check in spec.running_event_finders
        ),
        congress_event_finders=tuple(
            check for spec in specs for check in spec.congress_event_finders
        ),
    )


@dataclass(frozen=True, slots=True)
class ArchivedModel:
    """A model in the archive, and the ORM lookup that selects the rows of a club.

    The lookup leads from the model to the model `root_label`. This is the club, or a model with
    a function in `ArchiveSpec.row_finders_by_label`. The lookup is "" if the model itself is
    the root.
    """

    model: ModelClass
    club_lookup: str
    root_label: str

    @property
    def label(self) -> str:
        return self.model._meta.label

    @property
    def fields(self) -> list[Any]:
        """The model's concrete fields: the primary key first, the others by name."""
        name_sorted_fields = sorted(
            self.model._meta.local_concrete_fields, key=lambda field: field.attname
        )
        return sorted(name_sorted_fields, key=lambda field: not field.primary_key)

    def list_rows(self, club: Club, spec: ArchiveSpec) -> models.QuerySet[Any]:
        """Return this model's rows of a club, ordered by primary key."""
        rows = self.model._base_manager.order_by("pk")
        if self.model is Act:
            return rows.filter(club=club.slug)
        if self.root_label == Club._meta.label:
            return rows.filter(**{self.club_lookup or "pk": club.pk})
        root_pks = list(spec.row_finders_by_label[self.root_label](club))
        return rows.filter(
            Q(**{f"{self.club_lookup}__in" if self.club_lookup else "pk__in": root_pks})
        )


def list_models() -> list[ModelClass]:
    """Return all managed models of the project that are not proxies."""
    return [
        model
        for model in apps.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy
    ]


def list_archived_models(spec: ArchiveSpec) -> list[ArchivedModel]:
    """Return the archived models, each after the models to which its foreign keys refer."""
    lookups_by_model = _find_club_lookups(spec)
    archived_models: list[ArchivedModel] = []
    remaining_models = [
        model
        for model in list_models()
        if model in lookups_by_model and not _is_excluded(model, spec)
    ]
    remaining_models.sort(key=lambda model: model._meta.label)
    while remaining_models:
        independent_models = [
            remaining_model
            for remaining_model in remaining_models
            if not _list_target_models(remaining_model) & set(remaining_models)
        ]
        # In a cycle of foreign keys any model can be first: the database checks them on commit.
        for model in independent_models or remaining_models[:1]:
            root_label, lookup = lookups_by_model[model]
            archived_models.append(ArchivedModel(model, lookup, root_label))
        remaining_models = [
            remaining_model
            for remaining_model in remaining_models
            if remaining_model
            not in {archived_model.model for archived_model in archived_models}
        ]
    # The audit log must be last, because its rows refer to all other models.
    return sorted(archived_models, key=lambda archived_model: archived_model.model is Act)


def load_row_pks(
    club: Club, spec: ArchiveSpec, archived_models: Iterable[ArchivedModel]
) -> dict[str, list[int]]:
    """Return the primary keys of all rows of a club, by model label and in ascending order.

    Each query selects rows by the keys of their parent rows, in batches. A single query with
    all joins would scan the evenings of all clubs for every result.
    """
    row_pks_by_label: dict[str, list[int]] = {}
    for archived_model in archived_models:
        first_lookup_part = archived_model.club_lookup.partition("__")[0]
        target_model = (
            get_target_model(archived_model.model._meta.get_field(first_lookup_part))
            if first_lookup_part
            else None
        )
        if target_model is None or target_model._meta.label not in row_pks_by_label:
            row_pks_by_label[archived_model.label] = list(
                archived_model.list_rows(club, spec).values_list("pk", flat=True)
            )
            continue
        row_pks: list[int] = []
        for pk_batch in iter_pk_batches(row_pks_by_label[target_model._meta.label]):
            rows = archived_model.model._base_manager.filter(
                **{f"{first_lookup_part}__in": pk_batch}
            ).order_by()
            row_pks += rows.values_list("pk", flat=True)
        row_pks_by_label[archived_model.label] = sorted(row_pks)
    return row_pks_by_label


def iter_pk_batches(row_pks: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the keys in batches, because old SQLite versions allow 999 query parameters."""
    for batch_start in range(0, len(row_pks), MAX_KEYS_PER_QUERY):
        yield row_pks[batch_start : batch_start + MAX_KEYS_PER_QUERY]


def list_undeclared_models(spec: ArchiveSpec) -> list[str]:
    """Return the labels of the models that are neither archived nor excluded with a reason."""
    lookups_by_model = _find_club_lookups(spec)
    return [
        model._meta.label
        for model in list_models()
        if model not in lookups_by_model and not _is_excluded(model, spec)
    ]


def get_target_model(model_field: Any) -> ModelClass | None:
    """Return the model to which a foreign key refers; None for any other field."""
    if isinstance(model_field, models.ForeignKey):
        model: ModelClass = model_field.remote_field.model
        return model
    return None


def is_login_model(model: ModelClass | None) -> bool:
    """Return whether a model is the user model."""
    return model is not None and model._meta.label == settings.AUTH_USER_MODEL


def _is_excluded(model: ModelClass, spec: ArchiveSpec) -> bool:
    return (
        model._meta.label in spec.exclusion_reasons_by_label
        or f"{model._meta.app_label}.*" in spec.exclusion_reasons_by_label
    )


def _list_target_models(model: ModelClass) -> set[ModelClass]:
    target_models = {get_target_model(field) for field in model._meta.local_concrete_fields}
    return {
        target_model
        for target_model in target_models
        if target_model is not None and target_model is not model
    }


def _find_club_lookups(spec: ArchiveSpec) -> dict[ModelClass, tuple[str, str]]:
    """Return the `root_label` and `club_lookup` of each model with a path to a club."""
    lookups_by_model: dict[ModelClass, tuple[str, str]] = {
        Club: (Club._meta.label, ""),
        Act: ("", ""),
    }
    for model_label in spec.row_finders_by_label:
        if _is_excluded(apps.get_model(model_label), spec):
            continue
        lookups_by_model[apps.get_model(model_label)] = (model_label, "")
    has_new_lookup = True
    while has_new_lookup:
        has_new_lookup = False
        for model in list_models():
            if model not in lookups_by_model and (
                lookup := _find_shortest_lookup(model, lookups_by_model, spec)
            ):
                lookups_by_model[model] = lookup
                has_new_lookup = True
    return lookups_by_model


def _find_shortest_lookup(
    model: ModelClass, lookups_by_model: Mapping[ModelClass, tuple[str, str]], spec: ArchiveSpec
) -> tuple[str, str] | None:
    """Return the shortest lookup, through a required foreign key to a model with a lookup."""
    candidates = []
    for model_field in model._meta.local_concrete_fields:
        target_model = get_target_model(model_field)
        if (
            target_model is not None
            and target_model in lookups_by_model
            and not model_field.null
            and not _is_excluded(target_model, spec)
        ):
            root_label, lookup = lookups_by_model[target_model]
            candidates.append(
                (
                    len(lookup),
                    model_field.name,
                    root_label,
                    f"{model_field.name}__{lookup}" if lookup else model_field.name,
                )
            )
    return min(candidates)[2:] if candidates else None
