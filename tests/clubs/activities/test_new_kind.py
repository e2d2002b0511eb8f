"""A new kind of activity needs only a model, a record and two pages.

Its lists, lifecycle, history, undo, links, calls, clock and secret are those of every kind.
"""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date as Date
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, connection, models, transaction
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext, isolate_apps
from django.urls import path

import clubs.evenings.services
import config.urls
from clubs import audit
from clubs.activities import services, views
from clubs.activities.activity_access import ActivityAccess
from clubs.activities.history import HistoryFormatter
from clubs.activities.kinds import ActivityKind
from clubs.activities.models import ActivityQuerySet, EveningActivity
from clubs.activities.secrecy import format_secret
from clubs.api.activities import build_secret_response
from clubs.audit import Actor
from clubs.errors import ActionUnavailable
from clubs.evenings.timetable import Pace
from clubs.models import Club, DirectorCall, Evening, Membership
from server.models import User
from tests.factories import MembershipFactory, UserFactory

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.urls("tests.clubs.activities.test_new_kind"),
]
FRIDAY = Date(2026, 11, 27)

with isolate_apps("clubs"):

    class Skittles(EveningActivity):
        """An evening of a game that the program does not know."""

        kind = argument_name = url_name = "skittles"
        select_related_fields = ("club", "evening")

        club = models.ForeignKey(Club, models.CASCADE, related_name="+")
        evening = models.OneToOneField(Evening, models.PROTECT, related_name="+")
        lanes = models.PositiveSmallIntegerField(default=2)

        objects = ActivityQuerySet["Skittles"].as_manager()

        class Meta(EveningActivity.Meta):
            app_label = "clubs"


@dataclass(frozen=True)
class SkittlesAccess(ActivityAccess[Skittles]):
    """The access object of the new kind's pages."""

    skittles: Skittles = field(init=False)

    queryset = Skittles.objects.select_related(*Skittles.select_related_fields)
    refusal = "These skittles belong to another club."


def list_lanes(skittles: Skittles, _linked: Collection[int] = ()) -> range:
    return range(1, skittles.lanes + 1)


def _make_links(skittles: Skittles, by: Actor) -> None:
    services.create_table_links(activity=skittles, list_table_numbers=list_lanes, by=by)


def _revoke_links(skittles: Skittles, links: Sequence[int], by: Actor) -> None:
    services.revoke_table_links(activity=skittles, links=links, by=by)


def close_skittles(*, skittles: Skittles, by: Actor, closed_at: str = "") -> None:
    services.close_activity(activity=skittles, closed_at=closed_at, by=by)


def reopen_skittles(*, skittles: Skittles, by: Actor) -> None:
    services.reopen_activity(activity=skittles, by=by)


INVERSES = {
    "skittles.close": close_skittles,
    "skittles.reopen": reopen_skittles,
}
SKITTLES_KIND = ActivityKind(
    access_class=SkittlesAccess,
    url_prefix="skittles",
    template_folder="drives",
    get_history_formatter=lambda _evening: HistoryFormatter(
        titles_by_action={"skittles.closed": "Skittles are over"}
    ),
    get_inverses=lambda: INVERSES,
    list_table_numbers=list_lanes,
    create_links=_make_links,
    revoke_links=_revoke_links,
    links_created_message="Every lane has a code.",
)
KIND_ARGUMENTS = {"kind": SKITTLES_KIND}


def show_public_page(request: HttpRequest, slug: str) -> HttpResponse:
    return HttpResponse(SkittlesAccess.load_for_public(slug).activity.name)


def show_desk_page(request: HttpRequest, slug: str) -> HttpResponse:
    return HttpResponse(SkittlesAccess.load_for_scorer(request, slug).activity.name)


urlpatterns = [
    path("skittles/<slug:slug>/", show_public_page, name="skittles"),
    path("director/<slug:slug>/", show_desk_page, name="skittles_desk"),
    path(
        "director/<slug:slug>/calls/",
        views.accept_director_call,
        KIND_ARGUMENTS,
        name="skittles_call",
    ),
    path(
        "director/<slug:slug>/history/",
        views.show_history,
        KIND_ARGUMENTS,
        name="skittles_history",
    ),
    path("director/<slug:slug>/undo/", views.undo_act, KIND_ARGUMENTS, name="skittles_undo"),
    path(
        "director/<slug:slug>/tables/",
        views.show_tables,
        KIND_ARGUMENTS,
        name="skittles_tables",
    ),
    path("director/<slug:slug>/tables/act/", views.update_table_links, KIND_ARGUMENTS),
    *config.urls.urlpatterns,
]


@pytest.fixture(autouse=True)
def create_skittles_table(transactional_db: None) -> Iterator[None]:
    """Create the database table of the kind, as a migration would."""
    with connection.schema_editor() as editor:
        editor.create_model(Skittles)
    yield
    with connection.schema_editor() as editor:
        editor.delete_model(Skittles)


@pytest.fixture
def director() -> User:
    membership = MembershipFactory.create(role=Membership.Role.DIRECTOR)
    user: User = membership.user
    return user


