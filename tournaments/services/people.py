"""Services that import a list of people into a club, and undo the import."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import ProtectedError, QuerySet
from django.utils.translation import gettext as _

from clubs import audit
from clubs.audit import Actor, Undo
from clubs.models import Club, Player
from clubs.people.columns import determine_columns
from clubs.people.import_preview import (
    ChangedPerson,
    ImportPreview,
    ListedPerson,
    build_preview,
)
from clubs.people.limits import ListRow
from clubs.people.tables import parse_list_file
from clubs.services.people import PRIVATE_FIELDS, set_details
from tournaments.errors import InvalidEntry, InvalidRoster
from tournaments.services.players import rename_player


def preview_people(
    *,
    club: Club,
    content: bytes | Sequence[ListRow],
    column_numbers: Mapping[str, int] | None = None,
    should_guess_columns: bool = True,
    day_month_order: str = "",
) -> ImportPreview:
    """Return what an import of a list would change, without storing it.

    `content` is the file, or its rows if the caller has already read them. `day_month_order` is
    `day` or `month` for dates such as 3/4/2020. If it is empty, it is guessed from the list.
    Raises UnreadableList.
    """
    list_rows = parse_list_file(content) if isinstance(content, bytes) else content
    used_column_numbers, rows = determine_columns(
        list_rows, column_numbers, should_guess=should_guess_columns
    )
    return build_preview(
        rows, used_column_numbers, Player.objects.filter(club=club), day_month_order
    )


@transaction.atomic
def import_people(
    *,
    club: Club,
    content: bytes | Sequence[ListRow],
    column_numbers: Mapping[str, int] | None = None,
    should_guess_columns: bool = True,
    day_month_order: str = "",
    should_skip_invalid_rows: bool = False,
    by: Actor,
) -> ImportPreview:
    """Import a list of people: add the new people, and update the details that differ.

    `content` is the file, or its rows if the caller has already read them. A second import of
    the same list changes nothing. If `should_skip_invalid_rows` is True,
    invalid rows are left out and returned in `ImportPreview.invalid_rows`. Otherwise
    InvalidRoster is raised with the row and column of every error, and nothing is imported.
    Raises UnreadableList.
    """
    club = Club.objects.select_for_update().get(pk=club.pk)  # a double click sends two requests
    preview = preview_people(
        club=club,
        content=content,
        column_numbers=column_numbers,
        should_guess_columns=should_guess_columns,
        day_month_order=day_month_order,
    )
    if preview.row_errors and not should_skip_invalid_rows:
        raise InvalidRoster(
            [
                _("Row %(row)s, %(column)s: %(why)s")
                % {
                    "row": row_error.row_number,
                    "column": row_error.field_key,
                    "why": row_error.reason,
                }
                for row_error in preview.row_errors
            ]
        )
    if not preview.has_importable_rows:
        return preview
    new_players = Player.objects.bulk_create(
        [_create_player(club, person) for person in preview.new_people]
    )
    undo_data = [_update_person(person, by) for person in preview.changed_people]
    player_pks = [
        *(player.pk for player in new_players),
        *(person.player.pk for person in preview.changed_people),
    ]
    audit.record(
        by,
        "people.imported",
        subject=club,
        after={"new": len(new_players), "changed": len(undo_data)},
        undo=Undo(
            tuple(f"player {pk}" for pk in player_pks),
            "people.put_back",
            {"new": [player.pk for player in new_players], "changed": undo_data},
        ),
    )
    return preview


@transaction.atomic
def undo_import(
    *, club: Club, new: Sequence[int], changed: Sequence[Mapping[str, Any]], by: Actor
) -> None:
    """Undo the import of a list: delete the added people, and restore the changed values.

    Raises InvalidEntry if one of the added people has been entered in an event since then, or
    if other rows refer to the person.
    """
    new_players = Player.objects.filter(club=club, pk__in=new)
    player_in_entry = new_players.filter(entries__isnull=False).first()
    if player_in_entry is not None:
        message = _("Can’t undo: %(name)s has since been entered in an event.")
        raise InvalidEntry(message % {"name": player_in_entry.name})
    _delete_players(new_players)
    for change in changed:
        player = Player.objects.get(club=club, pk=change["player"])
        _write_player_values(player, change["before"], by)
    subjects = tuple(f"player {pk}" for pk in [*new, *(change["player"] for change in changed)])
    audit.record(
        by,
        "people.put_back",
        subject=club,
        before={"new": len(new), "changed": len(changed)},
        undo=Undo(subjects),
    )


def _delete_players(players: QuerySet[Player]) -> None:
    try:
        players.delete()
    except ProtectedError as error:
        protected_pks = {getattr(row, "player_id", 0) for row in error.protected_objects}
        player = players.filter(pk__in=protected_pks).first()
        message = _(
            "Can’t undo: %(name)s is now in results, bookings, table money or on a trophy."
        )
        raise InvalidEntry(message % {"name": player or _("Someone")}) from None


def _create_player(club: Club, person: ListedPerson) -> Player:
    player = Player(club=club)
    set_details(player, person.values_by_field)
    return player


def _update_person(person: ChangedPerson, by: Actor) -> dict[str, Any]:
    """Update a person from the list; return the data to undo the update."""
    old_values_by_field = {
        field_name: old_value
        for field_name, (old_value, _new_value) in person.changes_by_field.items()
    }
    _write_player_values(
        person.player,
        {
            field_name: new_value
            for field_name, (_old_value, new_value) in person.changes_by_field.items()
        },
        by,
    )
    return {"player": person.player.pk, "before": old_values_by_field}


def _write_player_values(player: Player, values_by_field: Mapping[str, str], by: Actor) -> None:
    detail_values = {
        field_name: values_by_field[field_name]
        for field_name in PRIVATE_FIELDS
        if field_name in values_by_field
    }
    set_details(player, detail_values)
    if detail_values:
        player.save(update_fields=list(detail_values))
    if "name" in values_by_field:
        rename_player(player=player, name=values_by_field["name"], by=by)
