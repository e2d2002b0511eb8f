"""The import of a club from an archive, in one transaction, next to the existing clubs.

Every imported row gets a primary key that this database has never used. This ensures that undo
data of one club never refer to a row of another club.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import DataError, IntegrityError, connection, models, transaction
from django.utils.translation import gettext as _

from clubs.archives import archive_file
from clubs.archives.archive_file import Archive, ArchiveTable
from clubs.archives.deletion import check_no_running_events, delete_club
from clubs.archives.errors import ArchiveRefused, BadArchive
from clubs.archives.files import FileImporter, delete_unfinished_imports
from clubs.archives.keys import reserve_pks
from clubs.archives.logins import LoginMapping
from clubs.archives.references import (
    ImportedKeys,
    convert_audit_subject,
    get_audited_models,
    get_slug_field_name,
    replace_references,
    replace_undo_references,
)
from clubs.archives.spec import (
    ArchivedModel,
    ArchiveSpec,
    get_target_model,
    is_login_model,
    list_archived_models,
)
from clubs.archives.values import parse_value
from clubs.links import SecretLink, create_salt_and_hash
from clubs.models import Act, Club, Membership
from clubs.services.clubs import set_congress_features
from clubs.slugs import create_free_slug
from server.jobs.progress_files import ProgressCallback, ignore_progress
from server.models import User
from server.public_versions import bump_version
from server.work_folders import create_work_folder

ROWS_PER_BATCH = 1000
IMPORT_LOCK_NUMBER = 20_260_310
"""The number of the PostgreSQL advisory lock that serialises imports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """The options that the user chose for an import.

    `name` replaces the club's name from the archive if it is not empty. `owner` becomes an
    owner of the imported club.
    """

    name: str = ""
    passphrase: str = ""
    should_renew_links: bool = False
    should_replace: bool = False
    owner: User | None = None


@dataclass(slots=True, kw_only=True)
class ImportResult:
    """The result of an import: the club, the number of rows, and the parts of the archive that
    were not imported as they were.
    """

    club: Club
    row_count: int = 0
    new_slugs_by_old_slug: dict[str, str] = field(default_factory=dict)
    """The slugs from the archive that were already used here, each with its replacement."""
    unmatched_logins: list[str] = field(default_factory=list)
    """The members who got no role, because an existing user here has the same login name."""
    logins_without_password: list[str] = field(default_factory=list)
    link_count: int = 0
    """The number of imported links that are valid."""
    unprintable_link_count: int = 0
    """The number of these links that cannot be printed again with this machine's SECRET_KEY."""
    was_replaced: bool = False


def import_club(
    archive_path: Path,
    spec: ArchiveSpec,
    options: ImportOptions,
    *,
    progress: ProgressCallback = ignore_progress,
) -> ImportResult:
    """Import a club from an archive file, completely or not at all.

    Raises BadArchive for a file that is not an archive or was altered. Raises ArchiveRefused
    if the club already exists here, its name is taken, or it cannot be replaced now.
    """
    Path(settings.DATA_DIR).mkdir(mode=0o700, parents=True, exist_ok=True)
    with (
        create_work_folder(settings.DATA_DIR, "arriving") as work_folder,
        closing(
            archive_file.open_archive(archive_path, work_folder, options.passphrase)
        ) as archive,
    ):
        archived_models = _list_and_check_models(archive, spec)
        file_importer = FileImporter(archive)
        try:
            with _acquire_import_lock(), file_importer:
                import_result = _Import(
                    archive, spec, archived_models, options, file_importer
                ).run(progress)
                file_importer.remove_marker()
        except (IntegrityError, DataError, OverflowError, UnicodeEncodeError) as error:
            raise BadArchive(
                _("The database didn’t accept this file. Nothing was imported.")
            ) from error
    return import_result


def clean_requested_club_name(options: ImportOptions) -> str:
    """Return the requested club name without extra spaces.

    An empty name means that the name from the archive is used. Raises ArchiveRefused if the
    name is too long.
    """
    name = " ".join(options.name.split())
    max_length = Club._meta.get_field("name").max_length or 0
    if len(name) > max_length:
        message = _(
            "name: “%(name)s…” is longer than %(longest)s characters. Use a shorter name."
        )
        raise ArchiveRefused(message % {"name": name[:20], "longest": max_length})
    return name


@contextmanager
def _acquire_import_lock() -> Iterator[None]:
    """Run the block in a transaction that waits for other imports to finish."""
    with transaction.atomic():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s)", [IMPORT_LOCK_NUMBER])
        delete_unfinished_imports()
        yield


