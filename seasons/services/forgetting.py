"""A person forgotten, and the files with whole names that somebody asked for thrown away."""

from functools import partial

from django.db import transaction

from clubs.archives.known import Known
from clubs.audit import Actor
from clubs.models import Player
from seasons.models import ClubFile
from seasons.site.ordering import path_of
from tournaments.services.forgetting import forget_person


@transaction.atomic
def forget(*, player: Player, typed: str, known: Known, by: Actor) -> None:
    """Forget a person for good, and drop the files of the club that wait to be fetched.

    Raises EntryRefused as `tournaments.services.forgetting` does; then nothing is changed.
    """
    club = player.club
    forget_person(player=player, typed=typed, known=known, by=by)
    for file in ClubFile.objects.filter(club=club):
        path = path_of(file)
        transaction.on_commit(partial(path.unlink, missing_ok=True), robust=True)
        file.delete()
