"""A year of drives and rubber nights in a club, created only through the services.

Drives of every form and of every game, and rubbers by every code. Together with
`tests.releases.club_year` it has a row in each table that came after version 1.0.
"""

from collections.abc import Mapping, Sequence
from datetime import timedelta
from random import Random
from typing import Any

import clubs.evenings.services
import drives.services
import rubbers.services
from clubs import audit
from clubs.evenings.first_seats import Chair
from clubs.evenings.services import NewCheckIn
from clubs.models import Club, TableLink
from drives.draw.random_stream import RandomStream
from drives.drive_results import find_round_winners
from drives.errors import UnplayableDrive
from drives.games import GAMES_BY_CODE
from drives.games.house import build_points_table, build_points_table_data
from drives.models import Drive
from drives.play_forms import PLAY_FORMS
from drives.scores.presets import list_presets
from drives.scores.random_scores import simulate_scores
from drives.services import NewPlayer, enter_sheet
from drives.services.check_in import start_drive_from_check_in
from drives.services.rehearsal import create_rehearsal, finish_round
from drives.snapshot import DriveSnapshot, format_seats, load_drive_snapshot
from rubbers.models import RubberNight
from rubbers.rubber.codes import LAW_CODES_BY_NAME
from rubbers.services import NewRubberPlayer
from rubbers.services.drives import enable_rubbers
from rubbers.snapshot import load_night
from server.models import User
from tests.drives.games.random_hands import make_hand
from tests.factories import make_name
from tests.releases import club_year, night
from tests.releases.chance import Clock

DRAW_SECRET = b"a year of drives"
PLAYER_COUNT = 12
ROUND_COUNT = 3
HANDS_PER_GAME = 3
MAX_HANDS = 60  # of a rubber, as a guard against an endless loop
PRIZES: Sequence[Mapping[str, Any]] = (
    {"words": "Highest total", "measure": "total-high"},
    {"words": "Lowest total", "measure": "total-low"},
    {"words": "Raffle", "measure": "raffle", "ties": "lot"},
)


def create_year(clock: Clock) -> None:
    """Add a year to the first club of the night, on the same clock."""
    club = Club.objects.order_by("pk")[0]
    director = User.objects.get(username="director")
    create_drives_and_rubbers(club, director, clock)
    club_year.create_club_year(club, director, clock)
    # How often the program reads the clock depends on the real time that jobs take.
    noon = clock.moment.replace(hour=12, minute=0, second=0, microsecond=0)
    clock.moment = noon + timedelta(days=1)


def create_drives_and_rubbers(club: Club, by: User, clock: Clock) -> None:
    """Create all drives and rubber nights, one a week."""
    day = night.DAY
    for create_activity in (
        *(lambda day, form=form: play_form(club, form, day, by) for form in PLAY_FORMS),
        *(lambda day, game=game: play_game(club, game, day, by) for game in GAMES_BY_CODE),
        lambda day: play_house_table(club, day, by),
        lambda day: play_from_check_in(club, day, by),
        lambda day: play_marked_rubbers(club, day, by),
        lambda day: enter_card_totals(club, day, by),
        *(
            lambda day, code=code: play_rubbers(club, code, day, by)
            for code in LAW_CODES_BY_NAME
        ),
        lambda day: begin_rubber_night(club, day, by),
    ):
        day += timedelta(weeks=1)
        clock.wait(days=1)
        create_activity(day)


def list_names(count: int = PLAYER_COUNT) -> list[str]:
    return [make_name(number) for number in range(count)]


def list_players(count: int = PLAYER_COUNT) -> list[NewPlayer]:
    return [NewPlayer(name=name) for name in list_names(count)]


def reload_drive(drive: Drive) -> Drive:
    return Drive.objects.select_related("club", "evening").get(pk=drive.pk)


def load_round(drive: Drive) -> tuple[DriveSnapshot, int, list[int]]:
    """Return a drive with the number and the tables of the round in play."""
    snapshot = load_drive_snapshot(reload_drive(drive))
    assert snapshot.current_round is not None
    return snapshot, snapshot.current_round.number, list(snapshot.current_round.seats_by_table)


