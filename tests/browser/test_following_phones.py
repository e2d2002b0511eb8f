"""Table phones in every state follow every act of a director and describe the change.

One session, a phone or two at each table. After each act every page must show the server's
state of its table, describe the change in words, and still respond to a tap. Then the act is
undone, which is an act as well.
"""

from dataclasses import dataclass, field
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import hall.phones.services
import scoring.services
import tournaments.services
from clubs import audit
from clubs.models import TableLink
from hall.history.undo import undo_event_act
from hall.phones.table_page import TablePage, TableRound, load_table_page
from scoring.models import Agreement, Result, ResultVersion, Ruling
from scoring.services import recompute
from server.models import User
from tests import evenings
from tests.browser.conftest import PageOpener
from tests.browser.test_tables import wait_until_all_sent
from tournaments.models import Entry, Place, Session, Sitting
from tournaments.movements.changes import Incident, list_continuations
from tournaments.movements.changes.incidents import ExchangedPlaces, TurnedTable, WrongBoards
from tournaments.seating_snapshot import load_movement

pytestmark = [pytest.mark.browser]

# Each state is reached by tapping on the page. Some states are offline.
SETUP_SCRIPT = """() => {
    const reach = window.fetch;
    window.fetch = (...sent) =>
        window.isDown ? Promise.reject(new Error("down")) : reach(...sent);
    window.until = async test => {
        for (let times = 0; times < 500 && !test(); times += 1) {
            await new Promise(go => setTimeout(go, 10));
        }
        return test();
    };
}"""
DO_NOTHING_SCRIPT = "undefined"
SAY_NO_SCRIPT = "document.querySelector('#t-confirm a[data-again]').click()"
SHOW_BOARD_SCRIPT = "document.querySelector('#t-boards a').click()"
GO_OFFLINE_SCRIPT = """window.isDown = true;
    document.querySelector("#t-boards a").click();
    document.querySelector("#t-enter button[value='8']").click()"""
DISMISS_SCRIPT = """document.querySelectorAll(".table__trouble button:first-of-type").forEach(
        made => made.click());
    document.querySelector("#t-done a[data-on]").click();"""
SEND_SCRIPT = """() => {
    const store = "overplay" + location.pathname;
    window.isDown = false;
    window.dispatchEvent(new Event("online"));
    return window.until(() => JSON.parse(localStorage.getItem(store)).queue.length === 0);
}"""
POLL_SCRIPT = "() => document.dispatchEvent(new Event('visibilitychange'))"
CHECK_FOLLOWS_SCRIPT = """async truth => {
    const at = id => document.getElementById(id).textContent.trim();
    const drawn = board => board.firstChild.textContent.trim() + " " + board.dataset.state;
    const follows = () => {
        const round = Number((at("t-round").match(/[0-9]+/) || ["0"])[0]);
        const each = truth.find(one => one.round === round);
        const marks = [...document.querySelectorAll("#t-boards a")].map(drawn).join();
        const isGone = document.getElementById("table").classList.contains("is-gone");
        return !isGone && each && marks === each.marks.join()
            && at("t-ns") === each.ns && at("t-ew") === each.ew
            && (!each.told || at("t-news") + at("t-troubles") !== "");
    };
    document.dispatchEvent(new Event("visibilitychange"));
    if (!await window.until(follows)) {
        return "it does not follow: " + document.getElementById("table").innerText;
    }
    const isBetween = !document.getElementById("t-turn").hidden;
    document.querySelector("#t-boards a").click();
    const isAlive = document.querySelector("#t-boards a").hasAttribute("aria-current");
    return isAlive || isBetween ? "" : "it is frozen";
}"""
# For each act of the director: the stored value after a phone has sent its own 8.
STORED_VALUE_BY_ACT = {
    "record_wrong_boards": "",
    "record_wrong_board": "",
    "record_turned_table": "",
    "exchange_pairs": "8",
    "type_result": "9",
    "clear_result": "8",
    "make_ruling": "8",
    "rename_entry": "8",
}


