"""A person forgotten: grades and mail log go, and files with whole names."""

from functools import partial

from django.db import transaction

from clubs.archives.known import Known
from clubs.audit import Actor
from clubs.models import Player
from seasons.grades.models import Grade, GradeStep, HiddenGrade
from seasons.publishing.club_files import path_of
from seasons.publishing.models import ClubFile, EventTables, ResultsMail
from tournaments.services.forgetting import forget_person


@transaction.atomic
def forget(*, player: Player, typed: str, known: Known, by: Actor) -> None:
    """Forget a person for good, with the own grade and mail log; drop the club's files.

    Raises EntryRefused as `tournaments.services.forgetting` does; then nothing is changed.
    """
    club = player.club
    for rows in (Grade, GradeStep, HiddenGrade, ResultsMail):
        rows.objects.filter(player=player).delete()
    Grade.objects.filter(partner=player).update(partner=None, shown=None, range=None, word="")
    forget_person(player=player, typed=typed, known=known, by=by)
    EventTables.objects.filter(event__club=club).delete()
    for file in ClubFile.objects.filter(club=club):
        path = path_of(file)
        transaction.on_commit(partial(path.unlink, missing_ok=True), robust=True)
        file.delete()