def enter_round(drive: Drive, by: User) -> None:
    """Enter a score for each table of the round in play."""
    snapshot, number, tables = load_round(drive)
    for table in tables:
        random_stream = RandomStream(DRAW_SECRET, drive.slug, number, table)
        score, extras = simulate_scores(snapshot.scoring, random_stream)
        enter_sheet(
            drive=drive, round_number=number, table=table, score=score, extras=extras, by=by
        )


def begin_next_round(drive: Drive, by: User) -> Drive:
    """Begin the next round; side A wins each cut."""
    snapshot, number, _table_numbers = load_round(drive)
    winners = dict.fromkeys(find_round_winners(snapshot, number)[1], "A")
    return drives.services.begin_next_round(drive=drive, winners_by_table=winners, by=by)


def play_form(club: Club, form: str, day: Any, by: User) -> None:
    """Play a drive of one form to its end; the social drive has what happens in a hall."""
    drive = drives.services.create_drive(
        club=club, name=f"Drive {form}", date=day, form=form, players=list_players(),
        rounds=ROUND_COUNT, hands=4, secret=DRAW_SECRET, by=by,
        score={"kind": "tricks", "sum": 13, "low": 0, "high": 13},
    )  # fmt: skip
    drives.services.set_prizes(drive=drive, lines=PRIZES, by=by)
    for number in range(1, ROUND_COUNT + 1):
        enter_round(drive, by)
        if form == "social" and number < ROUND_COUNT:
            apply_player_changes(drive, number, by)
        if number == ROUND_COUNT:
            break
        try:
            drive = begin_next_round(drive, by)
        except UnplayableDrive:  # the last table of a cut
            break
    drives.services.close_drive(drive=reload_drive(drive), anyway=True, by=by)


def apply_player_changes(drive: Drive, number: int, by: User) -> None:
    """Let players come, leave and be replaced, and undo acts."""
    players = list(drive.players.filter(house=False).order_by("number"))
    if number == 1:
        drives.services.add_late_player(
            drive=drive, new_player=NewPlayer(name="Lena Late"), by=by
        )
        drives.services.set_pair_kept_apart(
            drive=drive, player_number=1, other_player_number=2, by=by
        )
        drives.services.substitute_player(
            player=players[2], new_player=NewPlayer(name="Susan Substitute"), by=by
        )
        drives.services.create_table_links(drive=drive, by=by)
        drives.services.create_card_links(drive=drive, by=by)
        drives.services.undo_last_act(drive=reload_drive(drive), by=by)
        drives.services.create_card_links(drive=drive, by=by)
        rehearsal = create_rehearsal(drive=reload_drive(drive), by=by)
        finish_round(drive=rehearsal)
    else:
        drives.services.remove_player(player=players[4], by=by)
        enter_sheet(
            drive=drive, round_number=1, table=1, score=[30], by=by, reason="the card says 30"
        )


def play_game(club: Club, game: str, day: Any, by: User) -> None:
    """Play a drive of one game by its contracts, with a correction after the round."""
    preset = next(preset for preset in list_presets() if preset.game_code == game)
    drive = drives.services.create_drive(
        club=club, name=f"Game {game}", date=day, form=preset.form_code or "lot",
        players=list_players(8), rounds=2, hands=HANDS_PER_GAME, secret=DRAW_SECRET,
        score=dict(preset.score), trumps=preset.trumps, by=by,
    )  # fmt: skip
    drives.services.set_prizes(drive=drive, lines=PRIZES[:1], by=by)
    drives.services.create_table_links(drive=drive, by=by)
    play_contracts(drive, game, {}, by)
    drive = begin_next_round(drive, by)
    play_contracts(drive, game, {}, by)
    corrected_hand = make_hand(Random(day.isoformat()), build_game_table(game, {}))
    enter_sheet(
        drive=drive, round_number=1, table=1, hand=1, contract=corrected_hand,
        reason="the wrong contract was entered", by=by,
    )  # fmt: skip
    if game != "rikken":  # which stays open
        drives.services.close_drive(drive=reload_drive(drive), anyway=True, by=by)