def _list_and_check_models(archive: Archive, spec: ArchiveSpec) -> list[ArchivedModel]:
    """Return all models that the archive format of this version contains.

    Raises BadArchive if the tables or columns of the archive do not match these models.
    """
    archived_models = list_archived_models(spec)
    tables_by_label = archive.manifest.tables_by_label
    for model_label in sorted(
        tables_by_label.keys() - {archived_model.label for archived_model in archived_models}
    ):
        raise BadArchive(_format_version_conflict(archive, model_label))
    for archived_model in archived_models:
        archive_table = tables_by_label.get(archived_model.label)
        fields_by_name = {field.attname: field for field in archived_model.fields}
        unknown_columns = (
            set(archive_table.columns) - fields_by_name.keys() if archive_table else set()
        )
        missing_fields = [
            fields_by_name[name]
            for name in fields_by_name.keys()
            - set(archive_table.columns if archive_table else fields_by_name)
        ]
        if unknown_columns or any(
            not (missing_field.has_default() or missing_field.null)
            for missing_field in missing_fields
        ):
            raise BadArchive(_format_version_conflict(archive, archived_model.label))
        if archive_table and archive_table.columns[:1] != (archived_model.fields[0].attname,):
            raise BadArchive.from_invalid_column(archived_model.label, "id")
    if (
        tables_by_label.get(Club._meta.label, None) is None
        or tables_by_label[Club._meta.label].row_count != 1
    ):
        raise BadArchive.from_invalid_column(Club._meta.label, "id")
    return archived_models


def _format_version_conflict(archive: Archive, model_label: str) -> str:
    message = _(
        "Overplay %(theirs)s stores %(table)s differently. Import this file with that version."
    )
    return message % {"theirs": archive.manifest.version, "table": model_label}


