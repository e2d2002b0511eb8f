"""Test a person's own page: the secret link, exact splits, and personal data."""

import re
from datetime import date, timedelta
from fractions import Fraction

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings
from django.urls import reverse
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

import hall.history.undo
import scoring.services
import tournaments.services
from clubs import audit
from clubs.models import Club, PersonLink, Player
from clubs.services import update_person
from clubs.services.person_links import create_person_links, revoke_person_links
from hall.challenges.services import create_entry_links
from scoring.session_snapshot import load_session_snapshot
from scoring.standings_engine import standings
from seasons.grades.cells import BoardSplitAccumulator, EntryBoard, group_boards_into_cells
from seasons.people.models import EntryFigures
from seasons.people.sheets.own_page import OwnPage, load_own_page
from seasons.people.sheets.records import load_player_record
from seasons.people.tasks import STATISTICS_JOB
from seasons.people.views.person_links import compute_link_expiry
from server.models import User
from tests import evenings
from tests.factories import LadderFactory, SeasonFactory, SeasonHandicapFactory
from tournaments.models import EntryLink, Session, Sitting
from tournaments.movements import build_named_movement

pytestmark = pytest.mark.django_db
SUM_RULE = {"who": "players", "combine": "sum"}
TRICK_FRACTIONS = st.fractions(min_value=-13, max_value=13, max_denominator=12)
BOARDS = st.lists(
    st.builds(
        EntryBoard, TRICK_FRACTIONS, st.sampled_from(["NS", "EW"]), st.sampled_from("SHDC?")
    ),
    max_size=30,
)


def play_closed_session(movement: str = "howell") -> tuple[Session, User, Player]:
    session, user = evenings.play_session(movement=movement, boards_a_round=2)
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(session.event)
    person = session.event.entries.get(number=2).players.order_by("pk")[0]
    return session, user, person


def compute_statistics(session: Session) -> None:
    STATISTICS_JOB.run(session.event_id)


def open_personal_link(person: Player) -> tuple[Client, PersonLink]:
    ends = compute_link_expiry(person.club)
    (link,) = create_person_links(club=person.club, players=[person], ends_at=ends, by=None)
    client = Client()
    response = client.get(link.path)
    assert response.headers["Location"] == "/me/"
    return client, link


@settings(max_examples=25, deadline=None)
@given(st.lists(BOARDS, min_size=1, max_size=4))
def test_board_split_sums_equal_sums_of_all_boards(nights: list[list[EntryBoard]]) -> None:
    by_seat, splits_by_trump, whole = (
        BoardSplitAccumulator(),
        BoardSplitAccumulator(),
        Fraction(),
    )
    for evening, boards in enumerate(nights):
        grouped_boards = group_boards_into_cells(boards)
        assert grouped_boards.tricks_above == sum(
            (board.tricks_above for board in boards), Fraction()
        )
        assert grouped_boards.board_count == len(boards)
        whole += grouped_boards.tricks_above
        for cell in grouped_boards.cells:
            by_seat.add(cell[1], evening, grouped_boards.denominator, cell)
            splits_by_trump.add(cell[2], evening, grouped_boards.denominator, cell)
    all_boards = [board for boards in nights for board in boards]
    for sums in (by_seat, splits_by_trump):
        splits = sums.list_splits()
        assert sum((split.tricks_above for split in splits), Fraction()) == whole
        assert sum(split.board_count for split in splits) == len(all_boards)
        squares = sum((board.tricks_above**2 for board in all_boards), Fraction())
        assert sum((split.sum_of_squares for split in splits), Fraction()) == squares


def test_split_range_is_range_of_mean_and_needs_enough_boards() -> None:
    sums = BoardSplitAccumulator()
    kept = group_boards_into_cells(
        [EntryBoard(Fraction(tricks), "NS", "S") for tricks in (1, -1) * 10]
    )
    for cell in kept.cells:
        sums.add("x", 1, kept.denominator, cell)
    (split,) = sums.list_splits()
    assert (split.board_count, split.mean, split.has_enough_boards) == (20, 0, True)
    # Values of ±1: the variance is 20/19, of the mean 1/19; 1.2816 · 0.2294 = 0.294
    assert split.range == pytest.approx(0.294, abs=5e-4)
    split_sums = BoardSplitAccumulator()
    split_sums.add("x", 1, 1, (0, "NS", "S", 19, 5, 9))
    assert not split_sums.list_splits()[0].has_enough_boards