def build_game_table(game: str, house: Mapping[str, Any]) -> dict[str, Any]:
    return build_points_table_data(build_points_table(GAMES_BY_CODE[game], None, house))


def play_contracts(drive: Drive, game: str, house: Mapping[str, Any], by: User) -> None:
    """Enter a random hand for each hand of the round, at the first table by its phone."""
    snapshot, number, tables = load_round(drive)
    chance = Random(f"{drive.slug} {number}")
    link = TableLink.objects.filter(evening=drive.evening, revoked_at=None, table=1).first()
    for table in tables:
        for hand in range(1, drive.hands + 1):
            contract = make_hand(chance, build_game_table(game, house))
            if table != 1 or link is None:
                enter_sheet(
                    drive=drive, round_number=number, table=table, hand=hand,
                    contract=contract, by=by,
                )  # fmt: skip
                continue
            assert snapshot.current_round is not None
            place: dict[str, Any] = {
                "link": link, "round_number": number, "hand_number": hand,
                "shown_seats": format_seats(snapshot.current_round.seats_by_table[table]),
            }  # fmt: skip
            entry_result = drives.services.enter_score_from_table(
                **place, contract=contract, side_letter="A", key=f"{number}-{hand}"
            )
            drives.services.confirm_sheet_from_table(**place, seen=entry_result.sheet.score)


def play_house_table(club: Club, day: Any, by: User) -> None:
    """Play by the club's own points, change them, and undo that."""
    house = {"contracts": {"misere": {"made": [10]}}}
    drives.services.save_club_points_table(
        club=club,
        name="Our wiezen",
        game_code="wiezen",
        variant_code=None,
        club_changes=house,
        by=by,
    )
    drives.services.set_contract_words(club=club, words="local", by=by)
    drive = drives.services.create_drive(
        club=club, name="By our own points", date=day, form="lot",
        players=list_players(9),
        rounds=2, hands=HANDS_PER_GAME, secret=DRAW_SECRET, by=by,
        score={"kind": "player", "sum": 0, "game": "wiezen", "house": house},
    )  # fmt: skip
    play_contracts(drive, "wiezen", house, by)
    changed_points = {"contracts": {"misere": {"made": [12]}}}
    drives.services.change_points(
        drive=reload_drive(drive), custom=None, house=changed_points, by=by
    )
    act = audit.list_acts(drive).order_by("-pk")[0]
    drives.services.undo_act(drive=reload_drive(drive), act=act, by=by)
    begin_next_round(reload_drive(drive), by)
    drives.services.save_as_club_defaults(drive=reload_drive(drive), by=by)


