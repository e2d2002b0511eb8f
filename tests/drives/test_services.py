"""The services run a drive from its names to its prizes, and fill its public pages."""

import json
from collections.abc import Callable
from datetime import date, timedelta
from fractions import Fraction

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from clubs import audit
from clubs.activities.secrecy import format_full_name, format_public_name, format_secret
from clubs.errors import ActionUnavailable, EntryConflict
from drives.drive_results import draw_tie_winner
from drives.errors import DriveActionNotAllowed, InvalidScore
from drives.files.drive_file import parse_drive_file as read_drive_file
from drives.files.export import export_drive
from drives.files.verify import list_seating_mismatches
from drives.ledger import count_rests_by_player
from drives.models import Drive, DrivePlayer, Seat, SheetVersion
from drives.services import (
    NewPlayer,
    TotalAlreadyEntered,
    begin_next_round,
    close_drive,
    create_drive,
    enter_sheet,
    enter_total,
    record_cut_winners,
    reopen_drive,
    set_house_terms,
    set_prizes,
    substitute_player,
    undo_act,
)
from drives.sheets.desk import build_desk_page_data
from drives.sheets.seats import (
    build_player_page,
    compute_page_version,
    list_seats,
    load_player_page,
)
from drives.sheets.standing import build_drive_standings, build_totals_report, list_awards
from drives.snapshot import DriveSnapshot, load_drive_snapshot
from drives.templatetags.drives import format_mixed_number
from tests.copies import build_once
from tests.factories import ClubFactory, DriveSeatFactory, PlayerFactory

DAY = date(2026, 11, 20)
pytestmark = pytest.mark.django_db


@build_once
def begin_drive(form: str = "social", size: int = 12, **more: object) -> Drive:
    players = more.pop("players", [NewPlayer(name=f"P{k}") for k in range(1, size + 1)])
    more = {
        "club": more.pop("club", None) or ClubFactory(),
        "rounds": 3,
        "secret": b"one",
        **more,
    }
    return create_drive(name="Friday", date=DAY, form=form, players=players, by=None, **more)


def load_snapshot(drive: Drive) -> DriveSnapshot:
    return load_drive_snapshot(Drive.objects.select_related("club", "evening").get(pk=drive.pk))


def play_rounds(drive: Drive, rounds: int, *, first_side_tricks: int = 8) -> None:
    """Enter every table of this many rounds; the first side makes as many tricks at table 1."""
    for number in range(1, rounds + 1):
        for table in load_snapshot(drive).round_by_number[number].seats_by_table:
            table_tricks = first_side_tricks if table == 1 else 5 + table
            enter_sheet(
                drive=drive, round_number=number, table=table, score=[table_tricks], by=None
            )
        if number < rounds:
            begin_next_round(drive=drive, shown_round_number=number, by=None)


def test_database_allows_a_player_and_a_seat_only_once_a_round() -> None:
    seat = DriveSeatFactory()
    with pytest.raises(IntegrityError), transaction.atomic():
        # The player would sit out and have a seat.
        Seat.objects.create(round=seat.round, player=seat.player)
    with pytest.raises(IntegrityError), transaction.atomic():
        DriveSeatFactory(round=seat.round, table=seat.table, seat=seat.seat)
    with pytest.raises(IntegrityError), transaction.atomic():
        DriveSeatFactory(round=seat.round, table=2, seat=5)
    assert Seat.objects.count() == 1