@dataclass
class Phone:
    """A phone at a table, with the taps that restore its state."""

    name: str
    page: Page
    link: TableLink
    state_script: str
    rounds_seen: list[dict[str, Any]] = field(default_factory=list)

    def check_follows(self, what: str) -> None:
        """Send pending entries, poll once, check the texts and the layout, and tap a board."""
        if self.state_script == GO_OFFLINE_SCRIPT and self.rounds_seen:
            assert self.page.evaluate(SEND_SCRIPT), (
                f"{self.name}, {what}: something is kept back"
            )
        now, previous_rounds = (
            self._list_expected_rounds(),
            {round_data["round"]: round_data for round_data in self.rounds_seen},
        )
        expected_rounds = [
            round_data
            | {
                "told": drop_confirm_request(
                    previous_rounds.get(round_data["round"], round_data)
                )
                != drop_confirm_request(round_data)
            }
            for round_data in now
        ]
        message = self.page.evaluate(CHECK_FOLLOWS_SCRIPT, expected_rounds)
        assert message == "", f"{self.name}, {what}: {expected_rounds}"
        self.rounds_seen = now

    def restore_state(self) -> None:
        """Restore the state that the phone is named after."""
        self.page.evaluate("() => {" + DISMISS_SCRIPT + self.state_script + "}")

    def _list_expected_rounds(self) -> list[dict[str, Any]]:
        """Return what the page must show of each of its rounds."""
        table_page = load_table_page(self.link)
        return [
            describe_round(table_page, round_)
            for round_ in (table_page.past, *table_page.rounds)
            if round_
        ]


def drop_confirm_request(one: dict[str, Any]) -> dict[str, Any]:
    """Drop the request to confirm, which a table's own first entry causes without a message."""
    return one | {"marks": [board_state.removesuffix("asked") for board_state in one["marks"]]}


def describe_round(page: TablePage, table_round: TableRound) -> dict[str, Any]:
    board_states = []
    for board in table_round.boards:
        is_done = board.is_done or table_round is page.past
        board_states.append(
            f"Board {board.board} " + ("in" if is_done else "asked" * board.awaits)
        )
    return {
        "round": table_round.round,
        "ns": table_round.ns_name,
        "ew": table_round.ew_name,
        "marks": board_states,
    }


@dataclass(frozen=True)
class Desk:
    """The director, whose methods act on a table in its first round."""

    session: Session
    user: User

    def sitting(self, table: int) -> Sitting:
        return Sitting.objects.get(section__session=self.session, round=1, table=table)

    def board(self, table: int) -> int:
        return self.session.get_group_boards(self.sitting(table).board_group)[0]

    def read_stored_mark(self, table: int) -> str:
        return Result.find_or_create_current_result(self.sitting(table), self.board(table)).mark

    def change(self, change: Incident) -> None:
        section = self.session.sections.get()
        continuation = list_continuations(load_movement(section), 1, change)[0]
        what = {"kind": "turned", "table": 1, "first": 1, "last": 1}
        scoring.services.apply_seating_change(
            section=section,
            rounds_played=1,
            incident=change,
            continuation_key=continuation.key,
            incident_data=what,
            by=self.user,
        )

    def record_wrong_boards(self, table: int) -> None:
        own_board_group = self.sitting(table).board_group
        self.change(WrongBoards(round=1, table=table, board_group=own_board_group % 5 + 1))

    def record_wrong_board(self, table: int) -> None:
        """Record that the first board of the round came from the next set."""
        sitting, board = self.sitting(table), self.board(table)
        actual_board = self.session.get_group_boards(sitting.board_group % 5 + 1)[0]
        scoring.services.record_actual_board(
            sitting=sitting, board=board, really=actual_board, by=self.user
        )

    def record_turned_table(self, table: int) -> None:
        self.change(TurnedTable(table=table, first_round=1, last_round=1))

    def exchange_pairs(self, table: int) -> None:
        """Exchange the E-W pairs of this table and the next. Does nothing at the last table."""
        if table % 2 and table < 5:
            one, other_place = (
                Place.objects.get(pk=self.sitting(table).east_id).number
                for table in (table, table + 1)
            )
            self.change(
                ExchangedPlaces(place=one, other_place=other_place, first_round=1, last_round=1)
            )

    def type_result(self, table: int) -> None:
        self.enter_result(table, "9")

    def clear_result(self, table: int) -> None:
        self.enter_result(table, "")

    def enter_result(self, table: int, mark: str) -> None:
        sitting = self.sitting(table)
        evenings.enter_result(self.session, sitting.pk, self.board(table), mark, self.user)

    def make_ruling(self, table: int) -> None:
        result = Result.find_or_create_current_result(self.sitting(table), self.board(table))
        kind = Ruling.Kind.AVERAGE
        scoring.services.make_ruling(kind=kind, result=result, reason="fouled", by=self.user)

    def rename_entry(self, table: int) -> None:
        entry = Entry.objects.get(places=self.sitting(table).north_id)
        names = [f"Ada Other{table}", f"Bea Other{table}"]
        tournaments.services.rename_entry(entry=entry, names=names, by=self.user)

    def play(self, table: int, boards: int) -> None:
        """Enter and confirm a table's first boards; with 0, enter one without confirming it."""
        link = TableLink.objects.get(evening=self.session.evening, table=table)
        sitting, guest = self.sitting(table), hall.phones.services.build_guest(link, "NS")
        for board in self.session.get_group_boards(sitting.board_group)[: boards or 1]:
            play = {"sitting": sitting, "board_number": board, "seen_score": ""}
            channel = ResultVersion.InputChannel.PHONE
            scoring.services.record_result(**play, mark="8", channel=channel, by=guest)
            if boards:
                scoring.services.confirm_result(**play | {"seen_score": "8"}, by=guest)

    def take_back(self, act: int, version_pk: int) -> None:
        """Undo everything after the given act and version, the newest first."""
        event = self.session.event
        for later_act in [one_act for one_act in audit.list_acts(event) if one_act.pk > act]:
            if later_act.back and not later_act.undoes_id:
                undo_event_act(event=event, act=later_act, by=self.user)
        for result_version in ResultVersion.objects.filter(pk__gt=version_pk).order_by("-pk"):
            scoring.services.undo_result(version=result_version, by=self.user)
        Result.objects.filter(sitting=self.sitting(2)).update(agreement=Agreement.AWAITED)


