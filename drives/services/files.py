"""Imports a drive file as a new drive, or as a newer version of an existing drive."""

from collections.abc import Mapping
from datetime import date as Date
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.secrecy import format_full_name
from clubs.activities.services import build_creation_undo, lock_activity
from clubs.audit import Actor, Undo
from clubs.errors import ActionUnavailable
from clubs.evenings.event_days import format_event_day_error, is_valid_event_day
from clubs.models import Club, Evening
from clubs.names.tidy import build_name_key
from clubs.services.people import load_players_by_name_key
from clubs.today import get_club_date
from drives.errors import DriveActionNotAllowed, UnreadableDrive
from drives.files.drive_file import (
    DriveFile,
    DriveFileDraw,
    DriveFileHand,
    DriveFileRound,
    parse_drive_file,
)
from drives.files.export import build_minimal_file_data
from drives.files.patches import compute_patches
from drives.games.reading import build_hand_data, parse_hand
from drives.models import (
    Award,
    CardTotal,
    CardVersion,
    Draw,
    Drive,
    DrivePlayer,
    Prize,
    Round,
    Seat,
    Sheet,
    SheetVersion,
)
from drives.play_forms import find_play_form
from drives.play_forms.drawn_cards import START_BY_CARDS, START_TERM, can_seat_by_cards
from drives.play_forms.rounds import select_form_terms
from drives.services.prizes import build_prize_row
from drives.snapshot import load_drive_snapshot as load_snapshot
from drives.table_marks import get_table_marks_hooks
from drives.trumps import compute_round_trumps
from server.json_reader.decoder import decode_json
from server.json_reader.problems import format_problem
from server.request_source import get_request_source

JsonObject = dict[str, Any]


@transaction.atomic
def import_drive(*, club: Club, file_text: str, by: Actor) -> Drive:
    """Import a drive file; atomic and idempotent.

    If a drive with the same uid exists, the file replaces its data. Raises ActionUnavailable if
    that drive was changed here after its import and the file has no higher revision. Raises
    UnreadableDrive or DriveActionNotAllowed for an invalid file.
    """
    file_data = decode_json(file_text, UnreadableDrive)
    drive_file = parse_drive_file(file_data, get_table_marks_hooks().file_format)
    _check_terms(drive_file)
    existing_drive = Drive.objects.filter(uid=drive_file.uid).first()
    if existing_drive is None:
        drive = _build_drive(club, drive_file)
        _write_drive_file(drive, drive_file, file_data, by)
        _record_import(drive, by, build_creation_undo(Drive, "seats"))
        return drive
    drive = lock_activity(existing_drive)
    if drive.club_id != club.pk:
        message = _("This drive already belongs to %(club)s.")
        raise DriveActionNotAllowed(message % {"club": drive.club})
    if _is_unchanged(drive, file_data):
        return drive
    _check_file_is_newer(drive, drive_file)
    _delete_drive_data(drive)
    _write_drive_file(drive, drive_file, file_data, by)
    _record_import(drive, by, None)
    return drive


def _record_import(drive: Drive, by: Actor, undo: Undo | None) -> None:
    new_values = {"form": drive.form, "players": drive.players.count()}
    audit.record(by, "drive.imported", subject=drive, after=new_values, undo=undo)


def _check_terms(drive_file: DriveFile) -> None:
    play_form = find_play_form(drive_file.form.code)
    form_terms = select_form_terms(drive_file.terms)
    if form_terms and not play_form.terms:
        message = _("terms: %(form)s has no setting “%(term)s”.")
        raise UnreadableDrive(
            message % {"form": play_form.code, "term": next(iter(form_terms))}
        )
    play_form.format_call(form_terms)
    start_rule = drive_file.terms.get(START_TERM, START_BY_CARDS)
    if start_rule != START_BY_CARDS or (
        START_TERM in drive_file.terms and not can_seat_by_cards(play_form)
    ):
        message = _("terms: %(form)s has no setting “%(term)s”.")
        raise UnreadableDrive(
            message % {"form": play_form.code, "term": f"start: {start_rule!s:.20}"}
        )
    for field_text, name in ((drive_file.name, "name"),):
        if len(field_text) > 200:
            problem = _("this is too long.")
            raise UnreadableDrive(f"{name}: {problem}")


def _build_drive(club: Club, drive_file: DriveFile) -> Drive:
    date_in_file = Date.fromisoformat(drive_file.date) if drive_file.date else None
    if date_in_file is not None and not is_valid_event_day(date_in_file):
        raise UnreadableDrive(f"date: {format_event_day_error()}")
    drive_date = date_in_file or get_club_date(club)
    evening = Evening.objects.create(club=club, date=drive_date)
    slug = Drive.create_slug(drive_file.name, drive_date)
    return Drive(uid=drive_file.uid, club=club, evening=evening, slug=slug)


def _is_unchanged(drive: Drive, file_data: JsonObject) -> bool:
    """Return whether the file equals the drive's export or the file that was imported last."""
    current_data = build_minimal_file_data(load_snapshot(drive), format_full_name)
    import_patches = drive.without[1:] if drive.without else []
    return file_data == current_data or (
        bool(import_patches) and compute_patches(current_data, file_data) == import_patches
    )


