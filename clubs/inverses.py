"""The functions that undo a club's acts, by name.

These names must not change, because the audit log stores them (`clubs.audit.Undo`).
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
    promote_waiting_bookings,
    restore_attendance,
    restore_bookings,
    restore_fixture,
    resume_series,
)
from clubs.evenings.services.fixtures import parse_fixture_values
from clubs.evenings.services.series import rejoin_series
from clubs.models import Club, Fixture, PersonLink, Player, Series
from clubs.services.clubs import (
    set_club_appearance,
    set_congress_features,
    set_correction_hours,
    set_currency,
    set_language,
    set_room_plan,
)
from clubs.services.people import (
    create_different_people_record,
    delete_different_people_records,
    restore_person,
)
from clubs.services.person_links import revoke_person_links
from clubs.undo import Inverse, LinkRevokingInverse, build_row_inverse, get_existing_row


def _set_correction_hours(*, club: Club, by: Actor, hours: int) -> None:
    set_correction_hours(club=club, hours=str(hours), by=by)


def _filter_players(club: Club) -> QuerySet[Player]:
    return Player.objects.filter(club=club)


def _filter_series(club: Club) -> QuerySet[Series]:
    return Series.objects.filter(club=club)


def _record_different_people(*, club: Club, by: Actor, one: int, other: int) -> None:
    first_player, second_player = (
        get_existing_row(_filter_players(club), pk=player_pk) for player_pk in (one, other)
    )
    create_different_people_record(player=first_player, other_player=second_player, by=by)


def _revoke_links(*, club: Club, by: Actor, links: Sequence[int]) -> None:
    for link in PersonLink.objects.filter(player__club=club, pk__in=links):
        revoke_person_links(player=link.player, by=by)


def _get_locked_fixture(club: Club, fixture_pk: int) -> Fixture:
    """Lock and return the fixture with this primary key.

    The series is locked before the fixture, as in changes of the series, to avoid a deadlock.
    """
    fixture = get_existing_row(Fixture.objects.filter(evening__club=club), pk=fixture_pk)
    if fixture.series_id is not None:
        Series.objects.select_for_update().get(pk=fixture.series_id)
    return fixture


def _change_series(*, series: Series, by: Actor, values: Mapping[str, Any]) -> None:
    change_series(series=series, values=parse_fixture_values(values), by=by)


def _change_fixture(
    *, club: Club, by: Actor, fixture: int, values: Mapping[str, Any], is_own: bool = True
) -> None:
    changed_fixture = change_fixture(
        fixture=_get_locked_fixture(club, fixture), values=parse_fixture_values(values), by=by
    )
    promote_waiting_bookings(fixture=changed_fixture, by=by)
    if not is_own:
        rejoin_series(fixture=changed_fixture, by=by)


def _cancel_fixture(*, club: Club, by: Actor, fixture: int, is_own: bool = True) -> None:
    changed_fixture = cancel_fixture(fixture=_get_locked_fixture(club, fixture), by=by)
    if not is_own:
        rejoin_series(fixture=changed_fixture, by=by)


def _restore_fixture(*, club: Club, by: Actor, fixture: int, is_own: bool = True) -> None:
    changed_fixture = restore_fixture(fixture=_get_locked_fixture(club, fixture), by=by)
    if not is_own:
        rejoin_series(fixture=changed_fixture, by=by)


INVERSES: Mapping[str, Inverse] = {
    "fixture.cancel": _cancel_fixture,
    "fixture.change": _change_fixture,
    "fixture.revive": _restore_fixture,
    "series.change": build_row_inverse(_change_series, "series", _filter_series),
    "series.end": build_row_inverse(end_series, "series", _filter_series),
    "series.resume": build_row_inverse(resume_series, "series", _filter_series),
    "club.congress": set_congress_features,
    "club.currency": set_currency,
    "club.hours": _set_correction_hours,
    "club.language": set_language,
    "club.look": set_club_appearance,
    "club.room_plan": set_room_plan,
    "person.put": build_row_inverse(restore_person, "player", _filter_players),
    "person_links.revoke": LinkRevokingInverse(_revoke_links),
    "players.apart": _record_different_people,
    "players.ask_again": delete_different_people_records,
}
"""The inverses of acts on a club itself."""

EVENING_INVERSES: Mapping[str, Inverse] = {
    "attendance.put_back": restore_attendance,
    "bookings.put_back": restore_bookings,
}
"""The inverses of acts on an evening's bookings and table money."""
