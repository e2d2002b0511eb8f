"""Results move players by the rule of the form; everyone keeps one seat and their role."""

import random
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drives.errors import UnplayableDrive
from drives.moves.table_result import Side, TableResult
from drives.play_forms import PLAY_FORMS

DOCUMENT_PATH = Path(__file__).resolve().parents[2] / "docs" / "drives.md"
NAMES = ["L1", "L2", "L3", "L4", "G1", "G2", "G3", "G4"]
FORMS_WITH_MOVES = ("semi-partner", "progressive", "winners-move", "head-table")


def parse_tables(*rows: str) -> list[TableResult]:
    """Parse tables from "L1 L2 G1 G2 A"; a half table is "L5 G5"."""
    table_results = []
    for number, row in enumerate(rows, start=1):
        parts = row.split()
        winner = Side(parts.pop()) if parts[-1] in "AB" else None
        table_results.append(TableResult(number, tuple(parts), winner))
    return table_results


def compute_moved_tables(
    form: str, *rows: str, terms=None, rests=None
) -> tuple[list[str], list]:
    move = PLAY_FORMS[form].move_players
    assert move is not None
    move_result = move(parse_tables(*rows), terms or {}, rests)
    return [" ".join(map(str, table)) for table in move_result.tables], list(
        move_result.resting_players
    )


def compute_expected_moves(form: str, tables: list[TableResult]) -> tuple[dict, dict]:
    """Return the moves of a second implementation, by table and role."""
    full_tables = [table for table in tables if table.is_full]
    table_count, has_half_table = len(full_tables), len(full_tables) < len(tables)
    ring_length = table_count + has_half_table
    first_players_by_table, second = {}, {}
    staying_pairs = {}
    for index, table in enumerate(full_tables):
        one, two, three, four = table.seats
        winners, losers = (
            ((one, three), (two, four)) if table.winner == "A" else ((two, four), (one, three))
        )
        up, down = (index + 1) % ring_length, (index - 1) % ring_length
        if form in ("semi-partner", "progressive"):
            moving_players, staying_players = losers, winners
            rings = (up, down)
        elif form == "winners-move":
            moving_players, staying_players = winners, losers
            rings = (up, down)
        else:
            moving_players, staying_players = (
                (losers, winners) if index == 0 else (winners, losers)
            )
            rings = (ring_length - 1, ring_length - 1) if index == 0 else (index - 1, index - 1)
        first_players_by_table[rings[0]], second[rings[1]] = (
            moving_players[0],
            moving_players[1],
        )
        staying_pairs[index] = staying_players
    if has_half_table:
        resting_players = tables[-1].seats
        half_table_target = table_count - 1 if form == "head-table" else None
        first_players_by_table[0 if half_table_target is None else half_table_target] = (
            resting_players[0]
        )
        second[table_count - 1 if half_table_target is None else half_table_target] = (
            resting_players[1]
        )
    pairs = {}
    for index in range(table_count):
        keeps_partners = form == "semi-partner" or (form == "head-table" and index == 0)
        staying_pair = staying_pairs[index]
        if keeps_partners:
            pairs[index] = {
                frozenset(staying_pair),
                frozenset((first_players_by_table[index], second[index])),
            }
        else:
            pairs[index] = {
                frozenset((staying_pair[0], second[index])),
                frozenset((first_players_by_table[index], staying_pair[1])),
            }
    return pairs, {first_players_by_table.get(table_count), second.get(table_count)} - {None}


def test_documented_example_of_moves_is_correct() -> None:
    """The expected tables are read from the document, where they were worked out by hand."""
    rows = [line for line in DOCUMENT_PATH.read_text("utf-8").splitlines() if " hand |" in line]
    hands = [[cell.strip() for cell in row.split("|")[2:-1]] for row in rows]
    assert len(hands) == 3
    for now, next_cells in pairwise(hands):
        cells = [cell.replace(",", "").replace(" wins", "") for cell in now]
        expected = [cell.split(",")[0] for cell in next_cells]
        assert compute_moved_tables("progressive", *cells) == (expected, [])


def test_half_table_is_included_in_the_moves() -> None:
    """The example shows who sits out next and who returns."""
    moved_tables = compute_moved_tables(
        "progressive", "L1 L2 G1 G2 A", "L3 L4 G3 G4 B", "L5 G5"
    )
    assert moved_tables == (["L1 L5 G3 G1", "L2 L4 G4 G5"], ["L3", "G2"])


