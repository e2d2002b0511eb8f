"""Results by e-mail, sent to people who consented, once for each version of the results."""

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
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs import audit
from clubs.audit import Actor
from clubs.models import Player
from scoring.sheets.ranks import load_ranking_version
from scoring.sheets.values import RankedGroup, RankRow
from seasons.ladders.errors import SeasonActionRefused
from seasons.publishing.documents.values import PublishedEvent, read_published_document
from seasons.publishing.documents.writing import build_event_document, query_events_to_publish
from seasons.publishing.models import ResultsMail
from seasons.publishing.site.pages import ScorecardRow, iter_scorecard_rows
from server import formatting
from server.dates import format_date
from server.jobs.kinds import JobKind, Lane, build_club_finder, build_column_describer
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
    published_event: PublishedEvent
    entry_number_by_player: dict[int, int]  # the entry's number by the player's primary key


def load_mailed_evening(event: Event) -> MailedEvening:
    """Return the data of an event for its e-mails."""
    published_event = read_published_document(build_event_document(event))
    assert isinstance(published_event, PublishedEvent)
    players_and_numbers = event.entries.values_list("players", "number")
    return MailedEvening(
        event,
        published_event,
        {
            player_pk: entry_number
            for player_pk, entry_number in players_and_numbers
            if player_pk
        },
    )


def build_mail(mailed_evening: MailedEvening, player: Player) -> EmailMultiAlternatives | None:
    """Return the results e-mail for a player; None if the player is in no entry of the event.

    The e-mail has the player's own name in full, and the public names of other players.
    """
    entry_number = mailed_evening.entry_number_by_player.get(player.pk)
    if entry_number is None:
        return None
    published_event, event = mailed_evening.published_event, mailed_evening.event
    field_and_row = next(
        (
            (ranked_group, rank_row)
            for ranked_group in published_event.fields
            for rank_row in ranked_group.rows
            if rank_row.entry == entry_number
        ),
        None,
    )
    scorecard_path = reverse("scorecard", args=[event.slug, entry_number])
    unsubscribe_url = f"{settings.SITE_URL}{build_unsubscribe_path(player)}"
    context = {
        "player": player,
        "club": event.club,
        "evening": published_event,
        "field": field_and_row[0] if field_and_row else None,
        "row": field_and_row[1] if field_and_row else None,
        "place": _format_place(*field_and_row) if field_and_row else "",
        "lines": sorted(iter_scorecard_rows(published_event, entry_number), key=_get_sort_key),
        "card": f"{settings.SITE_URL}{scorecard_path}",
        "off": unsubscribe_url,
        "has_address": bool(settings.SITE_URL),
    }
    subject = f"{event.name}, {format_date(event.date, 'DATE')}"
    message = EmailMultiAlternatives(
        subject=" ".join(subject.split()),  # a line break would start another header
        body=render_to_string("seasons/mail/results.txt", context),
        to=[player.email],
    )
    message.attach_alternative(
        render_to_string("seasons/mail/results.html", context), "text/html"
    )
    if settings.SITE_URL:
        message.extra_headers["List-Unsubscribe"] = f"<{unsubscribe_url}>"
        message.extra_headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return message


def build_unsubscribe_path(player: Player) -> str:
    """Return a URL path that unsubscribes a player from results e-mails without a login."""
    return reverse("mail_off", args=[signing.dumps(player.pk, salt=UNSUBSCRIBE_SALT)])


def find_player_by_token(token: str) -> Player | None:
    """Return the player of an unsubscribe token; None if the token is invalid."""
    try:
        player_pk = signing.loads(token, salt=UNSUBSCRIBE_SALT)
    except signing.BadSignature:
        return None
    return Player.objects.select_related("club").filter(pk=player_pk).first()


def _format_place(ranked_group: RankedGroup, rank_row: RankRow) -> str:
    rank = formatting.format_rank(
        rank_row.rank, is_tied=rank_row.tied, has_rank=rank_row.boards > 0
    )
    return f"{rank} / {len(ranked_group.rows)}"


def _get_sort_key(scorecard_row: ScorecardRow) -> tuple[int, int, int]:
    return scorecard_row.board.session, scorecard_row.play.round, scorecard_row.board.number


