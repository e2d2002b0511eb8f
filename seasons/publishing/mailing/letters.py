"""One letter: the own place, the own boards, and the ranking, as everybody may read them."""

from dataclasses import dataclass

from django.conf import settings
from django.core import signing
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.formats import date_format

from clubs.models import Player
from scoring.sheets.values import RankField, RankRow
from seasons.publishing.documents.values import PublishedEvent, read_published
from seasons.publishing.documents.writing import event_document
from seasons.publishing.site.cards import CardRow
from seasons.publishing.site.evening_pages import lines_of
from server import formatting
from tournaments.models import Event

SALT = "seasons.mailing.off"


@dataclass(frozen=True, slots=True)
class Evening:
    """An evening read once for all its letters."""

    event: Event
    read: PublishedEvent
    entries: dict[int, int]  # of players, the number of the entry


def evening_of(event: Event) -> Evening:
    """Read an evening for its letters."""
    read = read_published(event_document(event))
    assert isinstance(read, PublishedEvent)
    rows = event.entries.values_list("players", "number")
    return Evening(event, read, {player: number for player, number in rows if player})


def letter(evening: Evening, player: Player) -> EmailMultiAlternatives | None:
    """Write a person's letter; None for somebody who is in no entry.

    The own name stands in it whole, everybody else's as that person wants it shown.
    """
    number = evening.entries.get(player.pk)
    if number is None:
        return None
    read, event = evening.read, evening.event
    place = next(((f, r) for f in read.fields for r in f.rows if r.entry == number), None)
    off = f"{settings.SITE_ADDRESS}{off_path(player)}"
    context = {
        "player": player,
        "club": event.club,
        "evening": read,
        "field": place[0] if place else None,
        "row": place[1] if place else None,
        "place": _place(*place) if place else "",
        "lines": sorted(lines_of(read, number), key=_order),
        "card": f"{settings.SITE_ADDRESS}{reverse('scorecard', args=[event.slug, number])}",
        "off": off,
        "has_address": bool(settings.SITE_ADDRESS),
    }
    subject = f"{event.name}, {date_format(event.date, 'j F Y')}"
    made = EmailMultiAlternatives(
        subject=" ".join(subject.split()),  # a line break would begin another header
        body=render_to_string("seasons/mail/results.txt", context),
        to=[player.email],
    )
    made.attach_alternative(render_to_string("seasons/mail/results.html", context), "text/html")
    if settings.SITE_ADDRESS:
        made.extra_headers["List-Unsubscribe"] = f"<{off}>"
        made.extra_headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return made


def off_path(player: Player) -> str:
    """The address under which a person switches these letters off, without a login."""
    return reverse("mail_off", args=[signing.dumps(player.pk, salt=SALT)])


def player_of(token: str) -> Player | None:
    """Whose letters an address switches off; None for an address that is not ours."""
    try:
        key = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return Player.objects.select_related("club").filter(pk=key).first()


def _place(field: RankField, row: RankRow) -> str:
    placed = row.boards > 0
    return f"{formatting.rank(row.rank, tied=row.tied, placed=placed)} / {len(field.rows)}"


def _order(line: CardRow) -> tuple[int, int, int]:
    return line.board.session, line.play.round, line.board.number