def test_personal_page_splits_have_same_total_as_evening() -> None:
    session, user, person = play_closed_session()
    compute_statistics(session)
    page = load_own_page(person)
    (evening,) = page.evenings
    assert page.overall_split is not None
    assert (
        page.overall_split.tricks_above
        == evening.tricks_above
        == load_player_record(person).evenings[0].tricks_above_average
    )
    sides = {side.side.word: side for side in load_player_record(person).sides}
    assert {one_seat.name for one_seat in page.seats} == set(sides)
    for seat in page.seats:
        assert seat.split.mean == sides[seat.name].tricks_above_average_per_board
    check_equal_sums(page)
    table = next(
        table for table in load_session_snapshot(session).tables if 2 in table.ns.entries
    )
    scoring.services.make_ruling(
        sitting=Sitting.objects.get(pk=table.sitting_id),
        board_number=table.boards[0],
        kind="average",
        reason="fouled",
        by=user,
    )
    standings.update_standings(session.event)
    assert load_own_page(person).outdated_event_pks == (session.event_id,)
    compute_statistics(session)
    own_page_after = load_own_page(person)
    assert (
        own_page_after.outdated_event_pks,
        own_page_after.overall_split.board_count if own_page_after.overall_split else 0,
    ) == (
        (),
        page.overall_split.board_count,
    )
    assert STATISTICS_JOB.find_missing_job_keys() == []


def check_equal_sums(page: OwnPage) -> None:
    assert page.overall_split is not None
    for splits in (page.partners, page.seats, page.trumps):
        assert (
            sum((split.split.tricks_above for split in splits), Fraction())
            == page.overall_split.tricks_above
        )
        assert (
            sum(split.split.board_count for split in splits) == page.overall_split.board_count
        )


def test_player_of_individual_event_has_many_partners_and_seats() -> None:
    club, user = evenings.create_club_with_director()
    event = scoring.services.create_event(
        club=club, name="Alone", date=date(2026, 3, 10), contest="individual", by=user
    )
    for number in range(8):
        tournaments.services.create_entry(event=event, names=[f"Person {number}"], by=user)
    session = event.sessions.get()
    movement = build_named_movement("eight-individuals")
    tournaments.services.seat_section(
        session=session, movement=movement, boards_a_round=2, by=user
    )
    session.refresh_from_db()
    scoring.services.open_session(session=session, by=user)
    tables = [table for table in load_session_snapshot(session).tables if table.is_played]
    evenings.enter_all_results(
        [(t.sitting_id, b, str((b * t.table_number) % 14)) for t in tables for b in t.boards],
        user,
    )
    scoring.services.close_session(session=session, by=user)
    standings.update_standings(event)
    compute_statistics(session)
    person = Player.objects.get(name="Person 3")
    page = load_own_page(person)
    assert {seat.name for seat in page.seats} <= {"North", "East", "South", "West"}
    assert len(page.partners) > 1
    assert "Person 3" not in {partner.name for partner in page.partners}
    check_equal_sums(page)


def test_token_url_sets_cookie_for_personal_pages_only() -> None:
    session, _user, person = play_closed_session()
    client, link = open_personal_link(person)
    assert link.path not in client.get("/me/").content.decode()
    cookie = client.cookies["me"]
    assert (cookie["path"], cookie["httponly"], cookie["samesite"]) == ("/me/", True, "Lax")
    page = client.get("/me/")
    text = page.content.decode()
    assert page.headers["Referrer-Policy"] == "no-referrer"
    assert "no-store" in page.headers["Cache-Control"]
    assert person.name in text
    # In a Howell for six pairs there are at most eighteen boards in each direction.
    assert re.search(r'<td class="n">\s*–', text)
    assert f"/events/{session.event.slug}/entries/2/" in text
    assert EntryFigures.objects.exists()  # one evening is computed on request
    for stranger in (Client(), Client(headers={"cookie": "me=" + "x" * 22})):
        assert stranger.get("/me/").status_code == 404
        assert stranger.get("/me/" + "x" * 22 + "/").status_code == 404
    PersonLink.objects.update(ends_at=timezone.now() - timedelta(seconds=1))
    assert client.get("/me/").status_code == 404
    assert "has expired" in client.get(link.path).content.decode()


def test_personal_page_omits_evening_in_play() -> None:
    session, _user = evenings.play_session()
    person = session.event.entries.get(number=2).players.order_by("pk")[0]
    assert load_own_page(person).evenings == ()
    assert "Nothing yet" in open_personal_link(person)[0].get("/me/").content.decode()


