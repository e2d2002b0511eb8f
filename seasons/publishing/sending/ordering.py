"""The job that sends: when somebody asks, after an evening, and again where it went in vain."""

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.club_server import DestinationRefused, Unreachable, make_requester
from clubs.models import Act
from seasons.publishing.models import Destination, Publication
from seasons.publishing.sending.sender import (
    LATER,
    State,
    items_of,
    send,
    to_withdraw,
    withdraw,
)
from server.jobs.kinds import Kind, Lane
from server.logins.sealing import WrongKey, unseal
from tournaments.models import Session

HELD = (State.WITHDRAWN, State.GOING, State.TWICE)
"""What is not sent before somebody says so."""
QUIET = timedelta(minutes=10)
"""So long after a change nothing is sent by itself: more of them may follow."""


def send_club(pk: int) -> None:
    """Send what waits; what goes wrong is kept in words, and tried again later."""
    row = Destination.objects.select_related("club").filter(pk=pk).first()
    if row is None:
        return
    now = timezone.now()
    try:
        _send(row)
    except Unreachable as problem:
        later = LATER[min(row.tries, len(LATER) - 1)]
        _keep(row, trouble=str(problem), tries=row.tries + 1, next_at=now + later)
    except DestinationRefused as problem:
        _keep(row, trouble=str(problem), tries=0, next_at=None, looked_at=now)
    except WrongKey:
        words = _("The token cannot be read any more. Enter it again.")
        _keep(row, trouble=words, tries=0, next_at=None, looked_at=now)
    else:
        _keep(row, trouble="", tries=0, next_at=None, looked_at=now)


def _send(row: Destination) -> None:
    club = row.club
    ask = make_requester(row.address, unseal(row.sealed_token))
    rows = Publication.objects.filter(club=club)
    held = set(rows.filter(state__in=HELD).values_list("uid", flat=True))
    ours = frozenset(rows.filter(state=State.OURS).values_list("uid", flat=True))
    items = items_of(club)
    for gone in [*rows.filter(state=State.GOING), *to_withdraw(club, items)]:
        withdraw(gone, ask)
    for _told in send(club, [it for it in items if it.uid not in held], ask, ours=ours):
        pass


def _keep(row: Destination, **values: object) -> None:
    Destination.objects.filter(pk=row.pk).update(**values)


def due() -> Iterable[int]:
    """The clubs whose sending is due: tried in vain, or changed since while nobody plays."""
    now = timezone.now()
    found = list(Destination.objects.filter(next_at__lte=now).values_list("pk", flat=True))
    for row in Destination.objects.filter(is_automatic=True, next_at=None).select_related(
        "club"
    ):
        playing = Session.objects.filter(event__club=row.club, state=Session.State.OPEN)
        if _changed(row, now) and not playing.exists():
            found.append(row.pk)
    return found


def _changed(row: Destination, now: datetime) -> bool:
    own = Q(action__startswith="results.")
    acts = Act.objects.filter(club=row.club.slug).exclude(own).order_by("-pk")
    last = acts.values_list("at", flat=True).first()
    return (
        last is not None
        and last < now - QUIET
        and (row.looked_at is None or row.looked_at < last)
    )


def _name(pk: int) -> str:
    return Destination.objects.filter(pk=pk).values_list("club__name", flat=True).first() or ""


def _club_of(pk: int) -> int | None:
    return Destination.objects.filter(pk=pk).values_list("club", flat=True).first()


SEND = Kind(
    "results_sent",
    title=gettext_lazy("results to be sent to the club's server"),
    lane=Lane.LATER,
    time_limit=900,
    run=send_club,
    find_missing=due,
    describe=_name,
    club_of=_club_of,
)
