"""Imports the file of a rubber night as a new night, or replaces an existing night."""

from collections.abc import Sequence
from datetime import date as Date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import build_creation_undo, lock_activity
from clubs.audit import Actor, Undo
from clubs.errors import ActionUnavailable
from clubs.evenings.event_days import format_event_day_error, is_valid_event_day
from clubs.models import Club, Evening
from clubs.names.tidy import build_name_key
from clubs.services.people import load_players_by_name_key
from clubs.today import get_club_date
from drives.models import Drive
from drives.prizes.lot import compute_commitment
from rubbers.errors import RubberRefused
from rubbers.files.drive_file import RubberSection
from rubbers.files.export import export_night
from rubbers.files.night_file import (
    NightFile,
    ParsedTable,
    build_hand_data,
    build_stored_cuts_data,
    parse_night_file,
)
from rubbers.models import (
    Belonging,
    HandVersion,
    RubberHand,
    RubberNight,
    RubberPlayer,
    RubberTable,
    Spell,
)
from rubbers.rubber.errors import UnreadableRubber
from rubbers.services.drives import build_drive_rubber_night
from rubbers.snapshot import load_night
from server.json_reader.decoder import decode_json
from server.json_reader.problems import can_be_stored
from server.request_source import get_request_source


@transaction.atomic
def import_rubber_night(*, club: Club, file_text: str, by: Actor) -> RubberNight:
    """Import a night's file; atomic and idempotent.

    A file with a higher revision replaces the existing night with the same uid; other changed
    files raise ActionUnavailable. Raises UnreadableRubber for an invalid file. Raises
    RubberRefused for a wrong secret, an unusable character, or a night of another club or of a
    drive.
    """
    file_data = decode_json(file_text, UnreadableRubber)
    if not can_be_stored(file_data):
        raise RubberRefused(_("The file contains invalid characters."))
    night_file = parse_night_file(file_data)
    _check_secret(night_file)
    existing_night = (
        RubberNight.objects.filter(uid=night_file.uid).first() if night_file.uid else None
    )
    if existing_night is None:
        night = _build_night(club, night_file)
        _create_rows(night, night_file, by)
        _record_import(night, by, build_creation_undo(RubberNight))
        return night
    night = lock_activity(existing_night)
    if night.club_id != club.pk or night.drive is not None:
        message = _("This night already belongs to %(club)s.")
        raise RubberRefused(message % {"club": night.club})
    exported_data = export_night(load_night(night))
    if {**exported_data, "secret": None} == {**file_data, "secret": None}:
        return night
    if night_file.revision is None or night_file.revision <= night.revision:
        raise ActionUnavailable(_("The night here is newer than this file."))
    _delete_rows(night)
    _create_rows(night, night_file, by)
    _record_import(night, by, None)
    return night


def _check_secret(night_file: NightFile) -> None:
    if (
        night_file.secret
        and night_file.commitment
        and compute_commitment(night_file.secret) != night_file.commitment
    ):
        raise RubberRefused(_("The file’s secret doesn’t match the published fingerprint."))


def _record_import(night: RubberNight, by: Actor, undo: Undo | None) -> None:
    new_values = {"code": night.code, "players": night.players.count()}
    audit.record(by, "rubbers.imported", subject=night, after=new_values, undo=undo)


def _build_night(club: Club, night_file: NightFile) -> RubberNight:
    night_date = Date.fromisoformat(night_file.date) if night_file.date else get_club_date(club)
    if not is_valid_event_day(night_date):
        raise UnreadableRubber.create_at_path(_("date"), format_event_day_error())
    evening = Evening.objects.create(club=club, date=night_date)
    slug = RubberNight.create_slug(night_file.name, night_date)
    night = RubberNight(club=club, evening=evening, slug=slug)
    if night_file.uid is not None:
        night.uid = night_file.uid
    return night


def _delete_rows(night: RubberNight) -> None:
    """Delete the data of a night before a file replaces it; the history is kept."""
    night.tables.all().delete()
    night.players.all().delete()


