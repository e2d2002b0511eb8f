"""A night through its services: each act, its undo, and everything recomputed from scratch."""

import random
from datetime import date
from typing import Any

import pytest

from clubs import audit
from clubs.errors import ActionUnavailable
from drives.models import Sheet
from drives.services import NewPlayer, create_drive
from rubbers.errors import RubberConflict, RubberRefused
from rubbers.models import HandVersion, RubberHand, RubberNight, Spell
from rubbers.rubber.errors import UnreadableRubber
from rubbers.rubber.seating import Cuts
from rubbers.services import (
    CutsRequired,
    NewRubberPlayer,
    change_night,
    close_rubber_night,
    compute_table_sizes,
    correct_hand,
    create_rubber_night,
    enable_rubbers,
    join_table,
    record_hand,
    remove_table_member,
    rename_night_player,
    reopen_rubber_night,
    seat_next_players,
    set_table_round_ended,
    substitute_player_at_table,
    undo_act,
    undo_last_act,
)
from rubbers.snapshot import NightSnapshot, load_night
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory
from tests.rubbers import arithmetic
from tournaments.services.players import rename_player

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
NAMES = ("Ann", "Bea", "Cy", "Di", "Eve", "Flo")


def begin_night(player_count: int = 4, code: str = "pole", **more: object) -> RubberNight:
    return create_rubber_night(
        club=more.pop("club", None) or ClubFactory(),
        name="Thursday",
        date=date(2026, 11, 26),
        code=code,
        players=[NewRubberPlayer(name=name) for name in NAMES[:player_count]],
        secret=b"one",
        by=None,
        **more,
    )


def load_snapshot(night: RubberNight) -> NightSnapshot:
    rows = RubberNight.objects.select_related("club", "evening", "drive")
    return load_night(rows.get(pk=night.pk))


def build_hand_data(made: int, **more: object) -> dict[str, object]:
    return {"tricks": {"A": made, "B": 13 - made}, **more}


def seat_players(
    night: RubberNight, seats: tuple[int, ...] = (1, 3, 2, 4), spell: int = 1
) -> None:
    seat_next_players(night=night, table=1, spell=spell, seating_mode="", seats=seats, by=None)


def mark_hands(night: RubberNight, *made: object, spell: int = 1) -> None:
    for hand_or_tricks in made:
        hand_number = len(load_snapshot(night).tables[0, 1].stored_hands[spell - 1]) + 1
        hand = (
            build_hand_data(hand_or_tricks)
            if isinstance(hand_or_tricks, int)
            else hand_or_tricks
        )
        record_hand(night=night, table=1, spell=spell, number=hand_number, hand=hand, by=None)


def read_night_state(night: RubberNight) -> object:
    """Return everything that acts change.

    Who recorded it and when is left out.
    """
    snapshot = load_snapshot(night)
    return (
        (snapshot.row.name, snapshot.row.code, snapshot.row.terms, snapshot.row.state),
        [(n, player.full_name) for n, player in snapshot.players.items()],
        [
            (table_key, table.night, table.stored_hands, table.present_members,
             [(s.seats, s.dealer, s.cuts, s.substitutes) for s in table.spells])
            for table_key, table in snapshot.tables.items()
        ],
    )  # fmt: skip