def test_closed_drive_has_prizes_and_shows_its_secret() -> None:
    drive = begin_drive()
    lines = [
        {"words": "Best", "measure": "total-high", "ties": "lot"},
        {"words": "Luck", "measure": "lucky-number", "ties": "lot"},
    ]
    set_prizes(drive=drive, lines=lines, by=None)
    with pytest.raises(ActionUnavailable):
        format_secret(drive)
    play_rounds(drive, 3)
    assert build_totals_report(load_snapshot(drive), format_full_name).difference == 0
    people_before = [
        line.person for line in list_awards(load_snapshot(drive), format_full_name)
    ]
    assert people_before[1] is None  # the prize by lot is drawn at the close
    drive = close_drive(drive=drive, by=None)
    awards = list_awards(load_snapshot(drive), format_full_name)
    assert [line.prize for line in awards] == [1, 2]
    assert None not in [line.person for line in awards]
    assert format_secret(drive) == b"one".hex()
    with pytest.raises(ActionUnavailable, match="closed"):
        begin_next_round(drive=drive, by=None)
    drive = reopen_drive(drive=drive, by=None)
    with pytest.raises(ActionUnavailable):
        format_secret(drive)


def test_standings_are_hidden_until_the_prizes_except_at_the_desk() -> None:
    drive = begin_drive()
    play_rounds(drive, 1)
    assert build_drive_standings(load_snapshot(drive), format_public_name).lines == ()
    page = build_player_page(load_snapshot(drive), 1, format_public_name)
    assert page.rank is None
    assert page.total == page.rounds[0].points
    assert [line.points for line in page.rounds[1:]] == [None, None]
    assert (
        len(
            build_drive_standings(
                load_snapshot(drive), format_full_name, is_for_staff=True
            ).lines
        )
        == 12
    )
    close_drive(drive=drive, anyway=True, by=None)
    assert len(build_drive_standings(load_snapshot(drive), format_public_name).lines) == 12
    assert build_player_page(load_snapshot(drive), 1, format_public_name).rank is not None


@pytest.mark.parametrize(
    ("players", "standings", "is_affected"),
    [(12, "after", False), (12, "always", True), (13, "after", False), (13, "always", True)],
)
def test_page_revision_changes_only_if_another_table_affects_it(
    players: int, standings: str, is_affected: bool
) -> None:
    """A page with a rank or an average changes; other pages get no update."""
    drive = begin_drive(size=players)
    Drive.objects.filter(pk=drive.pk).update(standings_shown=standings)
    now = load_snapshot(drive)
    assert now.current_round is not None
    player = now.player_by_number[next(who for who in now.current_round.seats_by_table[2])]
    resting_players = [now.player_by_number[who] for who in now.current_round.resting_players]
    versions_before = {who.pk: compute_page_version(who) for who in (player, *resting_players)}
    enter_sheet(drive=drive, round_number=1, table=1, score=[8], by=None)
    versions_after = {
        who.pk: compute_page_version(reload_player(who)) for who in (player, *resting_players)
    }
    assert (versions_before[player.pk] != versions_after[player.pk]) is is_affected
    for who in resting_players:
        assert versions_before[who.pk] != versions_after[who.pk]
        assert load_player_page(reload_player(who), format_full_name) == build_player_page(
            load_snapshot(drive), who.number, format_full_name
        )
    assert (load_player_page(reload_player(player), format_full_name).rank is not None) is (
        standings == "always"
    )


def reload_player(player: DrivePlayer) -> DrivePlayer:
    return DrivePlayer.objects.select_related("drive", "player").get(pk=player.pk)


def test_hidden_player_counts_in_sums_and_is_missing_in_lists() -> None:
    club = ClubFactory()
    PlayerFactory(club=club, name="Ada Secret", shown="nobody")
    PlayerFactory(club=club, name="Bob Short", shown="initials")
    names = ["ada secret", "Bob Short", *(f"P{k}" for k in range(6))]
    drive = begin_drive(club=club, players=[NewPlayer(name=name) for name in names])
    text = " ".join(
        seat.person.name for seat in list_seats(load_snapshot(drive), 1, format_public_name)
    )
    assert "Secret" not in text
    assert "B. S." in text
    assert "Ada Secret" in [
        s.person.name for s in list_seats(load_snapshot(drive), 1, format_full_name)
    ]
    assert (
        len(
            build_drive_standings(
                load_snapshot(drive), format_public_name, is_for_staff=True
            ).lines
        )
        == 8
    )