@pytest.fixture
def desk(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """Create five tables in play with two boards a round; standings are not computed."""
    monkeypatch.setattr(recompute, "enqueue", lambda kind, about: None)
    return Desk(*evenings.open_session(10))


@pytest.fixture
def phones(open_visitor_page: PageOpener, desk: Desk) -> list[Phone]:
    """Return a phone in each state, before the first act."""
    links = hall.phones.services.create_table_links(session=desk.session, by=desk.user)
    places = [
        ("choosing", 1, DO_NOTHING_SCRIPT),
        ("waiting for yes", 2, DO_NOTHING_SCRIPT),
        ("no, put it right", 2, SAY_NO_SCRIPT),
        ("done with a board", 3, SHOW_BOARD_SCRIPT),
        ("between rounds", 4, DO_NOTHING_SCRIPT),
        ("offline", 5, GO_OFFLINE_SCRIPT),
    ]
    context = open_visitor_page(phone=True).context
    phones = [Phone(n, context.new_page(), links[table - 1], pose) for n, table, pose in places]
    for phone in phones:
        phone.page.goto(phone.link.path)
        phone.page.evaluate(SETUP_SCRIPT)
    for table, boards in ((2, 0), (3, 1), (4, 2)):
        desk.play(table, boards)
    for phone in phones:
        phone.check_follows("play")
        phone.restore_state()
    return phones


def test_every_phone_follows_every_act(desk: Desk, phones: list[Phone]) -> None:
    for name, stored_value in STORED_VALUE_BY_ACT.items():
        act = audit.list_acts(desk.session.event)[0].pk
        version = ResultVersion.objects.order_by("-pk")[0].pk
        for table in range(1, 6):
            getattr(desk, name)(table)
        for phone in phones:
            phone.check_follows(name)
        assert desk.read_stored_mark(phones[-1].link.table) == stored_value, name
        desk.take_back(act, version)
        for phone in phones:
            phone.check_follows(f"{name}, taken back")
            phone.restore_state()
    check_close_and_reopen(desk, phones)


def check_close_and_reopen(desk: Desk, phones: list[Phone]) -> None:
    """Check that every page shows the close, and returns when the session is reopened."""
    for phone in phones:
        phone.check_follows("before the close")
    scoring.services.close_session(session=desk.session, by=desk.user)
    for phone in phones:
        phone.page.evaluate(POLL_SCRIPT)
        expect(phone.page.get_by_role("alert")).to_contain_text("The session is closed")
    desk.enter_result(3, "5")  # a correction, which the phones receive after reopening
    for phone in phones:
        phone.page.evaluate(POLL_SCRIPT)
        expect(phone.page.get_by_role("alert")).to_contain_text("The session is closed")
    scoring.services.reopen_session(session=desk.session, by=desk.user)
    for phone in phones:
        phone.check_follows("reopened")
        expect(phone.page.get_by_text("You can enter scores again.")).to_be_visible()
    first_page = phones[0].page
    first_page.locator("#t-enter").get_by_role("button", name="7", exact=True).click()
    wait_until_all_sent(first_page)
    assert desk.read_stored_mark(1) == "7"
    hall.phones.services.revoke_table_link(link=phones[1].link, by=desk.user)
    phones[1].page.evaluate(POLL_SCRIPT)
    message = phones[1].page.get_by_role("alert")
    expect(message).to_contain_text("This QR code was cancelled.")