def test_rubber_with_a_revoke_is_marked_and_double_click_marks_once() -> None:
    night = begin_night()
    with pytest.raises(ActionUnavailable, match="who plays with whom"):
        record_hand(night=night, table=1, spell=1, number=1, hand=build_hand_data(9), by=None)
    seat_players(night)
    seat_players(night)
    mark_hands(
        night, build_hand_data(8, honours={"A": 3, "B": 0})
    )  # two by cards, two by honours
    hand_with_revoke = build_hand_data(6, revokes=[{"by": "B", "penalty": "tricks"}])
    for _click in range(2):
        record_hand(night=night, table=1, spell=1, number=2, hand=hand_with_revoke, by=None)
    table = load_snapshot(night).tables[0, 1]
    assert [hand.score for hand in table.scored_spells[0].hands] == [(4, 0), (5, 0)]
    assert table.scored_spells[0].hands[1].won_game.value == 3
    assert HandVersion.objects.count() == 2
    with pytest.raises(RubberConflict):
        record_hand(night=night, table=1, spell=1, number=2, hand=build_hand_data(1), by=None)
    with pytest.raises(
        UnreadableRubber, match="hand 3: choose the penalty for side A’s revoke"
    ):
        mark_hands(night, build_hand_data(9, revokes=[{"by": "A"}]))
    mark_hands(night, 13)
    assert [
        (standing.player_key, standing.points) for standing in load_snapshot(night).standings
    ] == [("1", 8), ("3", 8), ("2", -8), ("4", -8)]
    with pytest.raises(ActionUnavailable, match="who plays next"):
        mark_hands(night, 9)
    assert audit.list_acts(night).count() == 1 + 1 + 3


def test_players_correct_a_hand_in_time_and_organiser_later() -> None:
    user = UserFactory()
    night = begin_night()
    MembershipFactory(club=night.club, user=user, role="scorer")
    seat_players(night)
    mark_hands(night, 13, 7)
    hand_arguments = {"night": night, "table": 1, "spell": 1}
    correct_hand(
        **hand_arguments, number=1, hand=build_hand_data(11), by=user
    )  # it alters the rubber
    mark_hands(night, 13)
    seat_players(night, spell=2)
    correct_hand(**hand_arguments, number=3, hand=build_hand_data(12), by=user)
    mark_hands(night, 9, spell=2)
    with pytest.raises(ActionUnavailable, match="Only the organiser"):
        correct_hand(**hand_arguments, number=3, hand=build_hand_data(11), by=user)
    night.club.memberships.update(role="director")
    with pytest.raises(RubberRefused, match="Enter why"):
        correct_hand(**hand_arguments, number=3, hand=build_hand_data(11), by=user)
    correct_hand(
        **hand_arguments, number=3, hand=build_hand_data(11), reason="all four agree", by=user
    )
    versions = HandVersion.objects.filter(hand__number=3, hand__spell=1)
    assert [version.told["tricks"]["A"] for version in versions] == [13, 12, 11]
    assert versions.last().reason == "all four agree"
    act = audit.list_acts(night).filter(action="rubbers.corrected").first()
    undo_act(night=night, act=act, by=user)  # though a hand was marked later
    assert load_snapshot(night).tables[0, 1].stored_hands[0][2] == build_hand_data(12)
    with pytest.raises(RubberRefused, match="Hand not found"):
        correct_hand(**hand_arguments, number=9, hand=build_hand_data(11), by=None)


def test_cut_cards_seat_four_players_and_equal_cards_are_cut_again() -> None:
    night = begin_night()
    first_cut = {"1": 3, "2": 6, "3": 6, "4": 11}
    with pytest.raises(CutsRequired) as exc_info:
        seat_next_players(
            night=night,
            table=1,
            spell=1,
            seating_mode="cards",
            cuts=Cuts(seat_cuts=(first_cut,)),
            by=None,
        )
    assert exc_info.value.seating.players_to_cut == ("2", "3")
    cuts = Cuts(seat_cuts=(first_cut, {"2": 13, "3": 12}))
    seating = seat_next_players(
        night=night, table=1, spell=1, seating_mode="cards", cuts=cuts, by=None
    )
    assert (seating.seats, seating.dealer) == ([1, 3, 2, 4], 1)
    assert Spell.objects.get().cuts == {"by": "cards", "out": [], "in": list(cuts.seat_cuts)}


