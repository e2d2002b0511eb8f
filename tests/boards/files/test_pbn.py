"""Other programs read our PBN files, and we read theirs."""

import contextlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards import pbn
from boards.whist import CARDS_BY_CODE, PACK, Seat, UnusableBoards, deal_pack
from boards.whist.dealing import deal_board
from tests.solving import load_endplay_format

BOARDS = {number: deal_board(bytes(32), number) for number in range(1, 101)}
HANDS = "N:KT8.A96.A95.7542 Q5.KJ52.KQ874.T8 AJ962.T4.J3.AQJ9 743.Q873.T62.K63"
TAGS = f'[Board "3"]\n[Dealer "S"]\n[Deal "{HANDS}"]\n[WhistTurnUp "CQ"]\n'


@given(
    st.dictionaries(
        st.integers(1, 1000), st.tuples(st.permutations(PACK), st.sampled_from(Seat))
    )
    .filter(bool)
    .map(lambda packs: {n: deal_pack(pack, dealer) for n, (pack, dealer) in packs.items()})
)
@settings(max_examples=25)
def test_written_boards_are_read_back_unchanged(boards):
    reading = pbn.read_pbn(pbn.format_pbn(boards))
    assert reading.deals_by_board == boards
    assert reading.warnings == ()


def test_another_program_reads_the_dealer_as_declarer_in_the_turn_up_suit():
    text = pbn.format_pbn(
        BOARDS, event_name='The "Tuesday"', date="2026.03.10", ns_tricks_by_board={1: 8, 2: 8}
    )
    endplay_boards = load_endplay_format("pbn").loads(text)
    assert len(endplay_boards) == 100
    for board in endplay_boards:
        own_board = BOARDS[board.board_num]
        assert board.dealer.name[0].upper() == own_board.dealer
        assert board.contract.declarer.name[0].upper() == own_board.dealer
        assert (board.contract.level, board.contract.denom.name) == (1, own_board.trumps.word)
        assert board.deal.first.name[0].upper() == own_board.leader
        assert board.vul.name == "none"
        assert board.info["WhistTurnUp"] == own_board.turn_up.code
        assert board.info["Event"] == "The 'Tuesday'"
    assert [board.contract.result + 7 for board in endplay_boards[:2]] == [8, 5]


def test_boards_rewritten_by_another_program_are_unchanged():
    endplay_pbn_format = load_endplay_format("pbn")
    text = endplay_pbn_format.dumps(endplay_pbn_format.loads(pbn.format_pbn(BOARDS)))
    assert pbn.read_pbn(text).deals_by_board == BOARDS


def test_file_has_the_standard_header_and_the_given_extra_lines():
    text = pbn.format_pbn(
        {1: BOARDS[1]},
        header="% Secret: none\n",
        generator="a hat",
        extra_lines_by_board={1: '[ScoreTable "Rank"]\n1\n'},
    )
    assert text.startswith('% PBN 2.1\n% EXPORT\n% Secret: none\n\n[Event "?"]\n')
    assert '[Generator "a hat"]\n' in text
    assert text.endswith('[ScoreTable "Rank"]\n1\n')
    assert pbn.read_pbn(text).deals_by_board == {1: BOARDS[1]}


@pytest.mark.parametrize("tricks", [None, 0, 8, 13])
def test_tags_are_in_standard_order_and_unknown_results_are_omitted(tricks):
    tricks_by_board = {} if tricks is None else {1: tricks}
    text = pbn.format_pbn({1: BOARDS[1]}, ns_tricks_by_board=tricks_by_board)
    names = [line[1 : line.index(" ")] for line in text.splitlines()[3:]]
    result = "" if tricks is None else "Result "
    assert " ".join(names) == (
        "Event Site Date Board West North East South Dealer Vulnerable Deal Scoring "
        f"Declarer Contract {result}Generator WhistTurnUp"
    )
    assert '[Result "?"]' not in text


