"""Services that create a new event for the people of an earlier event or whist drive."""

from dataclasses import dataclass
from datetime import date as Date

from django.db import transaction
from django.utils.translation import gettext as _

import scoring.services
import tournaments.services
from clubs.audit import Actor
from drives.models import Drive, DrivePlayer
from drives.snapshot import DriveSnapshot, load_drive_snapshot
from tournaments.entry_words import NAMES_PER_ENTRY
from tournaments.errors import ActionUnavailable
from tournaments.models import Event


@dataclass(frozen=True, slots=True)
class EventFromDrive:
    """A new event, and the names of the drive's players who are not entered in it."""

    event: Event
    left_out_names: tuple[str, ...]


@transaction.atomic
def copy_event(*, event: Event, date: Date, by: Actor) -> Event:
    """Create an event on another day with the same name, terms and entries; idempotent.

    The copy has no movement and no boards, because the number of entries may change.
    """
    idempotency_key = f"again {event.pk} {date.isoformat()}"
    existing_event = event.club.events.filter(form_key=idempotency_key).first()
    return existing_event or scoring.services.copy_event(
        event=event,
        name=event.name,
        date=date,
        entries=list(event.entries.order_by("number")),
        should_renumber_seeds=False,
        form_key=idempotency_key,
        by=by,
    )


@transaction.atomic
def create_event_from_drive(
    *,
    drive: Drive,
    date: Date,
    contest: str = Event.Contest.INDIVIDUAL,
    by: Actor,
) -> EventFromDrive:
    """Create an event for the players of a drive, who become players of the club; idempotent.

    Single players are entered in the order of their numbers. Pairs are formed by rank: first
    with second, third with fourth, and so on. Players without a partner or a name are not
    entered, and the result lists them. Raises ActionUnavailable if the contest is for teams.
    Raises InvalidRoster if two players have the same name.
    """
    if contest not in (Event.Contest.INDIVIDUAL, Event.Contest.PAIRS):
        raise ActionUnavailable(_("Drive players can only continue as individuals or pairs."))
    snapshot = load_drive_snapshot(drive)
    idempotency_key = f"onward {drive.pk} {contest} {date.isoformat()}"
    entry_size = NAMES_PER_ENTRY[Event.Contest(contest)]
    named_players, unnamed_players = _list_named_and_unnamed_players(
        snapshot, should_sort_by_rank=entry_size > 1
    )
    entered_count = len(named_players) - len(named_players) % entry_size
    left_out_people = [*named_players[entered_count:], *unnamed_players]
    left_out_names = tuple(drive_player.full_name for drive_player in left_out_people)
    existing_event = drive.club.events.filter(form_key=idempotency_key).first()
    if existing_event is not None:
        return EventFromDrive(existing_event, left_out_names)
    event = scoring.services.create_event(
        club=drive.club,
        name=_("%(name)s, with boards") % {"name": drive.name},
        date=date,
        contest=contest,
        paper_size=_choose_paper_size(drive.paper_size),
        form_key=idempotency_key,
        by=by,
    )
    tournaments.services.create_entries(
        event=event,
        rows=[
            (
                f"{named_players[start_index].number}",
                [
                    drive_player.full_name
                    for drive_player in named_players[start_index : start_index + entry_size]
                ],
            )
            for start_index in range(0, entered_count, entry_size)
        ],
        players=[
            drive_player.player
            for drive_player in named_players
            if drive_player.player is not None
        ],
        by=by,
    )
    return EventFromDrive(event, left_out_names)


def _list_named_and_unnamed_players(
    drive_snapshot: DriveSnapshot, *, should_sort_by_rank: bool
) -> tuple[list[DrivePlayer], list[DrivePlayer]]:
    """Return the drive's named players and its players without a name.

    Stand-ins and players who left early are not included.
    """
    staying_players = [
        drive_player
        for drive_player in drive_snapshot.ranked_players
        if drive_player.to_round is None
    ]
    if should_sort_by_rank:
        ranks_by_number = {
            ranked_player.number: ranked_player.rank
            for ranked_player in drive_snapshot.scores.ranking
        }
        staying_players.sort(
            key=lambda drive_player: ranks_by_number.get(
                drive_player.number, len(ranks_by_number)
            )
        )
    named_players = [
        drive_player
        for drive_player in staying_players
        if drive_player.player or drive_player.name
    ]
    return named_players, [
        drive_player for drive_player in staying_players if drive_player not in named_players
    ]


def _choose_paper_size(paper_size: str) -> str:
    """Return the drive's paper size if events support it, otherwise A4."""
    return paper_size if paper_size in Event.PaperSize.values else Event.PaperSize.A4