def test_random_draw_with_the_same_uid_seats_the_same_four() -> None:
    seats = set()
    for _night_index in range(2):
        night = begin_night(6)
        RubberNight.objects.filter(pk=night.pk).update(uid="0" * 31 + str(_night_index))
    for night in RubberNight.objects.all():
        RubberNight.objects.filter(pk=night.pk).update(uid="1" * 32)
        seating = seat_next_players(night=night, table=1, spell=1, seating_mode="lot", by=None)
        seats.add((*seating.seats, seating.dealer))
        RubberNight.objects.filter(pk=night.pk).delete()
    assert len(seats) == 1


def test_waiting_player_comes_in_and_longest_playing_goes_out() -> None:
    night = begin_night(5)
    seat_players(night)
    mark_hands(night, 13, 13)
    table = load_snapshot(night).tables[0, 1]
    assert table.is_over
    assert table.waiting_members == (5,)
    seat_next_players(night=night, table=1, spell=2, seating_mode="lot", by=None)
    table_after = load_snapshot(night).tables[0, 1]
    assert 5 in table_after.current_seats
    assert len(table_after.waiting_members) == 1


@pytest.mark.parametrize("name", ["", "  ", "x" * 201, "a\0b"])
def test_joining_player_needs_a_storable_name(name: str) -> None:
    night = begin_night()
    with pytest.raises(RubberRefused, match=r"name"):
        join_table(night=night, table=1, guest=NewRubberPlayer(name=name), by=None)
    with pytest.raises(RubberRefused, match=r"name"):
        rename_night_player(night=night, number=1, name=name, by=None)
    assert night.players.count() == 4


def test_player_joins_leaves_and_is_substituted() -> None:
    night = begin_night()
    seat_players(night)
    mark_hands(night, 13)
    eve = join_table(night=night, table=1, guest=NewRubberPlayer(name="Eve"), by=None)
    assert join_table(night=night, table=1, guest=NewRubberPlayer(name=" eve "), by=None) == eve
    substitute_player_at_table(night=night, table=1, number=2, name="Guy", by=None)
    remove_table_member(night=night, table=1, number=4, by=None)
    table = load_snapshot(night).tables[0, 1]
    assert table.is_over
    assert table.present_members == (1, 2, 3, 5)
    with pytest.raises(RubberRefused, match="only players at this table"):
        seat_players(night, (1, 3, 2, 4), spell=2)
    seat_players(night, (1, 3, 2, 5), spell=2)
    points = {
        standing.player_key: standing.points for standing in load_snapshot(night).standings
    }
    assert points == {"1": 3, "3": 3, "2": -3, "4": -3, "5": 0}  # as it was broken off
    with pytest.raises(RubberRefused, match="Two players are called"):
        create_rubber_night(
            club=night.club, name="x", date=date(2026, 11, 26), code="pole",
            players=[NewRubberPlayer(name="Ann")] * 4, by=None,
        )  # fmt: skip


def test_players_are_spread_over_tables_and_impossible_number_is_refused() -> None:
    assert (
        compute_table_sizes(6),
        compute_table_sizes(8),
        compute_table_sizes(11),
        compute_table_sizes(13),
    ) == ([6], [4, 4], [6, 5], [5, 4, 4])
    assert (
        compute_table_sizes(2),
        compute_table_sizes(3),
        compute_table_sizes(7),
        compute_table_sizes(5, 2),
    ) == ([2], [3], [4, 3], [3, 2])
    assert compute_table_sizes(8, 2) == [4, 4]
    for players, tables in ((1, None), (3, 2), (7, 4), (30, 3)):
        with pytest.raises(RubberRefused, match="player"):
            compute_table_sizes(players, tables)


