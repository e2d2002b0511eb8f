"""Services that start a night with the people who have checked in, and undo the start."""

from django.db import transaction
from django.utils.translation import gettext as _

from clubs import audit
from clubs.activities.services import increment_revision, lock_activity
from clubs.audit import Actor, Undo
from clubs.errors import CheckInRefused, NotNow
from clubs.evenings.first_seats import PresentPerson
from clubs.evenings.services import lock_evening, mark_started, write_check_in_state
from clubs.models import Evening
from rubbers.errors import RubberRefused
from rubbers.models import Belonging, RubberHand, RubberNight, RubberTable, Spell
from rubbers.rubber.check_in_tables import group_by_table
from rubbers.rubber.cuts import MAX_MEMBERS
from rubbers.rubber.dummy import MIN_PLAYERS
from rubbers.services.nights import NewRubberPlayer, create_player
from rubbers.services.table_acts import check_not_of_drive, check_open


@transaction.atomic
def start_from_check_in(*, night: RubberNight, by: Actor) -> RubberNight:
    """Create the tables with the people who sit there; each table then cuts for partners.

    Idempotent. Raises CheckInRefused if the night has tables already, and RubberRefused for a
    table with too few people.
    """
    evening = lock_evening(night.evening)
    if evening.check_in_state == Evening.CheckInState.STARTED:
        return night
    if evening.check_in_state != Evening.CheckInState.OPEN:
        raise CheckInRefused(_("Check-in isn't open."))
    row = lock_activity(night)
    check_not_of_drive(row)
    check_open(row)
    if row.tables.exists():
        raise CheckInRefused(_("This night has tables already. Add players there."))
    people = {check_in.pk: check_in for check_in in evening.check_ins.select_related("player")}
    tables = group_by_table(
        PresentPerson(pk, check_in.chair) for pk, check_in in people.items()
    )
    sizes = [len(keys) for keys in tables.values()]
    if not sizes or min(sizes) < MIN_PLAYERS or max(sizes) > MAX_MEMBERS:
        raise RubberRefused(_("A table needs at least two players."))
    numbers = {}
    for number, keys in tables.items():
        table = RubberTable.objects.create(night=row, number=number)
        for key in keys:
            guest = NewRubberPlayer(name=people[key].name, player=people[key].player)
            holder = create_player(row, guest)
            Belonging.objects.create(table=table, holder=holder)
            numbers[key] = holder.number
    mark_started(evening=evening, numbers=numbers)
    increment_revision(row)
    audit.record(
        by,
        "check_in.started",
        subject=row,
        after={"tables": len(tables), "players": len(numbers)},
        back=Undo((f"check_ins {evening.pk}",), "rubbers.check_in"),
    )
    return row


@transaction.atomic
def reopen_check_in(*, night: RubberNight, by: Actor) -> None:
    """Undo the start: remove the tables and players, and open the check-in again.

    Raises NotNow once players were seated.
    """
    evening = lock_evening(night.evening)
    row = lock_activity(night)
    check_open(row)
    if evening.check_in_state != Evening.CheckInState.STARTED:
        raise NotNow(_("Already undone."))
    is_played = Spell.objects.filter(table__night=row).exists()
    if is_played or RubberHand.objects.filter(table__night=row).exists():
        raise NotNow(_("Players have been seated since then. Undo that first."))
    row.tables.all().delete()
    row.players.all().delete()
    write_check_in_state(evening=evening, state=Evening.CheckInState.OPEN)
    increment_revision(row)
    audit.record(by, "check_in.opened", subject=row, back=Undo((f"check_ins {evening.pk}",)))