class _Import:
    """The import of one archive, inside a transaction."""

    def __init__(
        self,
        archive: Archive,
        spec: ArchiveSpec,
        archived_models: list[ArchivedModel],
        options: ImportOptions,
        file_importer: FileImporter,
    ) -> None:
        self.archive, self.spec, self.options, self.file_importer = (
            archive,
            spec,
            options,
            file_importer,
        )
        self.archived_models = [
            archived_model
            for archived_model in archived_models
            if archived_model.label in archive.manifest.tables_by_label
        ]
        self.models_by_prefix = get_audited_models(self.archived_models)
        self.imported_keys = ImportedKeys()
        self.inserted_count = 0

    def run(self, progress: ProgressCallback) -> ImportResult:
        """Delete the existing club if it is to be replaced, and insert the archived rows."""
        manifest = self.archive.manifest
        user_pks_by_trusted_login, was_replaced = self._remove_existing_club()
        self.logins = LoginMapping(manifest.logins, user_pks_by_trusted_login)
        for archived_model in self.archived_models:
            row_number_count = manifest.tables_by_label[archived_model.label].row_number_count
            self.imported_keys.set_reserved_pks(
                archived_model.label, reserve_pks(archived_model.model, row_number_count)
            )
        self.import_result = ImportResult(club=Club(), was_replaced=was_replaced)
        total_row_count = sum(
            archive_table.row_count for archive_table in manifest.tables_by_label.values()
        )
        for archived_model in self.archived_models:
            self._write_table(archived_model, manifest.tables_by_label[archived_model.label])
            progress(self.inserted_count, total_row_count)
        import_result = self.import_result
        import_result.row_count = self.inserted_count
        for audit_key in self._iter_audit_keys():
            bump_version(audit_key)
        club = Club.objects.get(pk=self.imported_keys(Club._meta.label, 1))
        import_result.club = self._switch_on_congress_features(club)
        import_result.unmatched_logins, import_result.logins_without_password = (
            self.logins.unmatched_names,
            self.logins.names_without_password,
        )
        if self.options.owner is not None:
            Membership.objects.update_or_create(
                club=import_result.club,
                user=self.options.owner,
                defaults={"role": Membership.Role.OWNER},
            )
        return import_result

    def _switch_on_congress_features(self, club: Club) -> Club:
        """Switch on congress features if an event of the archive uses one; return the club."""
        if club.has_congress_features:
            return club
        event_name = next(
            (
                name
                for list_event_names in self.spec.congress_event_finders
                for name in list_event_names(club)
            ),
            "",
        )
        return set_congress_features(
            club=club, congress=bool(event_name), used_by=event_name, by=self.options.owner
        )

    def _iter_audit_keys(self) -> Iterator[str]:
        """Yield the audit keys of the imported objects, whose cached pages become invalid."""
        for prefix, model in self.models_by_prefix.items():
            model_label, slug_field_name = model._meta.label, get_slug_field_name(model)
            archive_table = self.archive.manifest.tables_by_label[model_label]
            public_row_pks = [
                self.imported_keys(model_label, row_index + 1)
                for row_index in range(archive_table.row_number_count)
            ]
            imported_rows = model._base_manager.filter(pk__in=public_row_pks)
            yield from (
                f"{prefix}:{public_slug}"
                for public_slug in imported_rows.values_list(slug_field_name, flat=True)
            )

    def _remove_existing_club(self) -> tuple[dict[str, int], bool]:
        """Delete the club that the archive replaces, if there is one.

        Returns the primary keys by login name of the users who may get a role in the imported
        club (the deleted club's members and the new owner), and whether a club was deleted.
        Raises ArchiveRefused if the existing club is not to be replaced, if one of its
        activities is in play, or if another club has the name.
        """
        manifest = self.archive.manifest
        user_pks_by_trusted_login = (
            {self.options.owner.username: self.options.owner.pk} if self.options.owner else {}
        )
        existing_club = Club.objects.select_for_update().filter(uid=manifest.uid).first()
        if existing_club is not None and not self.options.should_replace:
            raise ArchiveRefused(
                _("%(club)s is already here. Replace it, or import the file elsewhere.")
                % {"club": existing_club.name}
            )
        if existing_club is not None:
            memberships = Membership.objects.filter(club=existing_club)
            user_pks_by_trusted_login |= dict(memberships.values_list("user__username", "user"))
            check_no_running_events(existing_club, self.spec)
            delete_club(existing_club, self.spec, self.archived_models)
        club_name = self._choose_club_name()
        if Club.objects.filter(name=club_name).exists():
            raise ArchiveRefused(
                _("There is already a club called %(club)s. Choose another name.")
                % {"club": club_name}
            )
        return user_pks_by_trusted_login, existing_club is not None

    def _choose_club_name(self) -> str:
        return clean_requested_club_name(self.options) or self.archive.manifest.name

    def _write_table(self, archived_model: ArchivedModel, archive_table: ArchiveTable) -> None:
        fields_by_column = {field.attname: field for field in archived_model.fields}
        columns = [fields_by_column[name] for name in archive_table.columns]
        missing_fields = [
            field
            for field in archived_model.fields
            if field.attname not in archive_table.columns
        ]
        parsers = [self._get_parser(archived_model, column) for column in columns]
        slug_field_name = get_slug_field_name(archived_model.model)
        row_batch: list[list[Any]] = []
        rows = self.archive.iter_rows(archived_model.label)
        for row in (
            self._assign_slugs(archived_model, columns, rows, slug_field_name)
            if slug_field_name
            else rows
        ):
            parsed_values = [parse(value) for parse, value in zip(parsers, row, strict=True)]
            if self._has_missing_login(columns, parsed_values):
                continue
            row_batch.append(
                parsed_values
                + [missing_field.get_default() for missing_field in missing_fields]
            )
            if len(row_batch) == ROWS_PER_BATCH:
                self._insert_batch(archived_model, columns + missing_fields, row_batch)
                row_batch = []
        self._insert_batch(archived_model, columns + missing_fields, row_batch)

    def _has_missing_login(self, columns: list[Any], parsed_values: list[Any]) -> bool:
        """Return whether a row requires a login for which there is no user in this
        installation.
        """
        return any(
            value is None and not field.null and is_login_model(get_target_model(field))
            for field, value in zip(columns, parsed_values, strict=True)
        )

    def _insert_batch(
        self, archived_model: ArchivedModel, columns: list[Any], row_batch: list[list[Any]]
    ) -> None:
        if not row_batch:
            return
        self._make_uids_unique(archived_model, columns, row_batch)
        quote_name = connection.ops.quote_name
        columns_sql = ", ".join(quote_name(str(column.column)) for column in columns)
        placeholders = ", ".join(["%s"] * len(columns))
        prepared_rows = [
            [
                field.get_db_prep_save(value, connection)
                for field, value in zip(columns, row, strict=True)
            ]
            for row in row_batch
        ]
        with connection.cursor() as cursor:
            table_name = quote_name(archived_model.model._meta.db_table)
            sql = f"INSERT INTO {table_name} ({columns_sql}) VALUES ({placeholders})"
            cursor.executemany(sql, prepared_rows)
        self.inserted_count += len(row_batch)

    def _make_uids_unique(
        self, archived_model: ArchivedModel, columns: list[Any], row_batch: list[list[Any]]
    ) -> None:
        """Replace UUIDs that existing rows already have, and count the links in the batch."""
        column_names = [column.name for column in columns]
        for column in columns:
            if isinstance(column, models.UUIDField) and column.unique:
                column_index = column_names.index(column.name)
                uid_filter = {f"{column.name}__in": [row[column_index] for row in row_batch]}
                taken_uids = set(
                    archived_model.model._base_manager.filter(**uid_filter).values_list(
                        column.name, flat=True
                    )
                )
                for row in row_batch:
                    row[column_index] = (
                        uuid4() if row[column_index] in taken_uids else row[column_index]
                    )
        if issubclass(archived_model.model, SecretLink):
            for row in row_batch:
                self._count_and_renew_link(column_names, row)

    def _count_and_renew_link(self, column_names: list[str], row: list[Any]) -> None:
        """Count a valid link, and give it a new token if the user requested new links."""
        if row[column_names.index("revoked_at")] is not None:
            return
        salt_index, hash_index = column_names.index("salt"), column_names.index("token_hash")
        self.import_result.link_count += 1
        if self.options.should_renew_links:
            row[salt_index], row[hash_index] = create_salt_and_hash()
        elif not SecretLink.can_derive_token(row[salt_index], row[hash_index]):
            self.import_result.unprintable_link_count += 1

    def _assign_slugs(
        self,
        archived_model: ArchivedModel,
        columns: list[Any],
        rows: Iterator[list[Any]],
        slug_field_name: str,
    ) -> Iterator[list[Any]]:
        """Yield the archived rows; replace each slug that an existing or earlier row has."""
        slug_index = [column.name for column in columns].index(slug_field_name)
        max_length = (columns[slug_index].max_length or 0) - len("-9999")
        all_rows = list(rows)
        archived_slugs = {str(row[slug_index]) for row in all_rows}
        taken_slugs = set(
            archived_model.model._base_manager.values_list(slug_field_name, flat=True)
        )
        assigned_slugs: set[str] = set()
        for row in all_rows:
            old_slug = row[slug_index]
            if not isinstance(old_slug, str) or not isinstance(row[0], int):
                raise BadArchive.from_invalid_column(archived_model.label, slug_field_name)
            if old_slug in taken_slugs or old_slug in assigned_slugs:
                row[slug_index] = create_free_slug(
                    str(old_slug)[:max_length],
                    archived_model.model,
                    archived_slugs | assigned_slugs,
                )
                self.import_result.new_slugs_by_old_slug[str(old_slug)] = row[slug_index]
            assigned_slugs.add(row[slug_index])
            self.imported_keys.set_slug(archived_model.label, row[0], row[slug_index])
            yield row

    def _get_parser(self, archived_model: ArchivedModel, model_field: Any) -> Any:
        """Return the function that converts a column's archived values to database values."""
        model_label, target_model = archived_model.label, get_target_model(model_field)
        if model_field.primary_key:
            return lambda value: self.imported_keys(model_label, value)
        if is_login_model(target_model):
            return lambda value: None if value is None else self.logins.get_user_pk(value)
        if target_model is not None:
            target_label = target_model._meta.label
            return lambda value: (
                None if value is None else self.imported_keys(target_label, value)
            )
        if isinstance(model_field, models.FileField):
            return lambda value: self.file_importer.store_file(model_field, value)
        return self._get_plain_column_parser(archived_model, model_field)

    def _get_plain_column_parser(self, archived_model: ArchivedModel, model_field: Any) -> Any:
        """Return the function that converts a column that is not a foreign key or a file."""
        if archived_model.model is Club and model_field.name == "name":
            return lambda value: parse_value(model_field, self._choose_club_name())
        if archived_model.model is Act and model_field.name in ("about", "club", "back"):
            return self._get_act_parser(model_field)
        if paths := self.spec.reference_paths_by_field.get(
            f"{archived_model.label}.{model_field.name}"
        ):
            return lambda value: replace_references(value, paths, self.imported_keys)
        return lambda value: parse_value(model_field, value)

    def _get_act_parser(self, model_field: Any) -> Any:
        if model_field.name == "club":
            club_reference = f"@{Club._meta.label}"
            return lambda _value: self.imported_keys(club_reference, "#1")
        if model_field.name == "about":
            return lambda value: parse_value(
                model_field,
                convert_audit_subject(value, self.models_by_prefix, self.imported_keys),
            )
        return lambda value: replace_undo_references(value, self.spec, self.imported_keys)