def _check_file_is_newer(drive: Drive, drive_file: DriveFile) -> None:
    stored_revision = drive.without[0] if drive.without else None
    has_local_changes = stored_revision != drive.revision
    if has_local_changes and (
        drive_file.revision is None or drive_file.revision <= drive.revision
    ):
        raise ActionUnavailable(_("The drive here is newer than this file."))


def _delete_drive_data(drive: Drive) -> None:
    """Delete the data of a drive before a file replaces it; the history is kept."""
    Award.objects.filter(prize__drive=drive).delete()
    Sheet.objects.filter(round__drive=drive).delete()
    CardTotal.objects.filter(player__drive=drive).delete()
    Seat.objects.filter(round__drive=drive).delete()
    drive.played.all().delete()
    drive.prizes.all().delete()
    drive.players.update(takes_over=None)
    drive.players.all().delete()


def _write_drive_file(
    drive: Drive, drive_file: DriveFile, file_data: JsonObject, by: Actor
) -> None:
    """Write a file to a drive that is new or whose data was deleted."""
    drive.name, drive.form, drive.terms = (
        drive_file.name,
        drive_file.form.code,
        drive_file.terms,
    )
    drive.score, drive.hands = file_data["score"], drive_file.scoring.hands_per_round
    drive.rounds = drive_file.rounds
    drive.trumps, (drive.first_word, drive.second_word) = drive_file.trumps, drive_file.words
    drive.apart = sorted(sorted(pair) for pair in drive_file.apart)
    drive.halves, drive.one_prize_each = drive_file.has_halves, drive_file.has_one_prize_each
    drive.standings_shown, drive.paper_size = (
        drive_file.standings_visibility,
        drive_file.paper_size,
    )
    drive.secret = drive_file.secret or None
    drive.commitment = drive_file.commitment or ""
    drive.state, drive.at_round = drive_file.state, drive_file.last_round_number
    drive.closed_at = timezone.now() if drive.is_closed else None
    drive.revision = max(drive.revision + 1 if drive.pk else 0, drive_file.revision or 0)
    drive.without = []
    drive.clean_fields(exclude=["club", "evening"])
    drive.save()
    players_by_number = _create_players(drive, drive_file)
    _create_rounds(drive, drive_file, players_by_number, by)
    _create_totals(drive_file, players_by_number, by)
    prizes = Prize.objects.bulk_create(
        build_prize_row(drive, prize_number, prize_line)
        for prize_number, prize_line in enumerate(drive_file.prizes, start=1)
    )
    _create_awards(drive_file, prizes, players_by_number)
    get_table_marks_hooks().import_section(drive, drive_file, by)
    snapshot = load_snapshot(drive)
    drive.without = [
        drive.revision,
        *compute_patches(build_minimal_file_data(snapshot, format_full_name), file_data),
    ]
    drive.save(update_fields=["without"])


def _create_players(drive: Drive, drive_file: DriveFile) -> dict[int, DrivePlayer]:
    players_by_key = load_players_by_name_key(drive.club)
    players_by_number = {}
    playing_player_ids: set[int] = set()
    for player_in_file in drive_file.players:
        club_player = (
            None
            if player_in_file.house
            else players_by_key.get(build_name_key(player_in_file.name))
        )
        if club_player is not None and club_player.pk in playing_player_ids:
            club_player = None  # another player in the file is this club player
        playing_player_ids |= (
            {club_player.pk} if club_player and player_in_file.to_round is None else set()
        )
        players_by_number[player_in_file.number] = DrivePlayer(
            drive=drive,
            number=player_in_file.number,
            player=club_player,
            name=player_in_file.name,
            role=player_in_file.role or "",
            of_club=player_in_file.club or "",
            fort=player_in_file.fort or "",
            house=player_in_file.house,
            present=player_in_file.present,
            stays_seated=player_in_file.stays_seated,
            from_round=player_in_file.attended_rounds.first_round_number,
            to_round=player_in_file.to_round,
        )
    DrivePlayer.objects.bulk_create(players_by_number.values())
    for player_in_file in drive_file.players:
        if player_in_file.takes_over is not None:
            players_by_number[player_in_file.number].takes_over = players_by_number[
                player_in_file.takes_over
            ]
            players_by_number[player_in_file.number].save(update_fields=["takes_over"])
    return players_by_number