def test_head_table_keeps_its_winners_and_its_losers_go_last() -> None:
    rows = ("L1 L2 G1 G2 A", "L3 L4 G3 G4 A", "L5 L6 G5 G6 B")
    assert compute_moved_tables("head-table", *rows) == (
        ["L1 L3 G1 G3", "L6 L4 G4 G6", "L5 L2 G2 G5"],
        [],
    )


def test_semi_partners_stay_together_and_a_single_table_does_not_move() -> None:
    rows = ("L1 L2 G1 G2 B", "L3 L4 G3 G4 A", "L5 L6 G5 G6 A")
    assert compute_moved_tables("semi-partner", *rows)[0] == [
        "L6 L2 G4 G2",
        "L3 L1 G3 G6",
        "L5 L4 G5 G1",
    ]
    assert compute_moved_tables("semi-partner", "L1 L2 G1 G2 A") == (["L1 L2 G1 G2"], [])
    assert PLAY_FORMS["semi-partner"].format_warning(8)
    assert not PLAY_FORMS["progressive"].format_warning(8)
    assert PLAY_FORMS["progressive"].format_warning(4)
    assert not PLAY_FORMS["head-table"].format_warning(12)


def test_custom_moves_can_change_distance_direction_or_side() -> None:
    rows = ("L1 L2 G1 G2 A", "L3 L4 G3 G4 A", "L5 L6 G5 G6 A")
    terms = {"first": -1, "second": 2, "crosses": "first"}
    assert compute_moved_tables("progressive", *rows, terms=terms)[0][0] == "L4 L1 G1 G4"
    assert (
        compute_moved_tables("progressive", *rows, terms={"moves": "winners"})[0]
        == (compute_moved_tables("winners-move", *rows)[0])
    )
    form = PLAY_FORMS["progressive"]
    assert form.format_call({}).startswith(
        "Losers move: 1st players 1 table up, 2nd players 1 table down"
    )
    assert "2 tables up" in form.format_call({"second": 2})
    assert "table 1" in PLAY_FORMS["head-table"].format_call({})
    calls = {
        form.format_call({"crosses": c, "moves": m})
        for c in (None, "first", "second")
        for m in ("losers", "winners")
    }
    assert len(calls) == 6
    for invalid_terms in (
        {"first": 0},
        {"first": "1"},
        {"crosses": "x"},
        {"moves": 3},
        {"hm": 1},
    ):
        with pytest.raises(UnplayableDrive):
            compute_moved_tables("progressive", *rows, terms=invalid_terms)


def test_player_with_more_sit_outs_exchanges_with_the_nearest_with_fewest() -> None:
    rows = ("L1 L2 G1 G2 A", "L3 L4 G3 G4 B", "L5 G5")
    moved_tables = compute_moved_tables("progressive", *rows, rests={"L3": 1, "L2": 0, "L5": 1})
    assert moved_tables == (["L1 L5 G3 G1", "L3 L4 G4 G5"], ["L2", "G2"])


@pytest.mark.parametrize(
    ("rests", "resting_player"),
    [
        ({}, "L10"),
        ({"L10": 1}, "L8"),
        ({"L10": 2, "L8": 1, "L6": 1, "L2": 1}, "L4"),
        ({"L10": 2, "L8": 1, "L6": 1, "L4": 1, "L2": 1}, "L8"),
        ({"L10": 1, "L8": 1, "L6": 1, "L4": 1, "L2": 1}, "L10"),
        ({"L10": 1, "L8": 2, "L6": 2, "L4": 2, "L2": 2}, "L10"),
    ],
)
def test_player_with_the_fewest_sit_outs_and_then_the_nearest_sits_out(
    rests: dict[str, int], resting_player: str
) -> None:
    """L10 would sit out. L8 is one place away, L2 and L6 two, L4 three; L11 just sat out."""
    rows = [f"L{n - 1} L{n} G{n - 1} G{n} A" for n in (2, 4, 6, 8, 10)]
    tables, resting_players = compute_moved_tables("progressive", *rows, "L11 G11", rests=rests)
    assert resting_players == [resting_player, "G2"]
    seated_players = " ".join(tables).split()
    assert {*seated_players, *resting_players} == {
        f"{role}{n}" for role in "LG" for n in range(1, 12)
    }