def _create_rows(night: RubberNight, night_file: NightFile, by: Actor) -> None:
    night.name, night.code, night.terms = (
        night_file.name,
        night_file.code.name,
        night_file.term_changes,
    )
    night.paper_size = night_file.paper
    night.state = RubberNight.State.CLOSED if night_file.is_closed else RubberNight.State.OPEN
    night.closed_at = timezone.now() if night_file.is_closed else None
    night.secret = night_file.secret or night.secret
    night.commitment = night_file.commitment or (
        compute_commitment(night_file.secret) if night_file.secret else ""
    )
    night.revision = max(night.revision + 1 if night.pk else 0, night_file.revision or 0)
    night.clean_fields(exclude=["club", "evening", "drive"])
    night.save()
    players_by_number = _create_players(night, night_file)
    for parsed_table in night_file.tables:
        rubber_table = RubberTable.objects.create(night=night, number=parsed_table.number)
        Belonging.objects.bulk_create(
            Belonging(
                table=rubber_table,
                holder=players_by_number[int(member.player_key)],
                since=member.first_spell_number,
                until=member.last_spell_number,
            )
            for member in parsed_table.night.members
        )
        _create_spells(rubber_table, parsed_table, by)


def _create_players(night: RubberNight, night_file: NightFile) -> dict[int, RubberPlayer]:
    players_by_key = load_players_by_name_key(night.club)
    used_player_ids: set[int] = set()
    players_by_number = {}
    for player_number, name in night_file.players.items():
        club_player = players_by_key.get(build_name_key(name))
        if club_player is not None and club_player.pk in used_player_ids:
            club_player = None  # another player has the same name; store only the name
        used_player_ids |= {club_player.pk} if club_player else set()
        players_by_number[player_number] = RubberPlayer(
            night=night, number=player_number, player=club_player, name=name
        )
    RubberPlayer.objects.bulk_create(players_by_number.values())
    return players_by_number


def _create_spells(table: RubberTable, parsed_table: ParsedTable, by: Actor) -> None:
    spells_in_both_formats = zip(parsed_table.spells, parsed_table.night.spells, strict=True)
    for spell_number, (spell_in_file, spell_for_scoring) in enumerate(
        spells_in_both_formats, start=1
    ):
        Spell.objects.create(
            table=table,
            number=spell_number,
            seats=list(spell_in_file.seats),
            dealer=spell_in_file.dealer,
            cuts=build_stored_cuts_data(spell_in_file.cut_source, spell_in_file.cuts),
            substitutes={
                str(member): name for member, name in spell_in_file.substitutes.items()
            },
        )
        create_hands(
            table, spell_number, [build_hand_data(hand) for hand in spell_for_scoring.hands], by
        )


def create_hands(
    table: RubberTable, spell_number: int, hands_data: Sequence[dict[str, Any]], by: Actor
) -> None:
    """Create the hands of a spell, each with its first version."""
    hands = RubberHand.objects.bulk_create(
        RubberHand(table=table, spell=spell_number, number=hand_number, told=hand)
        for hand_number, hand in enumerate(hands_data, start=1)
    )
    HandVersion.objects.bulk_create(
        HandVersion(
            hand=hand,
            told=hand.told,
            entered_by=audit.format_author_key(by),
            entered_at=timezone.now(),
            way=get_request_source(),
        )
        for hand in hands
    )


def create_drive_rubbers(drive: Drive, parsed_rubbers: RubberSection | None, by: Actor) -> None:
    """Replace a drive's rubbers by the parsed ones; delete them if `parsed_rubbers` is None."""
    existing_night = RubberNight.objects.filter(drive=drive).first()
    if parsed_rubbers is None:
        if existing_night is not None:
            existing_night.delete()
        return
    night = existing_night or build_drive_rubber_night(drive)
    night.code, night.terms = parsed_rubbers.code, parsed_rubbers.terms
    night.revision += 1
    night.save()
    night.tables.all().delete()
    for parsed_table in parsed_rubbers.tables:
        rubber_table = RubberTable.objects.create(
            night=night,
            round=parsed_table.round_number,
            number=parsed_table.table_number,
            settled=parsed_table.is_settled,
        )
        seats = list(parsed_table.seats)
        Spell.objects.create(table=rubber_table, number=1, seats=seats, dealer=seats[0])
        create_hands(rubber_table, 1, parsed_table.stored_hands, by)
