"""The inverses of a club's acts.

The names are stored in the history (`clubs.audit.Back`), so they must not change.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import QuerySet

from clubs.audit import Actor
from clubs.evenings.services import (
    cancel_fixture,
    change_fixture,
    change_series,
    end_series,
    put_back_attendance,
    put_back_bookings,
    resume_series,
    revive_fixture,
    settle_bookings,
)
from clubs.evenings.services.fixtures import read_plain
from clubs.evenings.services.series import follow_again
from clubs.models import Club, Fixture, PersonLink, Player, Series
from clubs.services.clubs import set_correction_hours, set_currency, set_look, set_room_plan
from clubs.services.people import ask_again, put_person, tell_apart
from clubs.services.person_links import revoke_links
from clubs.undoing import Inverse, on_row, still_there


def _hours(*, club: Club, by: Actor, hours: int) -> None:
    set_correction_hours(club=club, hours=str(hours), by=by)


def _players(club: Club) -> QuerySet[Player]:
    return Player.objects.filter(club=club)


def _series(club: Club) -> QuerySet[Series]:
    return Series.objects.filter(club=club)


def _tell_apart(*, club: Club, by: Actor, one: int, other: int) -> None:
    first, second = (still_there(_players(club), pk=key) for key in (one, other))
    tell_apart(one=first, other=second, by=by)


def _revoke_links(*, club: Club, by: Actor, links: Sequence[int]) -> None:
    for link in PersonLink.objects.filter(player__club=club, pk__in=links):
        revoke_links(player=link.player, by=by)


def _fixture_again(club: Club, key: int) -> Fixture:
    """Return an evening for an undo.

    Its series is locked first, in the same order as in changes of the series, to avoid a
    deadlock.
    """
    found = still_there(Fixture.objects.filter(evening__club=club), pk=key)
    if found.series_id is not None:
        Series.objects.select_for_update().get(pk=found.series_id)
    return found


def _change_series(*, series: Series, by: Actor, values: Mapping[str, Any]) -> None:
    change_series(series=series, values=read_plain(values), by=by)


def _change_fixture(
    *, club: Club, by: Actor, fixture: int, values: Mapping[str, Any], is_own: bool = True
) -> None:
    found = change_fixture(
        fixture=_fixture_again(club, fixture), values=read_plain(values), by=by
    )
    settle_bookings(fixture=found, by=by)
    if not is_own:
        follow_again(fixture=found, by=by)


def _cancel_fixture(*, club: Club, by: Actor, fixture: int, is_own: bool = True) -> None:
    found = cancel_fixture(fixture=_fixture_again(club, fixture), by=by)
    if not is_own:
        follow_again(fixture=found, by=by)


def _revive_fixture(*, club: Club, by: Actor, fixture: int, is_own: bool = True) -> None:
    found = revive_fixture(fixture=_fixture_again(club, fixture), by=by)
    if not is_own:
        follow_again(fixture=found, by=by)


INVERSES: Mapping[str, Inverse] = {
    "fixture.cancel": _cancel_fixture,
    "fixture.change": _change_fixture,
    "fixture.revive": _revive_fixture,
    "series.change": on_row(_change_series, "series", _series),
    "series.end": on_row(end_series, "series", _series),
    "series.resume": on_row(resume_series, "series", _series),
    "club.currency": set_currency,
    "club.hours": _hours,
    "club.look": set_look,
    "club.room_plan": set_room_plan,
    "person.put": on_row(put_person, "player", _players),
    "person_links.revoke": _revoke_links,
    "players.apart": _tell_apart,
    "players.ask_again": ask_again,
}

EVENING_INVERSES: Mapping[str, Inverse] = {
    "attendance.put_back": put_back_attendance,
    "bookings.put_back": put_back_bookings,
}
"""The inverses of an evening's acts: its bookings and its table money."""