def test_changed_terms_recompute_hands_or_name_the_impossible_hand() -> None:
    night = begin_night()
    seat_players(night)
    mark_hands(night, build_hand_data(8, honours={"A": 4, "B": 0}), 12)
    change_night(night=night, terms={"game": 10}, by=None)
    assert not load_snapshot(night).tables[0, 1].scored_spells[0].games[1:]
    change_night(night=night, code="american-league", terms={}, by=None)
    assert load_snapshot(night).tables[0, 1].scored_spells[0].games[0].value == 7
    with pytest.raises(RubberRefused, match="setting “gaem” not found"):
        change_night(night=night, terms={"gaem": 7}, by=None)
    undo_last_act(night=night, by=None)
    mark_hands(night, build_hand_data(9, revokes=[{"by": "B", "penalty": "plus"}]))
    with pytest.raises(RubberRefused, match="Table 1, partnership 1: hand 3: a revoke costs"):
        change_night(night=night, code="american-league", terms={}, by=None)
    assert load_snapshot(night).row.code == "pole"


def test_close_scores_unfinished_rubbers_and_can_be_undone() -> None:
    night = begin_night()
    seat_players(night)
    mark_hands(night, 13)
    close_rubber_night(night=night, by=None)
    close_rubber_night(night=night, by=None)
    assert [standing.points for standing in load_snapshot(night).standings] == [3, 3, -3, -3]
    with pytest.raises(ActionUnavailable, match="closed"):
        mark_hands(night, 9)
    reopen_rubber_night(night=night, by=None)
    assert [standing.points for standing in load_snapshot(night).standings] == [0] * 4


def test_club_player_is_recognised_by_name_and_shown_as_chosen() -> None:
    club = ClubFactory()
    PlayerFactory(club=club, name="Ann", shown="initials")
    players = load_snapshot(begin_night(club=club)).players
    assert (players[1].full_name, players[1].shown_name) == ("Ann", "A.")


def test_drive_round_is_a_rubber_scored_by_its_points() -> None:
    drive = create_drive(
        club=ClubFactory(), name="Rubbers", date=date(2026, 11, 26), form="lot",
        rounds=2,
        players=[NewPlayer(name=f"P{k}") for k in range(8)], hands=1, secret=b"one",
        score={"kind": "side", "sum": 0}, by=None,
    )  # fmt: skip
    night = enable_rubbers(drive=drive, code="pole", by=None)
    assert enable_rubbers(drive=drive, code="pole", by=None) == night
    assert set(load_snapshot(night).tables) == {(1, 1), (1, 2)}
    at = {"night": night, "table": 1, "round": 1, "spell": 1, "by": None}
    record_hand(**at, number=1, hand=build_hand_data(13))
    assert not Sheet.objects.exists()
    record_hand(**at, number=2, hand=build_hand_data(0))
    record_hand(**at, number=3, hand=build_hand_data(9))
    record_hand(
        **at, number=4, hand=build_hand_data(12)
    )  # trebles: 3 + 3 − 3, and 2 for the rubber
    assert Sheet.objects.get().score == [5, -5]
    correct_hand(**at, number=3, hand=build_hand_data(5))
    assert Sheet.objects.get().score == [4, -4]
    with pytest.raises(ActionUnavailable, match="this table’s round is finished"):
        record_hand(**at, number=5, hand=build_hand_data(9))
    undo_last_act(night=night, table=1, round=1, by=None)
    undo_last_act(night=night, table=1, round=1, by=None)
    assert Sheet.objects.get().score == []
    set_table_round_ended(night=night, table=1, round=1, by=None)
    assert Sheet.objects.get().score == [0, 0]  # a treble each, and the third game unfinished
    with pytest.raises(RubberRefused, match="hasn’t started"):
        record_hand(**at | {"round": 2}, number=1, hand=build_hand_data(9))
    with pytest.raises(ActionUnavailable, match="drive decides"):
        join_table(night=night, table=1, guest=NewRubberPlayer(name="Eve"), by=None)
    with pytest.raises(ActionUnavailable, match="rubber rules can’t change"):
        change_night(night=night, code="long", by=None)
    other_drive = create_drive(
        club=drive.club, name="Tricks", date=date(2026, 11, 26), form="lot", rounds=2,
        players=[NewPlayer(name=f"P{k}") for k in range(8)], by=None,
    )  # fmt: skip
    with pytest.raises(RubberRefused, match="isn’t scored by rubbers"):
        enable_rubbers(drive=other_drive, code="pole", by=None)