def test_personal_page_starts_with_last_result_and_has_no_empty_sections() -> None:
    session, _user, person = play_closed_session()
    compute_statistics(session)
    page = open_personal_link(person)[0].get("/me/").content.decode()
    titles = re.findall(r"<h2[^>]*>([^<]+)</h2>", page)
    assert titles[0] == "Last result"
    assert "Grade" not in titles
    assert "Ladders" not in titles
    last_result_position = page.index("Last result")
    assert (
        last_result_position
        < page.index("Tuesday", last_result_position)
        < page.index('aria-label="All evenings"')
    )


def test_personal_page_query_count_does_not_grow_with_evenings() -> None:
    session, user, person = play_closed_session()
    compute_statistics(session)
    client, _link = open_personal_link(person)
    client.get("/me/")

    def count_queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            assert client.get("/me/").status_code == 200
        return len(queries)

    query_count = count_queries()
    for number in range(3):
        event = scoring.services.create_event(
            club=session.event.club, name=f"More {number}", date=date(2026, 3, 3), by=user
        )
        tournaments.services.create_entry(
            event=event, names=[person.name, f"New {number}"], by=user
        )
        Session.objects.filter(event=event).update(state="closed", closed_at=timezone.now())
        standings.update_standings(event)
        STATISTICS_JOB.run(event.pk)
    assert count_queries() == query_count <= 16


def test_person_sets_visibility_of_name_and_downloads_all_data() -> None:
    _session, _user, person = play_closed_session()
    details = {"number": "0012", "email": "p@example.org"}
    update_person(player=person, details=details, consents={}, by=None)
    client, _link = open_personal_link(person)
    client.post("/me/change/", {"shown": "initials", "mail": "yes", "contact": "no"})
    person.refresh_from_db()
    assert person.shown == "initials"
    assert dict(person.consents.values_list("what", "given")) == {
        "mail": True,
        "contact": False,
    }
    act = audit.list_acts(person.club).filter(action="person.kept")[0]
    assert audit.describe_author(act.by) == "the player, on their own page"
    data = client.get("/me/held/").json()
    assert data["person"]["number"] == "0012"
    assert data["evenings"][0]["event"] == "Tuesday"
    table = client.get("/me/held/?format=csv").content.decode()
    assert "p@example.org" in table
    client.post("/me/leave/")
    assert client.get("/me/").status_code == 404


@override_settings(PHONE_ADDRESSES=["http://192.168.1.20:8000"])
def test_personal_link_is_created_printed_and_revoked() -> None:
    club, user = evenings.create_club_with_director()
    ann = Player.objects.create(club=club, name="Ann Lee")
    Player.objects.create(club=club, name="Bo Low", kind="visitor")
    client = Client()
    client.force_login(user)
    url = reverse("person_links")
    assert "0 of 1 members" in client.get(url).content.decode()
    client.post(url)
    client.post(url)  # a second click creates none
    link = PersonLink.objects.get()
    assert (link.player, link.token_hash in link.path) == (ann, False)
    assert link.ends_at is not None
    assert link.ends_at.date() in {date(y, 10, 30) for y in range(2025, 2099)}
    cards = client.get(reverse("link_cards"))
    assert cards.content.startswith(b"%PDF")
    page = reverse("person_link", args=[ann.pk])
    assert link.path in client.get(page).content.decode()
    client.post(page, {"act": "renew"})
    assert Client().get(link.path).status_code == 404
    new_link = PersonLink.objects.get(revoked_at=None)
    assert Client().get(new_link.path).status_code == 302
    act = audit.list_acts(club).filter(action="person_link.made")[0]
    hall.history.undo.undo_club_act(club=club, act=act, by=user)
    assert Client().get(new_link.path).status_code == 404
    assert revoke_person_links(player=ann, by=user) == 0


def test_link_unreachable_from_phones_is_hidden() -> None:
    club, user = evenings.create_club_with_director()
    ann = Player.objects.create(club=club, name="Ann Lee")
    client = Client()
    client.force_login(user)
    page = reverse("person_link", args=[ann.pk])
    client.post(page, {"act": "make"})
    path = PersonLink.objects.get().path
    with override_settings(PHONE_ADDRESSES=[]):
        hidden_html = client.get(page).content.decode()
    assert "Connect phones first." in hidden_html
    assert path not in hidden_html
    with override_settings(PHONE_ADDRESSES=["http://192.168.1.20:8000"]):
        assert path in client.get(page).content.decode()


