"""Records acts that change a drive's players and seats, and undoes them exactly.

For each act, the values that it changed are stored as they were before and after it. An undo
first checks that these values have not changed since the act, and that no seat with a score
would be removed.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor, Undo
from clubs.errors import ActionUnavailable
from clubs.evenings.services import build_clock_state, set_clock_state, write_check_in_state
from drives.draw.participants import PlayerId, SeatedRound
from drives.models import CardTotal, Draw, Drive, DriveChange, DrivePlayer, Round, Seat, Sheet

SEATS_SUBJECT = "seats"
"""The subject of all acts that change players and seats. Because they have the same subject,
they can only be undone in order, the newest first.
"""

CLOCK_KEY = "clock"
"""The key of the clock in a saved state.

If the clock has changed since the act, the act can still be undone, but the clock stays.
"""
CHECK_IN_KEY = "check_in"
"""The key of the check-in in a saved state; a start from check-in changes it."""

DRIVE_FIELDS = ("state", "at_round", "rounds", "apart")
PLAYER_COLUMNS = (
    "player_id",
    "name",
    "role",
    "of_club",
    "fort",
    "house",
    "present",
    "stays_seated",
    "from_round",
    "to_round",
    "takes_over_id",
)


@dataclass
class SeatChange:
    """A locked drive while its players or seats change, with details for the history."""

    drive: Drive
    audit_location: dict[str, Any] = field(default_factory=dict)
    audit_before: dict[str, Any] = field(default_factory=dict)
    audit_after: dict[str, Any] = field(default_factory=dict)
    stored_change: DriveChange | None = None


def check_drive_open(drive: Drive) -> None:
    """Raise ActionUnavailable if the drive is closed."""
    if drive.is_closed:
        raise ActionUnavailable(_("The drive is closed. Reopen it first."))


@contextmanager
def record_seat_change(drive: Drive, action: str, *, by: Actor) -> Iterator[SeatChange]:
    """Lock a drive, run the body of the `with` statement, and record what it has changed.

    If nothing has changed, as after a double click, nothing is recorded.
    """
    with transaction.atomic():
        locked_drive = lock_activity(drive)
        check_drive_open(locked_drive)
        old_state = _build_state(locked_drive)
        change = SeatChange(locked_drive)
        yield change
        locked_drive.save()
        new_state = _build_state(locked_drive)
        old_values, new_values = (
            _compute_difference(old_state, new_state),
            _compute_difference(new_state, old_state),
        )
        if old_values != new_values:
            increment_revision(locked_drive)
            change.stored_change = DriveChange.objects.create(
                drive=locked_drive, before=old_values, after=new_values
            )
            audit.record(
                by,
                action,
                subject=locked_drive,
                where=change.audit_location,
                before=change.audit_before,
                after=change.audit_after,
                undo=Undo(
                    (SEATS_SUBJECT,), "drive.put_back", {"change": change.stored_change.pk}
                ),
            )


@transaction.atomic
def undo_seat_change(*, drive: Drive, change: int, by: Actor) -> None:
    """Restore a drive's players and seats to their state before a change.

    Raises ActionUnavailable if they have changed since, or if seats with a score would be
    removed.
    """
    drive_change = DriveChange.objects.filter(drive=drive, pk=change).first()
    if drive_change is None:
        raise ActionUnavailable(_("Can’t undo: this no longer exists."))
    with record_seat_change(drive, "drive.put_back", by=by) as undo_change:
        current_state = _build_state(undo_change.drive)
        if not _is_part_unchanged(
            {
                part_name: part_values
                for part_name, part_values in drive_change.after.items()
                if part_name != CLOCK_KEY
            },
            current_state,
        ):
            raise ActionUnavailable(
                _(
                    "Players or seats have changed since this change. Undo the later changes "
                    "first."
                )
            )
        _check_scored_seats_unchanged(
            undo_change.drive, drive_change.before["rounds"], current_state["rounds"]
        )
        check_no_later_scores(undo_change.drive, drive_change.before["drive"].get("at_round"))
        _check_no_card_handed_in(undo_change.drive, drive_change.before["players"])
        is_same_clock = _is_part_unchanged(
            {CLOCK_KEY: drive_change.after.get(CLOCK_KEY, {})}, current_state
        )
        undo_change.audit_location = (
            {"round": undo_change.drive.at_round} if undo_change.drive.at_round else {}
        )
        _restore_state(undo_change.drive, drive_change.before)
        if is_same_clock:
            set_clock_state(
                evening=undo_change.drive.evening,
                clock_state=drive_change.before.get(CLOCK_KEY, {}),
            )


def _check_scored_seats_unchanged(
    drive: Drive,
    target_rounds_by_number: Mapping[str, Any],
    current_rounds_by_number: Mapping[str, Any],
) -> None:
    """Raise ActionUnavailable if the seats of a table with a score would change."""
    for round_number, table_number in list_scored_tables(drive):
        if str(round_number) not in target_rounds_by_number:
            continue
        target_round, current_seats = (
            target_rounds_by_number[str(round_number)],
            current_rounds_by_number[str(round_number)]["tables"].get(str(table_number)),
        )
        if (
            target_round is None
            or target_round["tables"].get(str(table_number)) != current_seats
        ):
            raise _build_scored_table_error(round_number, table_number)


def check_no_later_scores(drive: Drive, last_round_number: int | None) -> None:
    """Raise ActionUnavailable if a round after the last one has a score.

    No page would show that score. `last_round_number` is None if there is no last round.
    """
    for round_number, table_number in list_scored_tables(drive):
        if last_round_number is not None and round_number > last_round_number:
            raise _build_scored_table_error(round_number, table_number)


def _build_scored_table_error(round_number: int, table_number: int) -> ActionUnavailable:
    message = _("Table %(table)s already has a score in round %(round)s. Remove it first.")
    return ActionUnavailable(message % {"table": table_number, "round": round_number})


def _check_no_card_handed_in(drive: Drive, target_players_by_number: Mapping[str, Any]) -> None:
    """Raise ActionUnavailable if a player would be removed whose card was handed in."""
    cards_with_total = CardTotal.objects.filter(
        player__in=_list_removed_players(drive, target_players_by_number), total__isnull=False
    )
    card = cards_with_total.select_related("player").first()
    if card is not None:
        message = _("Card %(number)s is already handed in. Remove its total first.")
        raise ActionUnavailable(message % {"number": card.player.number})


def _list_removed_players(
    drive: Drive, target_players_by_number: Mapping[str, Any]
) -> QuerySet[DrivePlayer]:
    """Return the players who are deleted when a state is restored.

    In `target_players_by_number`, a player who did not exist in that state has the value None.
    """
    removed_numbers = [
        int(player_number)
        for player_number, stored_values in target_players_by_number.items()
        if stored_values is None
    ]
    return drive.players.filter(number__in=removed_numbers)


def list_scored_tables(drive: Drive) -> list[tuple[int, int]]:
    """Return (round number, table) for each table that has a score."""
    scored_sheets = Sheet.objects.filter(round__drive=drive).exclude(score=[])
    return sorted(set(scored_sheets.values_list("round__number", "table")))


def _build_state(drive: Drive) -> dict[str, dict[str, Any]]:
    """Return all values of a drive that seat changes may affect, as JSON data."""
    players = drive.players.order_by("number").values("pk", "number", *PLAYER_COLUMNS)
    rounds_by_number: dict[int, dict[str, Any]] = {
        round_number: {
            "trumps": trumps,
            "draw": draw_pk,
            "tables": defaultdict(list),
            "rest": [],
        }
        for round_number, trumps, draw_pk in drive.played.order_by("number").values_list(
            "number", "trumps", "draw_id"
        )
    }
    seats = Seat.objects.filter(round__drive=drive).order_by("table", "seat", "order", "id")
    for round_number, table_number, player_number in seats.values_list(
        "round__number", "table", "player__number"
    ):
        round_data = rounds_by_number[round_number]
        (
            round_data["rest"]
            if table_number is None
            else round_data["tables"][str(table_number)]
        ).append(player_number)
    return {
        CLOCK_KEY: build_clock_state(drive.evening),
        CHECK_IN_KEY: {"state": drive.evening.check_in_state},
        "drive": {name: getattr(drive, name) for name in DRIVE_FIELDS},
        "players": {
            str(player_values.pop("number")): player_values for player_values in players
        },
        "rounds": {
            str(round_number): round_data | {"tables": dict(round_data["tables"])}
            for round_number, round_data in rounds_by_number.items()
        },
    }


def _compute_difference(
    old_state: Mapping[str, Mapping[str, Any]], new_state: Mapping[str, Mapping[str, Any]]
) -> dict[str, dict[str, Any]]:
    """Return the values of `old_state` that differ in `new_state`; missing values are None."""
    return {
        part_name: {
            key: old_state[part_name].get(key)
            for key in {**old_state[part_name], **new_state[part_name]}
            if key not in old_state[part_name]
            or key not in new_state[part_name]
            or old_state[part_name][key] != new_state[part_name][key]
        }
        for part_name in old_state
    }


def _is_part_unchanged(
    expected_state_part: Mapping[str, Mapping[str, Any]],
    current_state: Mapping[str, Mapping[str, Any]],
) -> bool:
    return all(
        current_state[name].get(key) == expected_value
        for name, expected_values in expected_state_part.items()
        for key, expected_value in expected_values.items()
    )


def _restore_state(drive: Drive, previous_state: Mapping[str, Mapping[str, Any]]) -> None:
    """Write a state to the database.

    Seats refer to players. So rounds are deleted before players are deleted, and created
    after players are created.
    """
    if check_in_values := previous_state.get(CHECK_IN_KEY):
        write_check_in_state(evening=drive.evening, state=check_in_values["state"])
    for number_key in previous_state["rounds"]:
        delete_round(drive, int(number_key))
    removed_players = _list_removed_players(drive, previous_state["players"])
    # `_check_no_card_handed_in` has checked that the totals of these cards are empty.
    CardTotal.objects.filter(player__in=removed_players, total=None).delete()
    for player in removed_players.order_by("-takes_over_id", "-pk"):
        player.delete()
    players_to_restore = {
        number_key: stored_values
        for number_key, stored_values in previous_state["players"].items()
        if stored_values is not None
    }
    club_player_ids = set(drive.club.players.values_list("pk", flat=True))
    for number_key, stored_values in sorted(
        players_to_restore.items(), key=lambda item: item[1]["pk"]
    ):
        column_values = {name: stored_values[name] for name in PLAYER_COLUMNS}
        # The club's player no longer exists if it was merged into another one.
        if column_values["player_id"] not in club_player_ids:
            column_values["player_id"] = None
        drive.players.update_or_create(
            number=int(number_key),
            defaults=column_values,
            create_defaults=column_values | {"pk": stored_values["pk"]},
        )
    for name, field_value in previous_state["drive"].items():
        setattr(drive, name, field_value)
    draws = drive.draws.in_bulk()
    write_rounds(
        drive,
        [
            RoundToWrite(
                number=int(number_key),
                trumps=stored_values["trumps"],
                draw=draws[stored_values["draw"]],
                seats_by_table={
                    int(table_number): seats
                    for table_number, seats in stored_values["tables"].items()
                },
                resting_players=stored_values["rest"],
            )
            for number_key, stored_values in previous_state["rounds"].items()
            if stored_values is not None
        ],
    )


def delete_round(drive: Drive, round_number: int) -> None:
    """Delete a round; if it has scores, delete only its seats and its sheets without scores."""
    rounds = drive.played.filter(number=round_number)
    Sheet.objects.filter(round__in=rounds, score=[]).delete()
    Seat.objects.filter(round__in=rounds).delete()
    rounds.exclude(sheets__isnull=False).delete()


@dataclass(frozen=True, kw_only=True)
class RoundToWrite:
    """A round to store: its number, trumps and draw, its tables by number, and its rests."""

    number: int
    trumps: str
    draw: Draw
    seats_by_table: Mapping[int, Sequence[PlayerId]]
    resting_players: Sequence[PlayerId] = ()


def build_round_to_write(
    round_number: int, trumps: str, draw: Draw, seated_round: SeatedRound
) -> RoundToWrite:
    """Return a drawn round as a `RoundToWrite`, with tables numbered from 1."""
    seats_by_table = dict(enumerate(seated_round.tables, start=1))
    return RoundToWrite(
        number=round_number,
        trumps=trumps,
        draw=draw,
        seats_by_table=seats_by_table,
        resting_players=seated_round.resting_players,
    )


def write_rounds(drive: Drive, rounds: Iterable[RoundToWrite]) -> None:
    """Write the seats of rounds, in a fixed number of queries for any number of rounds."""
    player_id_by_number = {
        player.number: player.pk for player in DrivePlayer.objects.filter(drive=drive)
    }
    seats: list[Seat] = []
    for round_ in rounds:
        stored_round, _is_new = Round.objects.update_or_create(
            drive=drive,
            number=round_.number,
            defaults={"draw": round_.draw, "trumps": round_.trumps},
        )
        seats += [
            Seat(
                round=stored_round,
                player_id=player_id_by_number[int(player)],
                table=table_number,
                seat=seat_number,
            )
            for table_number, table_seats in round_.seats_by_table.items()
            for seat_number, player in enumerate(table_seats, start=1)
        ]
        seats += [
            Seat(round=stored_round, player_id=player_id_by_number[int(player)], order=order)
            for order, player in enumerate(round_.resting_players, start=1)
        ]
    Seat.objects.bulk_create(seats, batch_size=2000)