@pytest.mark.parametrize(
    ("entry", "fault"),
    [
        ({"score": [14]}, "round 1, table 1: 14 is not between 0 and 13"),
        ({"score": [-1]}, "round 1, table 1: -1 is not between"),
        ({"score": [7, 5]}, "7 and 5 add up to 12, not 13"),
        ({"score": [7, 6, 0]}, "Enter 2 scores, not 3"),
        ({"score": ["7"]}, "“7” isn’t a whole number"),
        ({"score": [6.5]}, "“6.5” isn’t a whole number"),
        ({"score": [7], "table": 9}, "table 9: table not found"),
        ({"score": [7], "hand": 2}, "only 1 hand per round"),
        ({"score": [7], "round_number": 8}, "round 8, table 1: this round hasn’t started"),
        ({"score": [7], "extras": [10, 0]}, "this drive has no extras"),
    ],
)
def test_error_of_an_impossible_score_names_its_position(
    entry: dict[str, object], fault: str
) -> None:
    drive = begin_drive(size=8)
    with pytest.raises(InvalidScore, match=fault):
        enter_sheet(drive=drive, **{"round_number": 1, "table": 1, **entry}, by=None)
    assert SheetVersion.objects.count() == 0


def test_correction_keeps_versions_and_a_stale_screen_is_refused() -> None:
    drive = begin_drive(size=8)
    sheet_key = {"drive": drive, "round_number": 1, "table": 1, "by": None}
    assert enter_sheet(**sheet_key, score=[8], seen=[], key="k1").is_changed
    assert not enter_sheet(**sheet_key, score=[8], seen=[]).is_changed  # sent twice
    with pytest.raises(EntryConflict, match="someone has just entered 8–5"):
        enter_sheet(**sheet_key, score=[9], seen=[])
    assert enter_sheet(**sheet_key, score=[9], seen=[8, 5]).is_changed
    assert not enter_sheet(**sheet_key, score=[8], key="k1").is_changed  # a phone's late retry
    assert list(SheetVersion.objects.values_list("score", flat=True)) == [[8, 5], [9, 4]]
    undo_act(drive=drive, act=audit.list_acts(drive)[0], by=None)
    assert load_snapshot(drive).round_by_number[1].compute_table_score(1) == ((8, 5), ())


def test_single_hands_add_up_to_the_round_and_exclude_a_round_score() -> None:
    drive = begin_drive(size=8, hands=4)
    for hand, tricks in enumerate((7, 6, 10, 3), start=1):
        enter_sheet(drive=drive, round_number=1, table=1, hand=hand, score=[tricks], by=None)
    assert load_snapshot(drive).round_by_number[1].compute_table_score(1) == ((26, 26), ())
    with pytest.raises(InvalidScore, match="single hands already have scores"):
        enter_sheet(drive=drive, round_number=1, table=1, score=[26], by=None)
    assert [
        t.is_done for t in build_desk_page_data(load_snapshot(drive), format_full_name).tables
    ] == [
        True,
        False,
    ]


