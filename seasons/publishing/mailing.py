"""Results by e-mail: only to people who consented, once for each version of the results."""

from collections.abc import Iterable
from dataclasses import dataclass
from smtplib import SMTPException

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models import Q, QuerySet
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import audit
from clubs.audit import Actor
from clubs.models import Player
from scoring.sheets.ranks import load_rank_version
from scoring.sheets.values import RankField, RankRow
from seasons.ladders.errors import SeasonRefused
from seasons.publishing.documents.values import PublishedEvent, read_published
from seasons.publishing.documents.writing import build_event_document, query_events_to_publish
from seasons.publishing.models import ResultsMail
from seasons.publishing.site.pages import CardRow, iter_card_rows
from server import formatting
from server.jobs.kinds import JobKind, Lane, describe_by_column, find_club_by_column
from server.jobs.outbox import enqueue
from tournaments.models import Event

UNSUBSCRIBE_SALT = "seasons.mailing.off"
MAX_TRIES = 3
MAX_MAILS_PER_RUN = 10
"""The maximum number of e-mails that one run of the task sends.

Urgent tasks can run between two runs.
"""


@dataclass(frozen=True, slots=True)
class MailedEvening:
    """The data of an evening's results, loaded once for all its e-mails."""

    event: Event
    read: PublishedEvent
    entries: dict[int, int]  # entry numbers by the player's primary key


def load_evening(event: Event) -> MailedEvening:
    """Return the data of an event for its e-mails."""
    published_event = read_published(build_event_document(event))
    assert isinstance(published_event, PublishedEvent)
    rows = event.entries.values_list("players", "number")
    return MailedEvening(
        event, published_event, {player: number for player, number in rows if player}
    )


def build_mail(evening: MailedEvening, player: Player) -> EmailMultiAlternatives | None:
    """Return the results e-mail for a player; None if the player is in no entry of the event.

    It has the player's own name in full, and the public names of other players.
    """
    number = evening.entries.get(player.pk)
    if number is None:
        return None
    published_event, event = evening.read, evening.event
    place = next(
        ((f, r) for f in published_event.fields for r in f.rows if r.entry == number), None
    )
    unsubscribe_url = f"{settings.SITE_ADDRESS}{build_unsubscribe_path(player)}"
    context = {
        "player": player,
        "club": event.club,
        "evening": published_event,
        "field": place[0] if place else None,
        "row": place[1] if place else None,
        "place": _format_place(*place) if place else "",
        "lines": sorted(iter_card_rows(published_event, number), key=_get_sort_key),
        "card": f"{settings.SITE_ADDRESS}{reverse('scorecard', args=[event.slug, number])}",
        "off": unsubscribe_url,
        "has_address": bool(settings.SITE_ADDRESS),
    }
    subject = f"{event.name}, {date_format(event.date, 'j F Y')}"
    message = EmailMultiAlternatives(
        subject=" ".join(subject.split()),  # a line break would start another header
        body=render_to_string("seasons/mail/results.txt", context),
        to=[player.email],
    )
    message.attach_alternative(
        render_to_string("seasons/mail/results.html", context), "text/html"
    )
    if settings.SITE_ADDRESS:
        message.extra_headers["List-Unsubscribe"] = f"<{unsubscribe_url}>"
        message.extra_headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return message


def build_unsubscribe_path(player: Player) -> str:
    """Return a URL path that unsubscribes a player from results e-mails without a login."""
    return reverse("mail_off", args=[signing.dumps(player.pk, salt=UNSUBSCRIBE_SALT)])


def find_player(token: str) -> Player | None:
    """Return the player of an unsubscribe token; None if the token is invalid."""
    try:
        key = signing.loads(token, salt=UNSUBSCRIBE_SALT)
    except signing.BadSignature:
        return None
    return Player.objects.select_related("club").filter(pk=key).first()


def _format_place(field: RankField, row: RankRow) -> str:
    rank = formatting.format_rank(row.rank, tied=row.tied, is_placed=row.boards > 0)
    return f"{rank} / {len(field.rows)}"


