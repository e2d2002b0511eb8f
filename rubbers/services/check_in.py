"""Services that start a night with the people who have checked in, and reopen the check-in."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor, Undo
from clubs.errors import ActionUnavailable, CheckInRefused
from clubs.evenings.first_seats import PresentPerson
from clubs.evenings.services import end_check_in, lock_evening, write_check_in_state
from clubs.models import CheckIn, Evening
from clubs.names.tidy import build_name_key
from rubbers.errors import RubberRefused
from rubbers.models import Belonging, RubberHand, RubberNight, RubberTable, Spell
from rubbers.rubber.check_in_tables import group_people_by_table
from rubbers.rubber.cuts import MAX_TABLE_MEMBERS
from rubbers.rubber.dummy import MIN_PLAYERS
from rubbers.services.nights import NewRubberPlayer, create_player
from rubbers.services.table_acts import check_has_no_drive, check_is_open


@transaction.atomic
def start_night_from_check_in(*, night: RubberNight, by: Actor) -> RubberNight:
    """Create the tables, with the people who have checked in at them as members.

    Players who were added earlier take part too; their tables are created again. Idempotent.
    Raises CheckInRefused if players are already seated, and RubberRefused for a table with too
    few people.
    """
    evening = lock_evening(night.evening)
    if evening.check_in_state == Evening.CheckInState.STARTED:
        return night
    if evening.check_in_state != Evening.CheckInState.OPEN:
        raise CheckInRefused(_("Check-in isn’t open."))
    locked_night = lock_activity(night)
    check_has_no_drive(locked_night)
    check_is_open(locked_night)
    _dissolve_tables(locked_night, evening)
    check_ins_by_id = {
        check_in.pk: check_in for check_in in evening.check_ins.select_related("player")
    }
    check_in_ids_by_table = group_people_by_table(
        PresentPerson(pk, check_in.chair) for pk, check_in in check_ins_by_id.items()
    )
    table_sizes = [len(check_in_ids) for check_in_ids in check_in_ids_by_table.values()]
    if (
        not table_sizes
        or min(table_sizes) < MIN_PLAYERS
        or max(table_sizes) > MAX_TABLE_MEMBERS
    ):
        raise RubberRefused(_("A table needs at least two players."))
    player_number_by_check_in_id = {}
    for table_number, check_in_ids in check_in_ids_by_table.items():
        table = RubberTable.objects.create(night=locked_night, number=table_number)
        for check_in_id in check_in_ids:
            new_player = NewRubberPlayer(
                name=check_ins_by_id[check_in_id].name,
                player=check_ins_by_id[check_in_id].player,
            )
            player = create_player(locked_night, new_player)
            Belonging.objects.create(table=table, holder=player)
            player_number_by_check_in_id[check_in_id] = player.number
    end_check_in(evening=evening, numbers_by_check_in=player_number_by_check_in_id)
    increment_revision(locked_night)
    audit.record(
        by,
        "check_in.started",
        subject=locked_night,
        after={
            "tables": len(check_in_ids_by_table),
            "players": len(player_number_by_check_in_id),
        },
        undo=Undo((f"check_ins {evening.pk}",), "rubbers.check_in"),
    )
    return locked_night


def _dissolve_tables(night: RubberNight, evening: Evening) -> None:
    """Delete the existing tables, and check in their players without a seat.

    Raises CheckInRefused if players are already seated.
    """
    if has_seated_players(night):
        raise CheckInRefused(_("Players are seated already. Add others at a table."))
    check_ins = list(evening.check_ins.all())
    present_name_keys = {build_name_key(check_in.name) for check_in in check_ins}
    present_player_ids = {check_in.player_id for check_in in check_ins if check_in.player_id}
    for player in night.players.select_related("player"):
        is_present = (
            player.player_id in present_player_ids
            or build_name_key(player.full_name) in present_name_keys
        )
        if not is_present:
            CheckIn.objects.create(
                evening=evening,
                player=player.player,
                name=player.full_name,
                at=timezone.now(),
            )
    night.tables.all().delete()
    night.players.all().delete()


def has_seated_players(night: RubberNight) -> bool:
    """Return whether the night has any seating or hand."""
    return (
        Spell.objects.filter(table__night=night).exists()
        or RubberHand.objects.filter(table__night=night).exists()
    )


@transaction.atomic
def reopen_check_in(*, night: RubberNight, by: Actor) -> None:
    """Undo `start_night_from_check_in`: delete tables and players, and reopen the check-in.

    Raises ActionUnavailable if players are already seated.
    """
    evening = lock_evening(night.evening)
    locked_night = lock_activity(night)
    check_is_open(locked_night)
    if evening.check_in_state != Evening.CheckInState.STARTED:
        raise ActionUnavailable(_("Already undone."))
    if has_seated_players(locked_night):
        raise ActionUnavailable(
            _("Players have been seated since this change. Undo the seating first.")
        )
    locked_night.tables.all().delete()
    locked_night.players.all().delete()
    write_check_in_state(evening=evening, state=Evening.CheckInState.OPEN)
    increment_revision(locked_night)
    audit.record(
        by, "check_in.opened", subject=locked_night, undo=Undo((f"check_ins {evening.pk}",))
    )