def test_totals_without_sheets_are_ranked_and_a_slip_is_found() -> None:
    drive = begin_drive(size=8, rounds=4)
    play_rounds(drive, 4)
    table = build_drive_standings(load_snapshot(drive), format_full_name, is_for_staff=True)
    points = {line.person.number: int(line.points) for line in table.lines}
    other_drive = begin_drive(size=8, rounds=4, form="progressive")
    for number, total in points.items():
        enter_total(drive=other_drive, number=number, total=total, by=None)
    assert build_totals_report(load_snapshot(other_drive), format_full_name).difference == 0
    assert sum(points.values()) == 26 * 2 * 4
    with pytest.raises(TotalAlreadyEntered, match="Card 3 already has"):
        enter_total(drive=other_drive, number=3, total=points[3] + 1, by=None)
    reversed_totals = {number: int(str(total)[::-1]) for number, total in points.items()}
    changed_number = next(
        n for n, total in reversed_totals.items() if total <= 52 and total != points[n]
    )
    enter_total(
        drive=other_drive,
        number=changed_number,
        total=reversed_totals[changed_number],
        corrects=True,
        by=None,
    )
    report = build_totals_report(load_snapshot(other_drive), format_full_name)
    assert report.difference == reversed_totals[changed_number] - points[changed_number]
    assert changed_number in [card.person.number for card in report.transposed_digit_cards]
    with pytest.raises(ActionUnavailable, match="out by"):
        close_drive(drive=other_drive, by=None)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "total", "fault"),
    [
        (99, 20, "Player 99 not found"),
        (-1, 20, "stand-ins aren’t"),
        (3, 10**9, "is not between 0 and"),
        (3, -1, "is not between 0 and"),
        (3, "20", "isn’t a whole number"),
    ],
)
def test_impossible_total_is_refused(number: int, total: object, fault: str) -> None:
    drive = begin_drive(size=11, house=["Host"])
    with pytest.raises(InvalidScore, match=fault):
        enter_total(drive=drive, number=number, total=total, by=None)


