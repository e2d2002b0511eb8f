"""Complete drives with contracts are run by requests of phones and the organiser."""

import json
import random
import re
from datetime import date
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from pypdf import PdfReader

import drives.services
from clubs.models import TableLink
from drives.models import CardLink, Drive, Sheet
from drives.snapshot import load_drive_snapshot
from tests.browser.drives import create_organiser
from tests.drives.games.evening_recount import GAME_TABLES_BY_CODE, SEATS, count_points
from tests.drives.games.random_hands import make_hand
from tests.drives.games.second_scorer import score_hand
from tests.drives.test_table_phones import JSON_REQUEST

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
FIRST_NAMES = ("Anna", "Bram", "Cleo", "Dirk", "Elsa", "Frits", "Greet", "Henk",
               "Inge", "Jan", "Kaat", "Leo", "Mia", "Noor", "Otto", "Piet")  # fmt: skip


class Evening:
    """A drive from its form to its public page, with the browsers of its people."""

    def __init__(self, preset: str, players: int) -> None:
        self.chance = random.Random(preset)
        self.organiser, self.phone = Client(), Client()
        self.organiser.force_login(create_organiser())
        form = {"name": "Thursday", "date": date(2026, 11, 26).isoformat(), "form": "lot",
                "preset": preset, "check_in": "on"}  # fmt: skip
        response = self.organiser.post("/director/drives/new/", form)
        assert response.status_code == 302
        self.drive = Drive.objects.get()
        self.desk = f"/director/drives/{self.drive.slug}/"
        self.game = GAME_TABLES_BY_CODE[self.drive.score["game"]]
        self.check_in(players)

    def check_in(self, players: int) -> None:
        """Let all people sit down in order, table by table, and start."""
        tables = -(-players // 4)
        self.organiser.post(f"{self.desk}check-in/act/", {"act": "open", "tables": tables})
        for player_index in range(players):
            path = TableLink.objects.get(
                evening=self.drive.evening, table=player_index // 4 + 1
            ).path
            surname = "Maes" if player_index < 16 else "Peeters"
            name = f"{FIRST_NAMES[player_index % 16]} {surname} {player_index + 1}"
            form = {
                "act": "sit",
                "seat": player_index % 4 + 1,
                "name": name,
                "pick-name": "guest",
            }
            assert self.phone.post(f"{path}check-in/", form).status_code == 302
        page = self.organiser.get(f"{self.desk}check-in/start/").content.decode()
        version = re.findall(r'name="version" value="(\w*)"', page)
        form = {"act": "start", "version": version[0]}
        assert self.organiser.post(f"{self.desk}check-in/start/", form).status_code == 302
        drives.services.create_table_links(drive=self.drive, by=None)
        self.drive.refresh_from_db()

    def play_round(self, *paper_tables: int) -> None:
        """Enter and confirm all hands by phone, and those of the other tables at the desk."""
        snapshot = load_drive_snapshot(self.drive)
        assert snapshot.current_round is not None
        for table in snapshot.current_round.seats_by_table:
            hands = [make_hand(self.chance, self.game) for _hand in range(self.drive.hands)]
            if table in paper_tables:
                self.type_sheet(table, hands)
            else:
                self.send_hands(table, hands)

    def send_hands(self, table: int, hands: list[dict[str, Any]]) -> None:
        path = TableLink.objects.get(evening=self.drive.evening, table=table).path
        page = self.phone.get(path, **JSON_REQUEST).json()["page"]
        for number, hand in enumerate(hands, start=1):
            place = {"round": page["round"], "hand": number, "seats": page["seats"]}
            key = f"{page['round']}-{table}-{number}"
            form = {"act": "enter", "contract": json.dumps(hand), "key": key, "seen": ""}
            response = self.phone.post(path, place | form, **JSON_REQUEST)
            assert response.status_code == 200, response.content
            points = response.json()["page"]["hands"][number - 1]["score"]
            assert points == score_hand(self.game, hand)
            form = {"act": "confirm", "seen": ",".join(map(str, points))}
            assert self.phone.post(path, place | form, **JSON_REQUEST).status_code == 200

    def type_sheet(self, table: int, hands: list[dict[str, Any]]) -> None:
        place = f"/api/drives/{self.drive.slug}/rounds/{self.drive.at_round}/tables/{table}/"
        for number, hand in enumerate(hands, start=1):
            body = json.dumps({"hand": number, "contract": hand})
            response = self.organiser.put(place, body, content_type="application/json")
            assert response.status_code == 200, response.content
            assert response.json()["score"] == score_hand(self.game, hand)

    def begin_next_round(self) -> None:
        form = {"round": self.drive.at_round}
        assert self.organiser.post(f"{self.desk}next/", form).status_code == 302
        self.drive.refresh_from_db()

    def close_drive(self) -> str:
        """Set two prizes, close the drive, and return the public page."""
        form = {"words": ["First", "Most made"], "field": ["all", "all"],
                "measure": ["total-high", "contracts-made"], "count": [3, 1],
                "ties": ["share", "share"]}  # fmt: skip
        assert self.organiser.post(f"{self.desk}prizes/", form).status_code == 302
        assert self.organiser.post(f"{self.desk}closing/close/").status_code == 302
        self.drive.refresh_from_db()
        assert self.drive.is_closed
        return Client().get(f"/drives/{self.drive.slug}/").content.decode()

    def check_points(self) -> None:
        """Compare the standings with a recount from the contracts in the file."""
        file = self.organiser.get(f"/api/drives/{self.drive.slug}/file/").json()
        recounted_points = count_points(file)
        assert sum(recounted_points.values()) == 0
        assert {
            row["number"]: int(row["points"]) for row in load_standings(self)
        } == recounted_points

    def count_meetings(self) -> list[int]:
        """Return how often each pair that met sat at one table."""
        meetings_by_pair: dict[frozenset[int], int] = {}
        for round_ in load_drive_snapshot(self.drive).round_by_number.values():
            for table in round_.seats_by_table.values():
                for player in table:
                    for other_player in table:
                        pair = frozenset((int(player), int(other_player)))
                        meetings_by_pair[pair] = meetings_by_pair.get(pair, 0) + (
                            player < other_player
                        )
        return [count for pair, count in meetings_by_pair.items() if len(pair) == 2]

    def count_paper_pages(self, *names: str) -> int:
        """Return the number of pages of some papers."""
        response = self.organiser.get(f"{self.desk}papers/print/", {"paper": names})
        assert response["Content-Type"] == "application/pdf"
        content = (
            b"".join(response.streaming_content) if response.streaming else response.content
        )
        return len(PdfReader(BytesIO(content)).pages)


def load_standings(evening: Evening) -> list[dict[str, Any]]:
    """Return the standings that the organiser sees."""
    data = evening.organiser.get(f"/api/drives/{evening.drive.slug}/standing/").json()
    rows: list[dict[str, Any]] = data["lines"]
    return rows


def test_wiezen_drive_of_26_self_seated_players_is_played_to_the_prizes() -> None:
    evening = Evening("wiezen-evening", 26)
    assert (evening.drive.rounds, evening.drive.hands) == (5, 8)
    assert evening.count_paper_pages("table_sheets", "score_cards", "points_poster") > 6
    for round_ in range(1, 6):
        evening.play_round(5, 6)
        if round_ < 5:
            evening.begin_next_round()
    assert Sheet.objects.filter(round__drive=evening.drive).count() == 5 * 6 * 8
    assert set(evening.count_meetings()) == {1}
    sheet = Sheet.objects.filter(round__number=2, table=5).exclude(score__0=0).first()
    assert sheet is not None
    place = load_drive_snapshot(evening.drive).round_by_number[2].seats_by_table[5]
    totals = count_points(
        evening.organiser.get(f"/api/drives/{evening.drive.slug}/file/").json()
    )
    wrong_total = totals[int(place[0])] - 2 * sheet.score[0]
    form = {"number": place[0], "total": wrong_total, "part": 1}
    response = evening.organiser.post(f"{evening.desk}totals/", form, follow=True)
    slip = f"Round 2, table 5, hand {sheet.hand}"
    assert slip in response.content.decode()
    assert "wrong sign?" in response.content.decode()
    form |= {"total": totals[int(place[0])], "corrects": "on"}
    response = evening.organiser.post(f"{evening.desk}totals/", form, follow=True)
    assert "wrong sign?" not in response.content.decode()
    evening.check_points()
    page = evening.close_drive()
    winner = min(load_standings(evening), key=lambda row: row["rank"])
    assert winner["name"].split()[0] in page
    assert evening.count_paper_pages("prize_list") >= 1


def test_danish_drive_of_22_is_played_to_the_close() -> None:
    evening = Evening("danish-whist", 22)
    assert (evening.drive.rounds, evening.drive.hands) == (2, 12)
    evening.play_round()
    evening.begin_next_round()
    evening.play_round(2)
    assert set(evening.count_meetings()) == {1}
    evening.check_points()
    evening.close_drive()


def test_points_of_a_reopened_drive_follow_changed_house_rules() -> None:
    evening = Evening("wiezen-evening", 8)
    house = {"contracts": {"misere": {"made": [10], "lost": [10]}}, "several": "each"}
    body = json.dumps({"house": house})
    path = f"/api/drives/{evening.drive.slug}/game/"
    response = evening.organiser.put(path, body, content_type="application/json")
    assert response.status_code == 200
    misere = {"contract": "misere", "by": [SEATS[1]], "tricks": 0}
    path = f"/api/drives/{evening.drive.slug}/rounds/1/tables/1/"
    body = json.dumps({"hand": 1, "contract": misere})
    response = evening.organiser.put(path, body, content_type="application/json")
    assert response.json()["score"] == [-10, 30, -10, -10]
    evening.check_points()


def test_pages_name_the_other_three_players_and_show_a_minus_sign() -> None:
    evening = Evening("wiezen-evening", 8)
    evening.play_round()
    drives.services.create_card_links(drive=evening.drive, by=None)
    one, two, three, four = (
        load_drive_snapshot(evening.drive).round_by_number[1].seats_by_table[1]
    )
    link = CardLink.objects.get(holder__drive=evening.drive, holder__number=one)
    page = " ".join(Client().get(link.path).content.decode().split())
    assert "<p>Against" not in page
    names = [evening.drive.players.get(number=each).full_name for each in (two, three, four)]
    assert f"With {two} {names[0]}, {three} {names[1]}, {four} {names[2]}" in page
    text = evening.organiser.get(evening.desk).content.decode()
    assert "Repeat partners" not in text
    points = load_drive_snapshot(evening.drive).round_by_number[1].compute_table_score(1)[0]
    assert " / ".join(f"{each}".replace("-", "−") for each in points) in text