def test_correction_in_a_drive_is_refused_while_hands_follow_its_rubber() -> None:
    """Otherwise the round loses its score, and the drive's file can't be imported."""

    drive = create_drive(
        club=ClubFactory(), name="Rubbers", date=date(2026, 11, 26), form="lot", rounds=2,
        players=[NewPlayer(name=f"P{k}") for k in range(4)], hands=1, secret=b"one",
        score={"kind": "side", "sum": 0}, by=None,
    )  # fmt: skip
    night = enable_rubbers(drive=drive, code="pole", by=None)
    at = {"night": night, "table": 1, "round": 1, "spell": 1, "by": None}
    for number, made in enumerate((13, 0, 13), start=1):
        record_hand(**at, number=number, hand=build_hand_data(made))
    assert Sheet.objects.get().score == [5, -5]
    with pytest.raises(RubberRefused, match=r"end with hand 2\. Undo the hands"):
        correct_hand(**at, number=2, hand=build_hand_data(13), reason="all agree")
    assert Sheet.objects.get().score == [5, -5]
    undo_last_act(night=night, table=1, round=1, by=None)
    correct_hand(**at, number=2, hand=build_hand_data(13), reason="all agree")
    assert Sheet.objects.get().score == [8, -8]


def test_correction_or_terms_are_refused_while_hands_follow_a_rubber() -> None:
    """A hand after a rubber would start another rubber that the same four didn't play."""
    night = begin_night()
    seat_players(night)
    mark_hands(night, 13, 0, 13)
    night_state_before = read_night_state(night)
    at = {"night": night, "table": 1, "spell": 1, "by": None}
    for attempt in (1, 2):
        seat_players(night, spell=2) if attempt == 2 else None
        with pytest.raises(RubberRefused, match=r"end with hand 2\. Undo the hands"):
            correct_hand(**at, number=2, hand=build_hand_data(13), reason="all agree")
    undo_last_act(night=night, table=1, by=None)
    assert read_night_state(night) == night_state_before
    correct_hand(
        **at, number=2, hand=build_hand_data(1), reason="all agree"
    )  # still the same side's
    undo_last_act(night=night, table=1, by=None)
    undo_last_act(night=night, table=1, by=None)
    correct_hand(**at, number=2, hand=build_hand_data(13), reason="all agree")
    assert load_snapshot(night).tables[0, 1].is_over
    assert [standing.points for standing in load_snapshot(night).standings] == [8, 8, -8, -8]


def test_changed_terms_are_refused_while_hands_follow_a_rubber() -> None:
    night = begin_night(terms={"game": 10})
    seat_players(night)
    mark_hands(night, 12, 12, 12)
    with pytest.raises(RubberRefused, match=r"Table 1, partnership 1: .* end with hand 2, but"):
        change_night(night=night, terms={}, by=None)
    assert load_snapshot(night).row.terms == {"game": 10}


def test_night_with_a_hand_after_its_rubber_can_be_corrected() -> None:
    night = begin_night()
    seat_players(night)
    mark_hands(night, 13, 0, 13)
    RubberHand.objects.filter(number=2).update(
        told=build_hand_data(13)
    )  # as an older version allowed
    at = {"night": night, "table": 1, "spell": 1, "by": None}
    correct_hand(**at, number=1, hand=build_hand_data(12), reason="all agree")
    change_night(night=night, name="Friday", terms={"bonus": 3}, by=None)
    correct_hand(**at, number=2, hand=build_hand_data(0), reason="all agree")
    assert load_snapshot(night).tables[0, 1].scored_spells[0].early_end_hand_number is None