@pytest.mark.parametrize("form", FORMS_WITH_MOVES)
def test_random_results_keep_everyone_in_their_role(form: str) -> None:
    rng = random.Random(form)
    move = PLAY_FORMS[form].move_players
    assert move is not None
    for _night in range(40):
        size, half = rng.randint(1, 12), rng.random() < 0.5
        rows = [f"L{2 * t} L{2 * t + 1} G{2 * t} G{2 * t + 1}" for t in range(size)]
        tables = parse_tables(*rows, *(["L98 G98"] if half else []))
        all_players = sorted(p for table in tables for p in table.seats)
        for _hand in range(12):
            tables = [
                TableResult(t.number, t.seats, rng.choice([*Side]) if t.is_full else None)
                for t in tables
            ]
            moved = move(tables, {}, None)
            pairs, rest = compute_expected_moves(form, tables)
            assert [{frozenset(s[::2]), frozenset(s[1::2])} for s in moved.tables] == [
                pairs[number] for number in range(size)
            ]
            assert set(moved.resting_players) == rest
            seats = [*moved.tables, *([moved.resting_players] if half else [])]
            assert sorted(p for table in seats for p in table) == all_players
            assert all("".join(p[0] for p in table) == "LLGG" for table in moved.tables)
            tables = [TableResult(n, tuple(s)) for n, s in enumerate(seats, start=1)]


@given(
    names=st.permutations(["L1", "L2", "L3", "L4", "G1", "G2", "G3", "G4"]),
    form=st.sampled_from(FORMS_WITH_MOVES),
)
@settings(max_examples=20, deadline=None)
def test_renamed_players_move_the_same_way(names: list[str], form: str) -> None:
    rows = ("L1 L2 G1 G2 A", "L3 L4 G3 G4 B")
    new_name_by_name = dict(zip(NAMES, names, strict=True))

    def rename_players(row: str) -> str:
        return " ".join(new_name_by_name.get(word, word) for word in row.split())

    assert compute_moved_tables(form, *map(rename_players, rows))[0] == [
        *map(rename_players, compute_moved_tables(form, *rows)[0])
    ]


@pytest.mark.parametrize("leftover_count", [1, 2, 3])
def test_leftover_players_of_any_number_sit_out_in_turn(leftover_count: int) -> None:
    """With one, two or three left over, no one is lost or sits out twice in a row."""
    half = {1: ("L9", None, None, None), 2: ("L9", "G9"), 3: ("L9", "L8", "G9", None)}[
        leftover_count
    ]
    tables = parse_tables("L1 L2 G1 G2", "L3 L4 G3 G4", "L5 L6 G5 G6")
    tables.append(TableResult(4, half))
    rng, move = random.Random(leftover_count), PLAY_FORMS["progressive"].move_players
    assert move is not None
    seats = {p for table in tables for p in table.seats if p}
    for _hand in range(20):
        resting_players = {p for p in tables[-1].seats if p}
        table_results = [
            TableResult(t.number, t.seats, rng.choice([*Side])) for t in tables[:-1]
        ]
        moved = move([*table_results, tables[-1]], {}, None)
        assert {p for t in moved.tables for p in t} | set(moved.resting_players) == seats
        assert not resting_players & set(moved.resting_players)
        first_role_players = [p for p in moved.resting_players if str(p)[0] == "L"]
        seconds = [p for p in moved.resting_players if str(p)[0] == "G"]
        half_table_seats = (
            *first_role_players,
            *[None] * (2 - len(first_role_players)),
            *seconds,
            *[None] * (2 - len(seconds)),
        )
        tables = [
            *(TableResult(n, s) for n, s in enumerate(moved.tables, start=1)),
            TableResult(4, half_table_seats),
        ]


def test_cut_drive_shrinks_from_twelve_to_eight_to_four_players() -> None:
    rows = ("a b c d A", "e f g h B", "i j k l A")
    tables, eliminated = compute_moved_tables("cut", *rows)
    assert (tables, eliminated) == (["a f c h", "i b k d"], ["e", "g", "j", "l"])
    tables, eliminated = compute_moved_tables("cut", *(f"{row} A" for row in tables))
    assert (tables, eliminated) == (["a i c k"], ["f", "h", "b", "d"])
    assert compute_moved_tables("cut", "a i c k B") == ([], ["a", "c"])
    with pytest.raises(UnplayableDrive):
        compute_moved_tables("cut", *rows, terms={"first": 1})


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        ((), "No table is full"),
        (("a b",), "No table is full"),
        (("a b c d",), "Table 1: the winner"),
        (("a b c d A", "e f", "i j k l B"), "Table 2: only the last table"),
        (("a b c d A", "a f g h B"), "Table 2: a is seated twice"),
        (("a b c d A", "e f A"), "Table 2: an incomplete table"),
    ],
)
def test_impossible_tables_are_refused(rows: tuple, text: str) -> None:
    with pytest.raises(UnplayableDrive, match=text):
        compute_moved_tables("progressive", *rows)