def play_from_check_in(club: Club, day: Any, by: User) -> None:
    """Begin a drive with the people who have checked in at their chairs."""

    drive = drives.services.create_drive(
        club=club, name="With check-in", date=day, form="social", players=[], rounds=4,
        hands=4, is_started=False, secret=DRAW_SECRET, score={"kind": "tricks", "sum": 13},
        by=by,
    )  # fmt: skip
    clubs.evenings.services.open_check_in(
        evening=drive.evening, table_count=3, subject=drive, by=by
    )
    people = [
        NewCheckIn(name=name, chair=Chair(1 + index // 4, 1 + index % 4))
        for index, name in enumerate(list_names())
    ]
    clubs.evenings.services.check_in_people(
        evening=drive.evening, people=people, subject=drive, by=by
    )
    drive = start_drive_from_check_in(drive=reload_drive(drive), by=by)
    enter_round(drive, by)
    drives.services.create_table_links(drive=drive, by=by)
    link = TableLink.objects.filter(evening=drive.evening).order_by("table")[0]
    clubs.evenings.services.call_director(link=link)


def enter_card_totals(club: Club, day: Any, by: User) -> None:
    """Enter only the totals of the players' cards, one of them corrected."""
    drive = drives.services.create_drive(
        club=club, name="By the cards", date=day, form="progressive", players=list_players(8),
        rounds=2, hands=4, secret=DRAW_SECRET, score={"kind": "tricks", "sum": 13}, by=by,
    )  # fmt: skip
    for number in range(1, 9):
        drives.services.enter_total(drive=drive, number=number, total=50 + number, by=by)
    drives.services.enter_total(drive=drive, number=3, total=56, corrects=True, by=by)


def play_marked_rubbers(club: Club, day: Any, by: User) -> None:
    """Let the tables of a drive mark their rubbers."""
    drive = drives.services.create_drive(
        club=club, name="Drive of rubbers", date=day, form="lot", players=list_players(8),
        rounds=2, hands=1, secret=DRAW_SECRET, score={"kind": "side", "sum": 0}, by=by,
    )  # fmt: skip
    marked_night = enable_rubbers(drive=drive, code="pole", terms={"best_of": 1}, by=by)
    for table, tricks_made in ((1, 9), (2, 10)):
        rubbers.services.record_hand(
            night=marked_night, round=1, table=table, spell=1, number=1,
            hand={"tricks": {"A": tricks_made, "B": 13 - tricks_made}}, by=by,
        )  # fmt: skip
    rubbers.services.set_table_round_ended(night=marked_night, table=2, round=1, by=by)


def create_rubber_night(
    club: Club, name: str, code: str, day: Any, by: User, players: int = 5
) -> RubberNight:
    return rubbers.services.create_rubber_night(
        club=club, name=name, date=day, code=code, secret=DRAW_SECRET, by=by,
        players=[NewRubberPlayer(name=name) for name in list_names(players)],
    )  # fmt: skip


def play_rubbers(club: Club, code: str, day: Any, by: User) -> None:
    """Play two rubbers by a code, with a corrected hand, and close the night."""
    row = create_rubber_night(club, f"Rubbers {code}", code, day, by)
    chance = Random(code)
    for spell in (1, 2):
        rubbers.services.seat_next_players(
            night=row, table=1, spell=spell, seating_mode="lot", by=by
        )
        for number in range(1, MAX_HANDS):
            made = chance.randint(3, 10)
            record_hand(row, 1, spell, number, made, by)
            if load_night(reload_night(row)).tables[0, 1].is_over:
                break
    winner_tricks = 13 if made > 6 else 0  # the same side still ends the rubber
    rubbers.services.correct_hand(
        night=row, table=1, spell=2, number=number, reason="all four agree", by=by,
        hand={"tricks": {"A": winner_tricks, "B": 13 - winner_tricks}},
    )  # fmt: skip
    rubbers.services.close_rubber_night(night=reload_night(row), by=by)


def reload_night(row: RubberNight) -> RubberNight:
    return RubberNight.objects.select_related("club", "evening", "drive").get(pk=row.pk)


def record_hand(
    row: RubberNight, table: int, spell: int, number: int, made: int, by: User
) -> None:
    rubbers.services.record_hand(
        night=row, table=table, spell=spell, number=number,
        hand={"tricks": {"A": made, "B": 13 - made}}, by=by,
    )  # fmt: skip


def begin_rubber_night(club: Club, day: Any, by: User) -> None:
    """Leave a night of two tables in play: one marks its hands, one waits for its seats."""
    row = create_rubber_night(club, "Rubbers in play", "pole", day, by, players=9)
    rubbers.services.create_marker_links(night=row, by=by)
    rubbers.services.seat_next_players(night=row, table=1, spell=1, seating_mode="lot", by=by)
    for number, made in enumerate((8, 5, 9), start=1):
        record_hand(row, 1, 1, number, made, by)
    rubbers.services.undo_last_act(night=reload_night(row), table=1, by=by)
    seated_numbers = load_night(reload_night(row)).tables[0, 1].current_seats
    rubbers.services.substitute_player_at_table(
        night=row, table=1, number=seated_numbers[0], name="Sam Standin", by=by
    )
    rubbers.services.join_table(
        night=row, table=2, guest=NewRubberPlayer(name="Nina Newcomer"), by=by
    )