def draw_hand(chance: random.Random) -> dict[str, object]:
    hand = build_hand_data(chance.randint(0, 13))
    if chance.random() < 0.4:
        hand["honours"] = dict(zip("AB", chance.choice([(3, 1), (4, 0), (0, 3)]), strict=True))
    if chance.random() < 0.2:
        penalty = chance.choice(["tricks", "minus", "plus"])
        hand["revokes"] = [{"by": chance.choice("AB"), "penalty": penalty}]
    return hand


def seat_by_lot(night: RubberNight, chance: random.Random) -> None:
    spell = len(load_snapshot(night).tables[0, 1].spells) + 1
    seat_next_players(night=night, table=1, spell=spell, seating_mode="lot", by=None)


def mark_random_hand(night: RubberNight, chance: random.Random) -> None:
    mark_hands(night, draw_hand(chance), spell=len(load_snapshot(night).tables[0, 1].spells))


def correct_random_hand(night: RubberNight, chance: random.Random) -> None:
    stored_hands = load_snapshot(night).tables[0, 1].stored_hands
    spell = chance.choice([index for index, hands in enumerate(stored_hands, start=1) if hands])
    number = chance.randint(1, len(stored_hands[spell - 1]))
    correct_hand(
        night=night, table=1, spell=spell, number=number, hand=draw_hand(chance),
        reason="so they say", by=None,
    )  # fmt: skip


def join_random_guest(night: RubberNight, chance: random.Random) -> None:
    join_table(night=night, table=1, guest=NewRubberPlayer(name=chance.choice(NAMES)), by=None)


def remove_random_member(night: RubberNight, chance: random.Random) -> None:
    present_members = load_snapshot(night).tables[0, 1].present_members
    if len(present_members) > 4:
        remove_table_member(
            night=night, table=1, number=chance.choice(present_members), by=None
        )


def substitute_random_player(night: RubberNight, chance: random.Random) -> None:
    current_seat, name = (
        chance.choice(load_snapshot(night).tables[0, 1].current_seats),
        chance.choice(["Guy", ""]),
    )
    substitute_player_at_table(night=night, table=1, number=current_seat, name=name, by=None)


def change_random_terms(night: RubberNight, chance: random.Random) -> None:
    terms = {"unfinished": chance.choice(["difference", "void"])}
    change_night(night=night, terms=terms, by=None)


def do_random_act(night: RubberNight, chance: random.Random) -> None:
    """Do a random act that is possible at the table now."""
    table = load_snapshot(night).tables[0, 1]
    kinds = [seat_by_lot] if table.is_over else [mark_random_hand] * 8
    kinds += [correct_random_hand] * 2 * any(table.stored_hands) + [
        join_random_guest,
        remove_random_member,
        change_random_terms,
    ]
    chance.choice(kinds + [substitute_random_player] * bool(table.spells))(night, chance)


def recount_points(night: RubberNight) -> dict[str, int]:
    """Return each player's points from the hands only, with independent arithmetic."""
    snapshot = load_snapshot(night)
    table, is_unfinished_void = (
        snapshot.tables[0, 1],
        snapshot.row.terms.get("unfinished") == "void",
    )
    points = dict.fromkeys(map(str, snapshot.players), 0)
    for spell, hands in zip(table.spells, table.stored_hands, strict=True):
        is_last = spell.number == len(table.spells)
        won = recount_spell(hands, counts_unfinished=not is_last and not is_unfinished_void)
        for index, number in enumerate(spell.seats):
            points[str(number)] += won if index < 2 else -won
    return points