State = ResultsMail.State


def query_mail_recipients(event: Event) -> QuerySet[Player]:
    """Return the players of an event who have an address and consented to results e-mails."""
    mail_consent_condition = Q(consents__what="mail", consents__given=True)
    players = Player.objects.filter(mail_consent_condition, entries__event=event).exclude(
        email=""
    )
    return players.distinct().order_by("pk")


@transaction.atomic
def queue_mails(*, event: Event, by: Actor) -> int:
    """Queue an e-mail with the current results for each reader who has not been sent them.

    Returns the number of queued e-mails. Raises SeasonActionRefused if this computer sends no
    e-mail, or if the results are not public yet.
    """
    if not settings.HAS_MAIL:
        raise SeasonActionRefused(_("E-mail isn’t set up on this computer."))
    # a double click sends two requests; the lock prevents a second mail
    event = Event.objects.select_for_update().get(pk=event.pk)
    if not query_events_to_publish(event.club).filter(pk=event.pk).exists():
        raise SeasonActionRefused(_("The event isn’t finished, or its standings are hidden."))
    ranking_version = load_ranking_version(event)
    mailed_players = ResultsMail.objects.filter(event=event, version=ranking_version).values(
        "player"
    )
    now = timezone.now()
    new_mails = [
        ResultsMail(event=event, player=player, version=ranking_version, at=now)
        for player in query_mail_recipients(event).exclude(pk__in=mailed_players)
    ]
    ResultsMail.objects.bulk_create(new_mails)
    if new_mails:
        audit.record(by, "results.mailed", subject=event, after={"count": len(new_mails)})
        enqueue(MAIL_JOB, event.pk)
    return len(new_mails)


def send_mails(pk: int) -> bool:
    """Send up to MAX_MAILS_PER_RUN queued e-mails of an event; return whether more are left."""
    unsent_mails = ResultsMail.objects.filter(
        event=pk, state__in=[State.WAITING, State.SENDING]
    )
    mails = list(unsent_mails.select_related("player", "event__club")[:MAX_MAILS_PER_RUN])
    if not mails or not settings.HAS_MAIL:
        return False
    event = Event.objects.select_related("club", "terms").get(pk=pk)
    recipient_pks = set(query_mail_recipients(event).values_list("pk", flat=True))
    mailed_evening = load_mailed_evening(event)
    for mail in mails:
        _send_mail(mail, mailed_evening, has_consent=mail.player_id in recipient_pks)
    return unsent_mails.exists()


def _send_mail(mail: ResultsMail, mailed_evening: MailedEvening, *, has_consent: bool) -> None:
    """Send one e-mail; its state is stored before and after the attempt."""
    message = build_mail(mailed_evening, mail.player) if has_consent else None
    if message is None:  # the player was deleted, or has withdrawn the consent
        ResultsMail.objects.filter(pk=mail.pk).delete()
        return
    try_count = mail.tries + 1
    _update_mail(mail, state=State.SENDING, tries=try_count)
    try:
        message.send()
    except (SMTPException, OSError, ValueError) as error:
        is_last_try = try_count >= MAX_TRIES
        error_name = f"{type(error).__name__}"
        _update_mail(
            mail, state=State.FAILED if is_last_try else State.WAITING, error=error_name
        )
    else:
        _update_mail(mail, state=State.SENT, error="")


def _update_mail(mail: ResultsMail, **new_values: object) -> None:
    ResultsMail.objects.filter(pk=mail.pk).update(at=timezone.now(), **new_values)


def _list_event_pks_with_unsent_mails() -> Iterable[int]:
    if not settings.HAS_MAIL:
        return []
    unsent_mails = ResultsMail.objects.filter(state__in=[State.WAITING, State.SENDING])
    return list(unsent_mails.order_by().values_list("event", flat=True).distinct())


MAIL_JOB = JobKind(
    "result_letters",
    title=gettext_lazy("results by e-mail"),
    lane=Lane.LATER,
    time_limit=300,
    run=send_mails,
    find_missing_job_keys=_list_event_pks_with_unsent_mails,
    describe_subject=build_column_describer(Event.objects),
    find_club=build_club_finder(Event.objects),
)