def _create_rounds(
    drive: Drive, drive_file: DriveFile, players_by_number: Mapping[int, DrivePlayer], by: Actor
) -> None:
    draw_by_round = _create_draws(drive, drive_file.draws, by)
    existing_draw = None
    seats: list[Seat] = []
    for round_ in drive_file.all_rounds:
        draw = draw_by_round.get(round_.number)
        if draw is None:
            existing_draw = draw = existing_draw or Draw.objects.create(
                drive=drive,
                kind=Draw.Kind.MANUAL,
                first=round_.number,
                drawn_at=timezone.now(),
                drawn_by=audit.format_author_key(by),
            )
        trumps = (
            compute_round_trumps(drive, round_.number)
            if round_.trumps is None
            else round_.trumps
        )
        round_row = Round.objects.create(
            drive=drive, number=round_.number, trumps=trumps, draw=draw
        )
        seats += [
            Seat(
                round=round_row,
                player=players_by_number[int(player_number)],
                table=table_number,
                seat=seat_number,
            )
            for table_number, table_players in round_.tables.items()
            for seat_number, player_number in enumerate(table_players, start=1)
        ]
        seats += [
            Seat(round=round_row, player=players_by_number[player_number], order=order)
            for order, player_number in enumerate(round_.rest, start=1)
        ]
        _create_sheets(round_row, round_, drive_file, by)
    Seat.objects.bulk_create(seats, batch_size=2000)


def _create_draws(
    drive: Drive, draws_in_file: tuple[DriveFileDraw, ...], by: Actor
) -> dict[int, Draw]:
    draws_by_round: dict[int, Draw] = {}
    for draw_in_file in draws_in_file:
        draw = Draw.objects.create(
            drive=drive,
            kind=draw_in_file.kind,
            first=draw_in_file.first_round,
            given=dict(draw_in_file.given),
            drawn_at=timezone.now(),
            drawn_by=draw_in_file.by[:150] or audit.format_author_key(by),
        )
        draws_by_round |= dict.fromkeys(draw_in_file.rounds, draw)
    return draws_by_round


def _create_sheets(
    round_row: Round, round_in_file: DriveFileRound, drive_file: DriveFile, by: Actor
) -> None:
    hand_by_table_and_number = round_in_file.get_hands_by_table_and_hand_number(
        drive_file.scoring
    )
    sheets = [
        Sheet(
            round=round_row,
            table=table_number,
            hand=hand_number,
            score=list(hand_in_file.score),
            extras=_omit_zero_extras(hand_in_file.extras),
            contract=_normalise_contract(drive_file, hand_in_file),
        )
        for (table_number, hand_number), hand_in_file in hand_by_table_and_number.items()
        if hand_in_file.score
    ]
    tables_with_hands = {table_number for table_number, _hand in hand_by_table_and_number}
    played_round = next(
        (
            played_round
            for played_round in drive_file.played_rounds
            if played_round.number == round_row.number
        ),
        None,
    )
    sheets += [
        Sheet(
            round=round_row,
            table=table_score.table_number,
            score=list(table_score.score),
            extras=_omit_zero_extras(table_score.extras),
        )
        for table_score in (played_round.sheets if played_round else ())
        if table_score.score and table_score.table_number not in tables_with_hands
    ]
    SheetVersion.objects.bulk_create(
        SheetVersion(
            sheet=sheet,
            score=sheet.score,
            extras=sheet.extras,
            contract=sheet.contract,
            **_build_entered_by_fields(by),
        )
        for sheet in Sheet.objects.bulk_create(sheets)
    )


def _normalise_contract(drive_file: DriveFile, hand: DriveFileHand) -> dict[str, Any]:
    """Return the contract of a hand in the stored format; the file is already validated."""
    if not hand.contract or drive_file.points_table is None:
        return {}
    return build_hand_data(parse_hand(hand.contract, drive_file.points_table).hand)


def _omit_zero_extras(extra_points: tuple[int, ...]) -> list[int]:
    return list(extra_points) if any(extra_points) else []


def _build_entered_by_fields(by: Actor) -> dict[str, Any]:
    return {
        "entered_by": audit.format_author_key(by),
        "entered_at": timezone.now(),
        "way": get_request_source(),
    }


def _create_totals(
    drive_file: DriveFile, players_by_number: Mapping[int, DrivePlayer], by: Actor
) -> None:
    card_totals = [
        CardTotal(
            player=players_by_number[card.number],
            part=card.part,
            total=card.total,
            rests=card.rests,
            rows=list(card.rows),
        )
        for card in drive_file.totals
    ]
    CardVersion.objects.bulk_create(
        CardVersion(
            card=card_total,
            total=card_total.total,
            rests=card_total.rests,
            rows=card_total.rows,
            **_build_entered_by_fields(by),
        )
        for card_total in CardTotal.objects.bulk_create(card_totals)
    )


def _create_awards(
    drive_file: DriveFile, prizes: list[Prize], players_by_number: Mapping[int, DrivePlayer]
) -> None:
    awards = []
    for order, award in enumerate(drive_file.awards or (), start=1):
        if award.prize > len(prizes):
            message = _("prize %(prize)s not found.")
            raise UnreadableDrive(
                format_problem(f"awards[{order - 1}]", message, prize=award.prize)
            )
        if award.number is not None and award.number not in players_by_number:
            message = _("player %(number)s not found.")
            raise UnreadableDrive(
                format_problem(f"awards[{order - 1}]", message, number=award.number)
            )
        winner = players_by_number[int(award.number)] if award.number is not None else None
        prize = prizes[award.prize - 1]
        awards.append(Award(prize=prize, order=order, player=winner, why=award.why))
    Award.objects.bulk_create(awards)
