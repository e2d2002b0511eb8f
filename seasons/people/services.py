"""Services that compute the statistics of events, and delete a person's data."""

from collections.abc import Collection
from functools import partial

from django.db import transaction
from django.db.models import Exists, F, OuterRef, QuerySet

from clubs.archives.spec import ArchiveSpec
from clubs.audit import Actor
from clubs.models import Player
from seasons.grades.cells import group_boards_into_cells
from seasons.grades.compared_boards import SAME_DIRECTION_CONTESTS, compute_entry_boards
from seasons.grades.models import Grade, GradeStep, HiddenGrade
from seasons.people.models import EntryFigures
from seasons.publishing.club_files import get_club_file_path
from seasons.publishing.models import ClubFile, EventTables, ResultsMail
from tournaments.models import Entry, Event
from tournaments.services.erasure import erase_person


@transaction.atomic
def compute_statistics(event: Event) -> None:
    """Compute and store the statistics of all entries of an event.

    If the stored statistics belong to the current standings, nothing changes.
    """
    event = Event.objects.select_for_update(of=("self",)).get(pk=event.pk)
    standings_version = Event.objects.filter(pk=event.pk).values_list(
        "ranking__version", flat=True
    )[0]
    if standings_version is None or not query_outdated_events([event.pk]).exists():
        return
    boards_by_entry = compute_entry_boards(event)
    statistics = []
    for entry_pk in Entry.objects.filter(event=event).values_list("pk", flat=True):
        evening_cells = group_boards_into_cells(boards_by_entry.get(entry_pk, []))
        statistics.append(
            EntryFigures(
                entry_id=entry_pk,
                version=standings_version,
                parts=evening_cells.denominator,
                cells=evening_cells.cells,
            )
        )
    EntryFigures.objects.filter(entry__event=event).delete()
    EntryFigures.objects.bulk_create(statistics)


def query_outdated_events(event_pks: Collection[int] | None = None) -> QuerySet[Event]:
    """Return finished events with missing or outdated statistics, the newest first."""
    current_statistics = EntryFigures.objects.filter(
        entry=OuterRef("pk"), version=OuterRef("event__ranking__version")
    )
    outdated_entries = Entry.objects.filter(~Exists(current_statistics), event=OuterRef("pk"))
    finished_events = (
        Event.objects.exclude_hidden()
        .filter_finished()
        .filter(contest__in=SAME_DIRECTION_CONTESTS, ranking__isnull=False)
    )
    if event_pks is not None:
        finished_events = finished_events.filter(pk__in=event_pks)
    return (
        finished_events.filter(Exists(outdated_entries))
        .annotate(now=F("ranking__version"))
        .order_by("-date")
    )


@transaction.atomic
def delete_personal_data(
    *, player: Player, typed_name: str, archive_spec: ArchiveSpec, by: Actor
) -> None:
    """Delete a person's data permanently, including grades and the record of e-mails.

    The club's zip exports and cached tables are deleted too, because they contain the name.
    Raises InvalidEntry in the same cases as `tournaments.services.erasure`.
    """
    club = player.club
    for model in (Grade, GradeStep, HiddenGrade, ResultsMail):
        model.objects.filter(player=player).delete()
    Grade.objects.filter(partner=player).update(partner=None, shown=None, range=None, word="")
    erase_person(player=player, typed_name=typed_name, spec=archive_spec, by=by)
    EventTables.objects.filter(event__club=club).delete()
    for club_file in ClubFile.objects.filter(club=club):
        path = get_club_file_path(club_file)
        transaction.on_commit(partial(path.unlink, missing_ok=True), robust=True)
        club_file.delete()