def test_card_has_at_most_as_many_sit_outs_as_rounds() -> None:
    drive = begin_drive(size=11, halves=True)
    for part, max_sit_outs in ((1, drive.rounds // 2), (2, drive.rounds - drive.rounds // 2)):
        card = {"drive": drive, "number": 3, "total": 20, "part": part, "by": None}
        enter_total(**card, rests=max_sit_outs)
        with pytest.raises(InvalidScore, match=f"sit-outs, not {max_sit_outs + 1}"):
            enter_total(**card, rests=max_sit_outs + 1)


@pytest.mark.parametrize(
    ("exact", "text"),
    [
        (Fraction(1209, 2), "604½"),
        (Fraction(-1, 4), "−¼"),
        (Fraction(1625, 16), "101 9/16"),
        (Fraction(7), "7"),
        (Fraction(0), "0"),
    ],
)
def test_points_are_written_as_mixed_numbers(exact: Fraction, text: str) -> None:
    assert format_mixed_number(exact) == text


def test_round_without_scores_does_not_move_and_a_double_click_moves_once() -> None:
    drive = begin_drive("progressive")
    with pytest.raises(DriveActionNotAllowed, match="Tables 1, 2, 3 have no score"):
        begin_next_round(drive=drive, shown_round_number=1, by=None)
    winners = {1: "A", 2: "B", 3: "A"}
    begin_next_round(drive=drive, shown_round_number=1, winners_by_table=winners, by=None)
    assert (
        begin_next_round(
            drive=drive, shown_round_number=1, winners_by_table=winners, by=None
        ).at_round
        == 2
    )
    assert audit.list_acts(drive).filter(action="drive.round").count() == 2


def test_players_sit_in_the_roles_they_chose() -> None:
    roles = ["first", "second"] * 6
    players = [NewPlayer(name=f"P{k}", role=role) for k, role in enumerate(roles)]
    drive = begin_drive("progressive", players=players, first_word="lady", second_word="gent")
    now = load_snapshot(drive)
    for one, two, three, four in now.round_by_number[1].seats_by_table.values():
        assert [now.player_by_number[player].role for player in (one, two, three, four)] == [
            "first", "first", "second", "second",
        ]  # fmt: skip
    assert (
        "Losers move: ladies 1 table up, gents 1 table down"
        in build_desk_page_data(now, format_full_name).call
    )
    assert now.get_role_word("first") == "lady"


def test_substitute_takes_over_the_card_or_starts_a_new_one() -> None:
    drive = begin_drive()
    play_rounds(drive, 1)
    player_7 = load_snapshot(drive).player_by_number[7]
    substitute_player(player=player_7, new_player=NewPlayer(name="Sub"), by=None)
    assert load_snapshot(drive).player_by_number[7].name == "Sub"
    assert build_desk_page_data(load_snapshot(drive), format_full_name).stale_card_holders == (
        (7, "Sub", "", False),
    )
    substitute = substitute_player(
        player=load_snapshot(drive).player_by_number[8],
        new_player=NewPlayer(name="Own"),
        should_take_over_score=False,
        by=None,
    )
    now = load_snapshot(drive)
    assert (now.player_by_number[8].to_round, substitute.from_round, substitute.number) == (
        1,
        2,
        13,
    )
    assert now.round_by_number[2].find_seat(13) is not None
    assert build_player_page(now, 13, format_full_name).total == Fraction(0)


def test_drive_with_a_cut_for_a_prize_closes_only_after_its_winner_is_recorded() -> None:
    drive = begin_drive(size=8, rounds=1)
    set_prizes(drive=drive, lines=[{"words": "Best", "measure": "total-high", "ties": "cut"}],
               by=None)  # fmt: skip
    play_rounds(drive, 1, first_side_tricks=13)
    with pytest.raises(ActionUnavailable, match=r"Prize 1: .* are tied: cut cards"):
        close_drive(drive=drive, by=None)
    winner_number = load_snapshot(drive).round_by_number[1].seats_by_table[1][0]
    record_cut_winners(drive=drive, prize_number=1, winner_numbers=[winner_number], by=None)
    close_drive(drive=drive, by=None)
    [line] = list_awards(load_snapshot(drive), format_full_name)
    assert (line.person.number, line.reason) == (
        winner_number,
        "place 1, 13 points, won the cut",
    )


def test_reason_of_a_prize_has_the_names_that_the_reader_may_see() -> None:
    drive = begin_drive(size=8, rounds=1)
    lines = [
        {"words": "Best", "measure": "total-high"},
        {"words": "Next", "measure": "total-high"},
    ]
    set_prizes(drive=drive, lines=lines, by=None)
    play_rounds(drive, 1, first_side_tricks=13)

    def read_last_reason(format_name: Callable[[DrivePlayer], str]) -> str:
        return list_awards(load_snapshot(drive), format_name)[-1].reason

    winners = [
        load_snapshot(drive).player_by_number[line.person.number].full_name
        for line in list_awards(load_snapshot(drive), format_full_name)
        if line.prize == 1
    ]
    names = f"{', '.join(winners[:-1])} and {winners[-1]}"
    for _state in ("open", "closed"):
        assert read_last_reason(format_full_name).endswith(
            f". {names} are ahead but already have a prize."
        )
        assert "N.N." in read_last_reason(lambda _player: "N.N.")
        assert winners[0] not in read_last_reason(lambda _player: "N.N.")
        if not drive.is_closed:
            drive = close_drive(drive=drive, by=None)


@pytest.mark.slow
@pytest.mark.parametrize(
    "given_numbers",
    [
        {},
        {6: 3, 7: 1},
        {2: 40},
        {1: 8, 8: 1},
        dict(zip(range(1, 9), range(11, 19), strict=True)),
    ],
    ids=["none", "two", "far", "both ends", "all"],
)
def test_free_numbers_are_drawn_and_given_numbers_stay(
    given_numbers: dict[int, int],
) -> None:
    people = [NewPlayer(name=f"P{k}", number=given_numbers.get(k)) for k in range(1, 9)]
    drawn_number_sets = set()
    for secret in (b"one", b"two", b"three", b"four"):
        drive = begin_drive(players=people, numbering="lot", secret=secret)
        numbers = {row.name: row.number for row in drive.players.all()}
        assert {k: numbers[f"P{k}"] for k in given_numbers} == given_numbers
        other_numbers = [numbers[f"P{k}"] for k in range(1, 9) if k not in given_numbers]
        free_numbers = [
            number for number in range(1, 17) if number not in given_numbers.values()
        ]
        assert sorted(other_numbers) == free_numbers[: len(other_numbers)]
        drawn_number_sets.add(tuple(other_numbers))
        play_rounds(drive, 3)
        file_text = json.dumps(export_drive(load_snapshot(close_drive(drive=drive, by=None))))
        assert list_seating_mismatches(read_drive_file(file_text)) == []
    assert (
        len(drawn_number_sets) > 1 or len(given_numbers) == 8
    )  # another secret gives another draw


def test_interrupted_draw_leaves_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure before the seats are written leaves no round, no draw and no act."""
    drive = begin_drive("lot", size=9)
    counts_before = (drive.draws.count(), drive.played.count(), audit.list_acts(drive).count())

    def raise_interrupt(*_rows: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Seat.objects, "bulk_create", raise_interrupt)
    with pytest.raises(KeyboardInterrupt):
        begin_next_round(drive=drive, shown_round_number=1, by=None)
    now = Drive.objects.get(pk=drive.pk)
    assert (
        now.draws.count(),
        now.played.count(),
        audit.list_acts(now).count(),
    ) == counts_before
    assert now.at_round == 1


def test_club_sets_the_defaults_of_its_drives() -> None:
    club = ClubFactory()
    terms = {"hands": 4, "trumps": "SHDC", "first_word": "lady/ladies", "halves": True}
    set_house_terms(club=club, terms=terms, presets={"Ours": {"kind": "side"}}, by=None)
    drive = begin_drive(club=club, size=8)
    assert (drive.hands, drive.trumps, drive.halves) == (4, "SHDC", True)
    assert begin_drive(club=club, size=8, hands=2).hands == 2
    invalid_terms_list = (
        {"hands": "4"},
        {"colour": "red"},
        {"trumps": "X"},
        {"score": {}},
        {"hands": 0},
    )
    for invalid_terms in invalid_terms_list:
        with pytest.raises((ValueError, ValidationError)):
            set_house_terms(club=club, terms=invalid_terms, by=None)


def test_tie_drawn_by_lot_is_reproducible() -> None:
    assert {draw_tie_winner(b"one", 3, table) for table in range(1, 12)} == {"A", "B"}
    assert draw_tie_winner(b"one", 3, 5) == draw_tie_winner(b"one", 3, 5)


def test_players_with_the_fewest_sit_outs_of_the_season_sit_out_first() -> None:
    club = ClubFactory()
    people = [PlayerFactory(club=club) for _k in range(5)]
    players = [NewPlayer(player=person) for person in people]
    rested_player_ids = set()
    for number in range(4):
        drive = create_drive(
            club=club, name=f"Week {number}", date=DAY + timedelta(days=number),
            form="lot",
            players=players, rounds=1, by=None,
        )  # fmt: skip
        [player_number] = load_snapshot(drive).round_by_number[1].resting_players
        rested_player_ids.add(load_snapshot(drive).player_by_number[player_number].player_id)
        close_drive(drive=drive, anyway=True, by=None)
    assert len(rested_player_ids) == 4
    rest_count = count_rests_by_player(club, start_date=DAY, end_date=DAY + timedelta(days=9))
    assert rest_count == dict.fromkeys(rested_player_ids, 1)
    assert (
        count_rests_by_player(
            club, start_date=DAY + timedelta(days=9), end_date=DAY + timedelta(days=10)
        )
        == {}
    )


def test_known_sit_out_scores_on_a_drive_with_only_totals() -> None:
    """With nine players, two rounds and only totals, a sit-out scores the average, 6½."""
    drive = begin_drive(size=9, rounds=2)
    begin_next_round(drive=drive, shown_round_number=1, by=None)
    [rested] = load_snapshot(drive).round_by_number[1].resting_players
    enter_total(drive=drive, number=rested, total=8, by=None)
    lines = build_drive_standings(
        load_snapshot(drive), format_full_name, is_for_staff=True
    ).lines
    assert [line.points for line in lines if line.person.number == rested] == [Fraction(29, 2)]