def _get_sort_key(line: CardRow) -> tuple[int, int, int]:
    return line.board.session, line.play.round, line.board.number


State = ResultsMail.State


def query_readers(event: Event) -> QuerySet[Player]:
    """Return the players of an event who have an e-mail address and consented to results
    e-mails.
    """
    agreed = Q(consents__what="mail", consents__given=True)
    rows = Player.objects.filter(agreed, entries__event=event).exclude(email="")
    return rows.distinct().order_by("pk")


@transaction.atomic
def queue_mails(*, event: Event, by: Actor) -> int:
    """Queue an e-mail with the current results for each reader who has not been sent them.

    Returns the number of queued e-mails. Raises SeasonRefused if this computer sends no
    e-mail, or if the results are not public yet.
    """
    if not settings.HAS_MAIL:
        raise SeasonRefused(_("E-mail isn't set up on this computer."))
    event = Event.objects.select_for_update().get(pk=event.pk)  # a double click races
    if not query_events_to_publish(event.club).filter(pk=event.pk).exists():
        raise SeasonRefused(_("The event isn't finished, or its standings are hidden."))
    version = load_rank_version(event)
    mailed_players = ResultsMail.objects.filter(event=event, version=version).values("player")
    now = timezone.now()
    new_mails = [
        ResultsMail(event=event, player=player, version=version, at=now)
        for player in query_readers(event).exclude(pk__in=mailed_players)
    ]
    ResultsMail.objects.bulk_create(new_mails)
    if new_mails:
        audit.record(by, "results.mailed", subject=event, after={"count": len(new_mails)})
        enqueue(MAIL_JOB, event.pk)
    return len(new_mails)


def send_mails(pk: int) -> bool:
    """Send at most MAX_MAILS_PER_RUN of an event's queued e-mails; return whether more are
    left.
    """
    rows = ResultsMail.objects.filter(event=pk, state__in=[State.WAITS, State.GOING])
    waiting_rows = list(rows.select_related("player", "event__club")[:MAX_MAILS_PER_RUN])
    if not waiting_rows or not settings.HAS_MAIL:
        return False
    event = Event.objects.select_related("club", "terms").get(pk=pk)
    reader_keys = set(query_readers(event).values_list("pk", flat=True))
    evening = load_evening(event)
    for row in waiting_rows:
        _send(row, evening, is_wanted=row.player_id in reader_keys)
    return rows.exists()


def _send(row: ResultsMail, evening: MailedEvening, *, is_wanted: bool) -> None:
    """Send one e-mail; its state is stored before and after the attempt."""
    message = build_mail(evening, row.player) if is_wanted else None
    if message is None:  # deleted, or consent withdrawn, since it was queued
        ResultsMail.objects.filter(pk=row.pk).delete()
        return
    tries = row.tries + 1
    _store_state(row, state=State.GOING, tries=tries)
    try:
        message.send()
    except (SMTPException, OSError, ValueError) as error:
        is_over = tries >= MAX_TRIES
        failure = f"{type(error).__name__}"
        _store_state(row, state=State.FAILED if is_over else State.WAITS, error=failure)
    else:
        _store_state(row, state=State.SENT, error="")


def _store_state(row: ResultsMail, **values: object) -> None:
    ResultsMail.objects.filter(pk=row.pk).update(at=timezone.now(), **values)


def _list_unfinished() -> Iterable[int]:
    if not settings.HAS_MAIL:
        return []
    rows = ResultsMail.objects.filter(state__in=[State.WAITS, State.GOING])
    return list(rows.order_by().values_list("event", flat=True).distinct())


MAIL_JOB = JobKind(
    "result_letters",
    title=gettext_lazy("results by e-mail"),
    lane=Lane.LATER,
    time_limit=300,
    run=send_mails,
    find_missing=_list_unfinished,
    describe=describe_by_column(Event.objects),
    find_club=find_club_by_column(Event.objects),
)