@pytest.mark.parametrize(
    "text",
    [
        TAGS,
        TAGS.replace("\n", "\r\n"),
        TAGS.replace("\n", ""),
        TAGS.encode("utf-16"),
        TAGS.replace("WhistTurnUp", "whistturnup").replace("CQ", "♣q"),
        TAGS.replace("]\n", "] ; a remark\n"),
        TAGS.replace("]\n", '] {a remark\nover [Board "9"] lines}\n'),
        TAGS.replace('[Deal "', '% an escaped line\n[ Deal  "'),
        TAGS.replace('Board "3"', 'Event "a {b}; c"]\n[Board "Board 3"'),
        f"3 {HANDS} CQ",
        f"Board 3: {HANDS}, CQ\n",
        f"#3 {HANDS} 12\n".replace("12", "cq"),
        TAGS + '[Auction "S"]\n1C Pass\nPass Pass\n[Play "W"]\nS4 S8 S5 SJ\n*\n[Note "1:x"]\n',
    ],
)
def test_board_is_read_in_every_common_notation(text):
    reading = pbn.read_pbn(text)
    assert list(reading.deals_by_board) == [3]
    assert reading.deals_by_board[3].turn_up is CARDS_BY_CODE["CQ"]
    assert reading.deals_by_board[3].dealer is Seat.SOUTH
    assert reading.warnings == ()


def test_stray_line_is_left_out_with_a_warning_that_quotes_it():
    reading = pbn.read_pbn("Deals of Tuesday\n\n" + TAGS)
    assert list(reading.deals_by_board) == [3]
    assert reading.warnings == (
        ("Line 1: “Deals of Tuesday” is neither a tag nor a board, so it was left out."),
    )


def test_missing_tags_get_defaults_with_a_warning():
    text = TAGS.replace('[Board "3"]\n', "").replace('"S"]', '"?"]', 1).replace("CQ", "SK")
    reading = pbn.read_pbn(text)
    assert list(reading.deals_by_board) == [1]
    assert reading.deals_by_board[1].dealer is Seat.NORTH
    assert reading.warnings == (
        "Line 1: this deal has no board number and was read as board 1.",
        "Line 1: board 1 has no dealer, so North was assumed.",
    )


def test_deal_without_a_number_gets_the_next_number():
    second_tags = TAGS.replace('[Board "3"]\n', "").replace('"S"', '"W"').replace("CQ", "S7")
    reading = pbn.read_pbn(TAGS + "\n" + second_tags)
    assert list(reading.deals_by_board) == [3, 4]


def test_games_without_an_empty_line_between_are_separated():
    repeated_tags = TAGS.replace('"3"', '"7"')
    assert list(pbn.read_pbn(TAGS + repeated_tags).deals_by_board) == [3, 7]


def test_hash_sign_copies_the_value_of_the_previous_game():
    repeated_game = '\n[Board "7"]\n[Dealer "#"]\n[Deal "#"]\n[WhistTurnUp "#"]\n'
    boards = pbn.read_pbn(TAGS + repeated_game).deals_by_board
    assert boards[3] == boards[7]


def test_results_of_many_tables_give_one_board():
    assert list(pbn.read_pbn(TAGS + "\n" + TAGS + "\n" + TAGS).deals_by_board) == [3]


def test_game_without_cards_is_left_out_with_a_warning():
    reading = pbn.read_pbn(TAGS + '\n[Board "4"]\n[Deal ""]\n')
    assert list(reading.deals_by_board) == [3]
    assert reading.warnings == ("Line 6: there are no cards here, so it was left out.",)


def test_very_long_line_is_left_out_quickly():
    reading = pbn.read_pbn("[a " + '"[a ' * 500_000 + "\n" + TAGS)
    assert list(reading.deals_by_board) == [3]
    assert reading.warnings == ("Line 1: longer than 2000 characters, so it was left out.",)