def recount_spell(hands: tuple[dict[str, Any], ...], *, counts_unfinished: bool) -> int:
    """Return what side A won in one spell, including a broken-off rubber if it counts."""
    total_points, games, scores = 0, [], (0, 0)
    for hand in hands:
        honours = hand.get("honours", {"A": 0, "B": 0})
        penalties_by_side = [
            [item["penalty"] for item in hand.get("revokes", ()) if item["by"] == side]
            for side in "AB"
        ]
        *scores, winner = arithmetic.score_short_whist(
            scores, hand["tricks"]["A"], (honours["A"], honours["B"]), penalties_by_side
        )
        if winner is None:
            continue
        game_value = {0: 3, 1: 2, 2: 2, 3: 1, 4: 1}[scores[1 - winner]]
        games.append(game_value if winner == 0 else -game_value)
        scores = (0, 0)
        if sum((game > 0) == (games[-1] > 0) for game in games) == 2:
            total_points += sum(games) + (2 if winner == 0 else -2)
            games = []
    return total_points + sum(games) * counts_unfinished


@pytest.mark.parametrize("seed", range(2))
def test_undo_restores_previous_state_after_every_act_of_a_random_night(seed: int) -> None:
    chance = random.Random(seed)
    night = begin_night(5)
    night_states_before = [read_night_state(night)]
    act_count = audit.list_acts(night).count()
    while len(night_states_before) < 18:
        try:
            do_random_act(night, chance)
        except (ActionUnavailable, RubberRefused):
            assert read_night_state(night) == night_states_before[-1]
        if audit.list_acts(night).count() > act_count:
            act_count += 1
            assert audit.list_acts(night).count() == act_count
            night_states_before.append(read_night_state(night))
            points = {
                standing.player_key: standing.points
                for standing in load_snapshot(night).standings
            }
            assert points == recount_points(night)
    acts = list(audit.list_acts(night))[: len(night_states_before) - 1]
    for act, expected_state in zip(acts, reversed(night_states_before[:-1]), strict=True):
        undo_act(night=night, act=act, by=None)
        assert read_night_state(night) == expected_state
        undo_act(night=night, act=act, by=None)  # a double click
        assert read_night_state(night) == expected_state
    last_act = audit.list_acts(night).first()  # the undo of the first is itself undone
    undo_act(night=night, act=last_act, by=None)
    assert read_night_state(night) == night_states_before[1]


def test_renamed_club_player_is_found_by_current_name() -> None:
    club = ClubFactory()
    ann = PlayerFactory(club=club, name="Ann")
    night = begin_night(club=club)
    rename_player(player=ann, name="Anna Berg", by=None)
    assert (
        join_table(
            night=night, table=1, guest=NewRubberPlayer(name="Anna Berg"), by=None
        ).number
        == 1
    )
    with pytest.raises(RubberRefused, match="Two players are called Anna Berg"):
        rename_night_player(night=night, number=2, name="Anna Berg", by=None)
    another_player = PlayerFactory(club=club, name="Ann")
    joined_member = join_table(night=night, table=1, guest=NewRubberPlayer(name="Ann"), by=None)
    assert (joined_member.number, joined_member.player) == (5, another_player)


def test_undo_of_a_rename_restores_link_to_the_renamed_club_player() -> None:
    club = ClubFactory()
    ann = PlayerFactory(club=club, name="Ann")
    night = begin_night(club=club)
    rename_player(player=ann, name="Anna Berg", by=None)
    rename_night_player(night=night, number=1, name="Ann", by=None)
    assert load_snapshot(night).players[1].full_name == "Ann"
    undo_last_act(night=night, by=None)
    assert night.players.get(number=1).player == ann


@pytest.mark.parametrize("day", [date(1, 1, 1), date(9999, 12, 31)])
def test_night_date_outside_supported_years_is_refused(day: date) -> None:
    with pytest.raises(RubberRefused, match="1800 to 2200"):
        create_rubber_night(
            club=ClubFactory(), name="Night", date=day, code="pole",
            players=[NewRubberPlayer(name=name) for name in NAMES[:4]], by=None,
        )  # fmt: skip
    assert not RubberNight.objects.exists()