def begin_skittles(user: User, name: str = "Nine pins", **fields: Any) -> Skittles:
    club = Club.objects.get(memberships__user=user)
    skittles = Skittles.objects.create(
        club=club,
        evening=Evening.objects.create(club=club, date=FRIDAY),
        slug=Skittles.create_slug(name, FRIDAY),
        name=name,
        secret=b"one",
        **fields,
    )
    undo_action = services.build_creation_undo(Skittles)
    audit.record(
        user, "skittles.created", subject=skittles, where={"name": name}, undo=undo_action
    )
    return skittles


def test_new_activity_kind_has_the_common_constraints_lists_and_key(director: User) -> None:
    first_skittles = begin_skittles(director, form_key="a")
    second_skittles, rehearsal = (
        begin_skittles(director),
        begin_skittles(director, is_rehearsal=True),
    )
    assert [item.slug[-2:] for item in (first_skittles, second_skittles, rehearsal)] == [
        "27",
        "-2",
        "-3",
    ]
    assert first_skittles.audit_key == "skittles:nine-pins-2026-11-27"
    assert first_skittles.get_absolute_url() == "/skittles/nine-pins-2026-11-27/"
    assert first_skittles.date == FRIDAY
    assert Skittles.objects.find_by_form_key(first_skittles.club, "a") == first_skittles
    assert Skittles.objects.find_by_form_key(first_skittles.club, None) is None
    services.archive(activity=second_skittles, by=director)
    assert [*Skittles.objects.exclude_hidden()] == [first_skittles]
    for invalid_fields in (
        {"name": ""},
        {"form_key": "a"},
        {"state": "lost"},
        {"state": "closed"},
    ):
        with pytest.raises(IntegrityError), transaction.atomic():
            begin_skittles(director, **{"name": "Ten pins"} | invalid_fields)


def test_new_activity_kind_is_closed_and_each_act_is_undone(
    director: User, client: Client
) -> None:
    skittles = begin_skittles(director)
    with pytest.raises(ActionUnavailable):
        format_secret(skittles)
    closed_skittles = services.close_activity(activity=skittles, by=director)
    assert (
        services.close_activity(activity=skittles, by=director).closed_at
        == closed_skittles.closed_at
    )
    assert (
        closed_skittles.is_closed,
        closed_skittles.revision,
        format_secret(closed_skittles),
    ) == (True, 1, b"one".hex())
    assert build_secret_response(closed_skittles).data == {
        "secret": b"one".hex(),
        "commitment": "",
    }

    client.force_login(director)
    history = client.get(f"/director/{skittles.slug}/history/").content.decode()
    assert "Skittles are over" in history
    assert "Nine pins" in history
    last_act = audit.list_acts(skittles)[0]
    undo = f"/director/{skittles.slug}/undo/"
    assert client.post(undo, {"act": last_act.pk}).url.endswith("/history/")
    skittles.refresh_from_db()
    assert (skittles.state, skittles.closed_at) == ("open", None)
    creation_act = audit.list_acts(skittles).last()
    assert creation_act is not None
    request_data = {"act": creation_act.pk, "from": "desk"}
    assert "Undo this change?" in client.post(undo, request_data).content.decode()
    skittles.refresh_from_db()
    assert skittles.put_away_at is None
    answer = client.post(undo, request_data | {"anyway": "1"})
    assert answer.url == f"/director/{skittles.slug}/"
    skittles.refresh_from_db()
    assert skittles.put_away_at is not None


def test_tables_of_the_new_activity_kind_have_links_calls_and_a_clock(
    director: User, client: Client
) -> None:
    skittles = begin_skittles(director)
    client.force_login(director)
    links = f"/director/{skittles.slug}/tables/act/"
    client.post(links)
    first_link, _second = skittles.evening.table_links.all()
    call = clubs.evenings.services.call_director(link=first_link)
    client.post(f"/director/{skittles.slug}/calls/", {"call": call.pk})
    assert DirectorCall.objects.get().answered_by == director.username
    client.post(links, {"act": "revoke", "link": first_link.pk})
    assert [valid_link.table for valid_link in views.list_valid_links(skittles.evening)] == [2]

    service_arguments = {"evening": skittles.evening, "subject": skittles, "by": director}
    pace = Pace(20, 0)
    clubs.evenings.services.start_clock(
        round_count=3, default_pace=pace, should_shift_start=True, **service_arguments
    )
    services.undo_newest_act(activity=skittles, inverses_by_name=INVERSES, by=director)
    assert clubs.evenings.services.build_clock_state(skittles.evening) == {}


def test_new_activity_kind_rejects_another_club_and_needs_few_queries(
    director: User, rf: RequestFactory
) -> None:
    skittles = begin_skittles(director)
    request = rf.get("/")
    request.user = director
    with CaptureQueriesContext(connection) as queries:
        access = SkittlesAccess.load_for_director(request, skittles.slug)
        assert access.can_direct
        assert access.context["skittles"].club == access.skittles.club
    assert len(queries) == 2  # the activity with its club and evening, and the role
    request.user = UserFactory.create()
    with pytest.raises(PermissionDenied, match="another club"):
        SkittlesAccess.load_for_scorer(request, skittles.slug)