def test_comment_may_end_at_the_end_of_a_line():
    reading = pbn.read_pbn("{a\nb}\n" + TAGS + "{c} {d}\n")
    assert list(reading.deals_by_board) == [3]
    assert reading.warnings == ()


@given(st.text(alphabet="{}[];%\\' aN:=", max_size=12))
@settings(max_examples=200)
def test_name_in_a_table_neither_opens_a_comment_nor_ends_a_board(name):
    boards = {number: BOARDS[number] for number in (1, 2, 3)}
    table = f'[TotalScoreTable "Rank;Names\\40L"]\n  1 "{name}"\n  2 "Bob"\n'
    reading = pbn.read_pbn(
        pbn.format_pbn(boards, event_name=name, extra_lines_by_board={1: table, 2: table})
    )
    assert reading.deals_by_board == boards
    assert reading.warnings == ()


@pytest.mark.parametrize(
    ("line", "is_open"),
    [
        ('1 "Ann" {half', True),
        ('1 "Ann {" 2 {half', True),
        ('he said "no {half', True),
        ('{"} 1 {half', True),
        ('1 "Ann {" ; a " {', False),
        ('1 "Ann {" {whole} "Bob {"', False),
    ],
)
def test_comment_next_to_a_quoted_name_is_still_a_comment(line, is_open):
    reading = pbn.read_pbn(f'{TAGS}[ScoreTable "A"]\n{line}\n')
    assert bool(reading.warnings) is is_open


def test_unclosed_comment_is_named():
    reading = pbn.read_pbn(TAGS + "\n{ and then\nnothing\n")
    assert reading.warnings == ("Line 6: the comment that starts here with { is never closed.",)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (TAGS.replace("CQ", "H6"), "the six of hearts, is not in the hand of South"),
        (TAGS.replace("CQ", "joker"), "Board 3: the turn-up can’t be read. “joker” is"),
        (TAGS.replace("CQ", "?"), "Board 3: The turn-up is missing (add"),
        (TAGS.replace(HANDS, "what"), "Board 3: The deal can’t be read"),
        (
            TAGS.replace("K63", "Q6").replace("743", "43"),
            "Board 3: West has 11 cards; the seven of spades is missing; the king of clubs is "
            "missing; the three of clubs is missing; the queen of clubs appears twice",
        ),
        (f"3 {HANDS}", "Board 3: The turn-up is missing (add"),
        ("", "No boards found"),
        ("\x00\x01", "No boards found"),
    ],
)
def test_invalid_board_is_refused_with_its_number_and_card(text, problem):
    with pytest.raises(UnusableBoards) as exc_info:
        pbn.read_pbn(text)
    assert problem in str(exc_info.value)


@given(
    st.binary(max_size=300) | st.text(alphabet='[]"{};%\n NESW:.KQ10HDeal#Board', max_size=300)
)
@settings(max_examples=100)
def test_any_file_is_read_or_refused(data):
    with contextlib.suppress(UnusableBoards):
        assert pbn.read_pbn(data).deals_by_board


def build_results_text(board_count, table_count):
    """Return lines in which each board is written once for each table."""
    lines = [f"{number} {HANDS} CQ" for number in range(3, 4 * board_count, 4)]
    return "\n".join(lines * table_count)


def test_board_that_each_table_played_is_read_once(monkeypatch):
    original_read_hands, texts = pbn.read_hands, []

    def read_and_record_hands(text):
        texts.append(text)
        return original_read_hands(text)

    monkeypatch.setattr(pbn, "read_hands", read_and_record_hands)
    assert len(pbn.read_pbn(build_results_text(100, 30)).deals_by_board) == 100
    assert len(texts) == 100


def test_file_with_more_than_a_thousand_boards_is_refused():
    assert len(pbn.read_pbn(build_results_text(1_000, 2)).deals_by_board) == 1_000
    with pytest.raises(UnusableBoards, match="more than 1,000 boards"):
        pbn.read_pbn(build_results_text(1_001, 2))
