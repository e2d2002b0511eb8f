"""The job that sends letters: each once, and after a kill at most one more."""

from collections.abc import Iterable
from smtplib import SMTPException

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import audit
from clubs.audit import Actor
from clubs.models import Player
from scoring.sheets.ranks import rank_version
from seasons.ladders.errors import SeasonRefused
from seasons.publishing.documents.writing import events_to_publish
from seasons.publishing.mailing.letters import Evening, evening_of, letter
from seasons.publishing.models import ResultsMail
from server.jobs.kinds import Kind, Lane
from server.jobs.outbox import enqueue
from tournaments.models import Event

State = ResultsMail.State
MOST_TRIES = 3
AT_ONCE = 10
"""Letters in one slice of the job, so that what is wanted at once gets its turn."""


def readers(event: Event) -> QuerySet[Player]:
    """Who gets a letter: played here, has an address, and agreed."""
    agreed = Q(consents__what="mail", consents__given=True)
    rows = Player.objects.filter(agreed, entries__event=event).exclude(email="")
    return rows.distinct().order_by("pk")


@transaction.atomic
def order_letters(*, event: Event, by: Actor) -> int:
    """Have a letter sent to everybody who wants one and has none of this version; count them.

    Raises SeasonRefused where this computer sends no mail, or there is nothing to tell yet.
    """
    if not settings.HAS_MAIL:
        raise SeasonRefused(_("This computer cannot send mail."))
    event = Event.objects.select_for_update().get(pk=event.pk)  # a double click races
    if not events_to_publish(event.club).filter(pk=event.pk).exists():
        raise SeasonRefused(_("The evening is not over, or its standings are for nobody."))
    version = rank_version(event)
    had = ResultsMail.objects.filter(event=event, version=version).values("player")
    now = timezone.now()
    made = [
        ResultsMail(event=event, player=player, version=version, at=now)
        for player in readers(event).exclude(pk__in=had)
    ]
    ResultsMail.objects.bulk_create(made)
    if made:
        audit.record(by, "results.mailed", subject=event, after={"count": len(made)})
        enqueue(LETTERS, event.pk)
    return len(made)


def send_letters(pk: int) -> bool:
    """Send some of an evening's letters; True while there are more."""
    rows = ResultsMail.objects.filter(event=pk, state__in=[State.WAITS, State.GOING])
    waiting = list(rows.select_related("player", "event__club")[:AT_ONCE])
    if not waiting or not settings.HAS_MAIL:
        return False
    event = Event.objects.select_related("club", "terms").get(pk=pk)
    wanted = set(readers(event).values_list("pk", flat=True))
    evening = evening_of(event)
    for row in waiting:
        _send(row, evening, is_wanted=row.player_id in wanted)
    return rows.exists()


def _send(row: ResultsMail, evening: Evening, *, is_wanted: bool) -> None:
    """Send one; it is noted before that it is going, and after that it has gone."""
    made = letter(evening, row.player) if is_wanted else None
    if made is None:  # gone, or the word taken back, since it was ordered
        ResultsMail.objects.filter(pk=row.pk).delete()
        return
    tries = row.tries + 1
    _note(row, state=State.GOING, tries=tries)
    try:
        made.send()
    except (SMTPException, OSError, ValueError) as error:
        is_over = tries >= MOST_TRIES
        why = f"{type(error).__name__}"
        _note(row, state=State.FAILED if is_over else State.WAITS, error=why)
    else:
        _note(row, state=State.SENT, error="")


def _note(row: ResultsMail, **values: object) -> None:
    ResultsMail.objects.filter(pk=row.pk).update(at=timezone.now(), **values)


def _unfinished() -> Iterable[int]:
    if not settings.HAS_MAIL:
        return []
    rows = ResultsMail.objects.filter(state__in=[State.WAITS, State.GOING])
    return list(rows.order_by().values_list("event", flat=True).distinct())


def _name(pk: int) -> str:
    return Event.objects.filter(pk=pk).values_list("name", flat=True).first() or ""


def _club_of(pk: int) -> int | None:
    return Event.objects.filter(pk=pk).values_list("club", flat=True).first()


LETTERS = Kind(
    "result_letters",
    title=gettext_lazy("results to be sent by mail"),
    lane=Lane.LATER,
    time_limit=300,
    run=send_letters,
    find_missing=_unfinished,
    describe=_name,
    club_of=_club_of,
)