FIRST_DAYS = date.min, date(1900, 1, 1), date(2020, 9, 1)
LAST_DAYS = date.max, date(9999, 10, 31), date(2199, 12, 31)
ZONES = "Europe/London", "Pacific/Kiritimati", "Pacific/Pago_Pago"


@pytest.mark.slow
@pytest.mark.parametrize(  # any two of the three meet once
    ("first", "last", "zone"),
    [(FIRST_DAYS[a], LAST_DAYS[b], ZONES[(a + b) % 3]) for a in range(3) for b in range(3)],
)
def test_season_pages_accept_any_date_of_the_season(
    client: Client, first: date, last: date, zone: str
) -> None:
    club, user = evenings.create_club_with_director()
    Club.objects.update(timezone=zone)
    ann = Player.objects.create(club=club, name="Ann Lee")
    season = SeasonFactory(club=club, first_day=first, last_day=last)
    LadderFactory(
        season=season, slug="best", rule={"measure": "plus", "handicap": True, **SUM_RULE}
    )
    SeasonHandicapFactory(season=season)
    client.force_login(user)
    assert client.post(reverse("person_links"), follow=True).status_code == 200
    client.post(reverse("person_link", args=[ann.pk]), {"act": "renew"})
    ends = PersonLink.objects.get(revoked_at=None).ends_at
    assert ends is not None
    assert timedelta(days=365) < ends - timezone.now() < timedelta(days=4 * 366)
    own_slugs, season_slugs, slugs = [club.slug, season.slug], [season.slug], [club.slug]
    for name, url_args in (
        *(
            ("season", own_slugs),
            ("ladder", [*own_slugs, "best"]),
            ("handicaps", [club.slug, season_slugs[0]]),
        ),
        *(
            ("seasons", slugs),
            ("club_records", slugs),
            ("honours", slugs),
            ("club_page", slugs),
        ),
        *(
            ("season_ladders", season_slugs),
            ("season_handicap", season_slugs),
            ("season_file", season_slugs),
        ),
        *(("own_seasons", []), ("person_links", []), ("person_link", [ann.pk])),
        *(("ladder_pdf", [*own_slugs, "best"]), ("ladder_xlsx", [*own_slugs, "best"])),
    ):
        assert client.get(reverse(name, args=url_args)).status_code == 200, name
    assert open_personal_link(ann)[0].get("/me/").status_code == 200


@override_settings(HAS_MAIL=True)
def test_personal_link_is_mailed_to_person_only_with_consent() -> None:
    club, user = evenings.create_club_with_director()
    ann = Player.objects.create(club=club, name="Ann Lee")
    update_person(player=ann, details={"email": "ann@example.org"}, consents={}, by=user)
    client = Client()
    client.force_login(user)
    page = reverse("person_link", args=[ann.pk])
    client.post(page, {"act": "mail"})
    assert mail.outbox == []
    update_person(player=ann, details={}, consents={"mail": True}, by=user)
    client.post(page, {"act": "mail"})
    (letter,) = mail.outbox
    assert letter.to == ["ann@example.org"]
    assert PersonLink.objects.get().path in letter.body
    assert Club.objects.get().name in letter.subject


def test_person_queries_score_from_personal_page_during_correction_period() -> None:
    session, user, person = play_closed_session()
    client, _link = open_personal_link(person)
    assert "Query a score" not in client.get("/me/").content.decode()
    create_entry_links(event=session.event, by=user)
    own, other = (
        EntryLink.objects.get(entry__event=session.event, entry__number=number)
        for number in (2, 1)
    )
    page = client.get("/me/").content.decode()
    assert f'href="{own.path}"' in page
    assert "If a score is wrong" in page
    assert other.path not in page
    assert client.get(own.path).status_code == 200
    hours = session.event.club.correction_hours
    Session.objects.update(closed_at=timezone.now() - timedelta(hours=hours, minutes=1))
    assert own.path not in client.get("/me/").content.decode()
    Session.objects.update(closed_at=timezone.now())
    own.revoke()
    assert own.path not in client.get("/me/").content.decode()


def test_cards_with_unreachable_links_are_not_printed(client: Client) -> None:
    _session, user, person = play_closed_session()
    open_personal_link(person)
    client.force_login(user)
    page = client.get(reverse("person_links")).content.decode()
    answer = client.get(reverse("link_cards"), follow=True)
    assert "Phones can’t connect yet." in answer.content.decode()
    assert answer.redirect_chain
    with override_settings(PHONE_ADDRESSES=["http://192.168.1.20:8000/"]):
        assert client.get(reverse("link_cards"))["Content-Type"] == "application/pdf"
    assert reverse("link_cards") not in page
