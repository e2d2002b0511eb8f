"""Sample sheets for papers: a Mitchell of any number of tables, without a database."""

from datetime import date
from fractions import Fraction

from boards.whist import PACK, Deal, Seat, deal_pack
from printing.qr import create_qr_code
from printing.values import Heading
from scoring.sheets.entry_links import EntryLinkSlip
from scoring.sheets.explained_numbers import ExplainedNumber, ExplainedStep, Explanation
from scoring.sheets.hall_values import (
    Announcement,
    PairGuide,
    PairGuideLine,
    WallCell,
    WallSheet,
)
from scoring.sheets.table_links import TableCard
from scoring.sheets.values import (
    GuideCard,
    GuideCardRound,
    RankedGroup,
    RankRow,
    RankTable,
    Recap,
    RecapGroup,
    RecapRow,
    ScoreSlip,
    ScoreSlipLine,
    Traveller,
    TravellerLine,
    TravellerSlip,
    TravellerSlipLine,
    TrumpSlip,
)
from tournaments.movements.formatting import format_table

HEADING = Heading("Riverside Whist Club", "Tuesday compass", date(2026, 3, 10))
LONG_HEADING = Heading(
    "Whist Club of Saint-Germain-des-Prés and Wielkopolska, in the Assembly Rooms",
    "Championship of the Northern Counties for Mixed Pairs, Summer",
    date(2026, 9, 30),
    session_number=2,
    session_count=3,
    section_letter="B",
)
NAMES = (
    "Ada Pole & Łucja Nowak",
    "Rosa Matthews & Ольга Иванова",
    "Henry Jones & Fiona Ó Briain",
    "Ольга Иванова & Łucja Wielkopolska-Nowakowska-Zähringer-Brie",
    "Νίκος Παπαδάκης & Ελένη Κωνσταντίνου",
    "Jiří Novák & Ayşe Yılmaz",
    "Zoë Whitfield & Siân Davies",
)


def make_name(number: int) -> str:
    """Return a pair's name, from all alphabets in turn."""
    return NAMES[(number - 1) % len(NAMES)]


def find_ew_pair(tables: int, round_: int, table: int) -> int:
    """Return the E-W pair of a Mitchell at a table: it moves up one table a round."""
    return (table - round_) % tables + 1


def find_board_group(tables: int, round_: int, table: int) -> int:
    """Return the board group of a Mitchell at a table: it moves down one table a round."""
    return (table + round_ - 2) % tables + 1


def format_board_range(number: int) -> str:
    """Return the four boards of a board group, as a range."""
    return f"{4 * number - 3}–{4 * number}"


def build_travellers(
    tables: int, boards: int, *, heading: Heading = HEADING, rows: int | None = None
) -> list[TravellerSlip]:
    """Return travellers of a Mitchell, or with any number of rows."""
    boards_per_group = max(1, boards // tables)
    slips = []
    for board in range(1, boards + 1):
        place = (board - 1) // boards_per_group + 1
        lines = tuple(
            TravellerSlipLine(
                round_ + 1,
                format_table((place - round_ - 1) % tables + 1, heading.section_letter),
                str((place - round_ - 1) % tables + 1),
                str((place - 2 * round_ - 1) % tables + 1),
            )
            for round_ in range(tables if rows is None else rows)
        )
        slips.append(TravellerSlip(heading, board, Seat.find_dealer(board), lines))
    return slips


def build_guide_cards(
    tables: int, rounds: int, *, heading: Heading = HEADING, note: str = "", moves: int = 2
) -> list[GuideCard]:
    """Return guide cards of a Mitchell."""
    texts = (
        "After each round the E-W pair goes to the next higher table; N-S stay.",
        "The boards go to the next lower table; from table 1 they go to the last table.",
        "After round 4 the E-W pairs skip one table: from table 3 they go to table 5.",
    )
    return [
        GuideCard(
            heading,
            table,
            format_table(table, heading.section_letter),
            tuple(
                GuideCardRound(
                    round_,
                    f"{table} N-S",
                    f"{find_ew_pair(tables, round_, table)} E-W",
                    format_board_range(find_board_group(tables, round_, table)),
                    note if round_ % 2 else "",
                )
                for round_ in range(1, rounds + 1)
            ),
            texts[:moves],
        )
        for table in range(1, tables + 1)
    ]


def score_slips(
    pairs: int, boards: int, *, heading: Heading = HEADING, sit_out: bool = False
) -> list[ScoreSlip]:
    """Return score slips for the N-S pairs of a Mitchell with four boards a round."""
    slips = []
    for pair in range(1, pairs + 1):
        lines = [
            ScoreSlipLine(
                (board - 1) // 4 + 1,
                format_table(pair, heading.section_letter),
                "N-S",
                f"{board % pairs + 1} E-W",
                board,
            )
            for board in range(1, boards + 1)
        ]
        if sit_out:
            lines.append(ScoreSlipLine(boards // 4 + 1, "", "", "", None))
        label = f"{pair} N-S"
        start = f"table {pair}, N-S"
        slips.append(
            ScoreSlip(
                heading, label, make_name(pair), start, tuple(lines), first_table_number=pair
            )
        )
    return slips


def build_trump_slips(
    boards: int, *, is_turn_up_known: bool = True, heading: Heading = HEADING
) -> list[TrumpSlip]:
    """Return trump slips with every suit and rank in turn."""
    return [
        TrumpSlip(
            heading,
            board,
            Seat.find_dealer(board),
            "SHDC"[board % 4] + "23456789TJQKA"[board % 13] if is_turn_up_known else None,
        )
        for board in range(1, boards + 1)
    ]


def build_table_cards(tables: int) -> list[TableCard]:
    """Return cards for the phones at some tables."""
    home = "http://192.168.1.20:8000/t/"
    return [
        TableCard(
            HEADING,
            table,
            str(table),
            f"{home}{table:022}/",
            create_qr_code(f"{home}{table:022}/"),
        )
        for table in range(1, tables + 1)
    ]


def build_entry_link_slips(entries: int) -> list[EntryLinkSlip]:
    """Return slips with the personal links of some entries."""
    home = "http://192.168.1.20:8000/e/"
    return [
        EntryLinkSlip(
            HEADING,
            number,
            f"{number} N-S",
            make_name(number),
            f"{home}{number:022}/",
            create_qr_code(f"{home}{number:022}/"),
            24,
        )
        for number in range(1, entries + 1)
    ]


def rank_row(
    place: int, entry: int, label: str, *, tied: bool = False, wins: bool = False
) -> RankRow:
    """Return one placing."""
    return RankRow(
        rank=place,
        tied=tied,
        entry=entry,
        label=label,
        name=make_name(entry),
        score=Fraction(19 - 4 * place, 2),
        percent=Fraction(60 - place, 100),
        tricks=Fraction(183 - place),
        boards=28,
        wins_overall=wins,
    )


def rank_table(
    pairs: int, *, heading: Heading = HEADING, fields: int = 2, complete: bool = True
) -> RankTable:
    """Return standings of two fields with a tie for third place."""
    ranked_groups = [
        RankedGroup(
            heading.section_letter,
            ("NS", "EW")[side % 2] if fields > 1 else "",
            Fraction(174) if side % 2 == 0 else Fraction(571, 3),
            tuple(
                rank_row(
                    3 if place == 4 else place,
                    place + side * pairs,
                    f"{place} {('N-S', 'E-W')[side % 2]}",
                    tied=place in (3, 4),
                    wins=place == 1 and side == 0,
                )
                for place in range(1, pairs + 1)
            ),
        )
        for side in range(fields)
    ]
    missing_result_count = 0 if complete else 12
    return RankTable(
        heading, "plus_minus", tuple(ranked_groups), (1,), complete, missing_result_count, 1
    )


def build_recap(
    pairs: int,
    boards: int,
    *,
    heading: Heading = HEADING,
    fields: int = 2,
    complete: bool = True,
) -> Recap:
    """Return a recap with revokes, boards not played and pending results."""
    cells = ("8", "5", "13", "7", "6→5 −R", "–", "10", "11 +R", "")
    table = rank_table(pairs, heading=heading, fields=fields)
    return Recap(
        heading,
        "plus_minus",
        tuple(range(1, boards + 1)),
        tuple(
            RecapGroup(
                field.section,
                field.field,
                field.average,
                tuple(
                    RecapRow(
                        row, tuple(cells[(row.entry * board) % 9] for board in range(boards))
                    )
                    for row in field.rows
                ),
            )
            for field in table.fields
        ),
        complete,
    )


def build_explanations(
    entries: int, boards: int, *, heading: Heading = HEADING
) -> list[Explanation]:
    """Return every entry's score explained board by board, one board with a ruling."""
    return [
        Explanation(
            heading,
            entry,
            f"{entry} N-S",
            NAMES[entry % len(NAMES)],
            (
                ExplainedNumber(
                    "rank",
                    "Place",
                    (ExplainedStep("Place 1 with +9. No one did better.", Fraction(1)),),
                ),
                ExplainedNumber(
                    "score",
                    "Score",
                    (
                        ExplainedStep(
                            f"+{boards} in all, on {boards} deals.",
                            Fraction(boards),
                            parts=tuple(
                                ExplainedStep(
                                    f"Board {board}, N-S: 8 tricks, +1 against the average "
                                    "of 7 (7 scores: 9, 8, 2 × 7, 6, 2 × 5).",
                                    Fraction(1),
                                    board,
                                    ("Revoke by E-W (Law X.4): claimed at once.",)
                                    if board == 3
                                    else (),
                                )
                                for board in range(1, boards + 1)
                            ),
                        ),
                    ),
                ),
            ),
            "",
            True,
        )
        for entry in range(1, entries + 1)
    ]


def build_hand_records(
    boards: int, *, heading: Heading = HEADING, known: bool = True
) -> list[Traveller]:
    """Return boards after play; every fifth gives one seat a complete suit."""
    return [
        Traveller(
            heading,
            board,
            Seat.find_dealer(board),
            build_deal(board) if known else None,
            board % 14 if known else None,
            None,
            tuple(build_traveller_line(board, table) for table in range(1, 8)),
        )
        for board in range(1, boards + 1)
    ]


def build_deal(board: int) -> Deal:
    """Return a deal from a full pack by a fixed rule."""
    whole_suits = [PACK[place % 4 * 13 + place // 4] for place in range(52)]
    mixed = [PACK[(place * 7 + board) % 52] for place in range(52)]
    pack = whole_suits if board % 5 == 0 else mixed
    return deal_pack(pack, Seat.find_dealer(board))


def build_traveller_line(board: int, table: int) -> TravellerLine:
    """Return one table's tricks on a board; the last table has not played it."""
    tricks = None if table == 7 else (board + table * table) % 14
    outcome = "" if tricks is None else "played"
    east = None if tricks is None else 13 - tricks
    return TravellerLine(
        "", table, table, str(table), 1, "1", "", 2, "2", "", outcome, tricks, east, None, None
    )


def build_wall_sheet(
    tables: int,
    rounds: int,
    *,
    heading: Heading = HEADING,
    note: str = "",
    commitment: str = "",
) -> WallSheet:
    """Return the wall sheet of a Mitchell."""
    return WallSheet(
        heading,
        f"Mitchell, {tables} tables",
        tuple(format_table(table, heading.section_letter) for table in range(1, tables + 1)),
        tuple(
            tuple(
                WallCell(
                    str(table),
                    str(find_ew_pair(tables, round_, table)),
                    format_board_range(find_board_group(tables, round_, table)),
                    note,
                )
                for table in range(1, tables + 1)
            )
            for round_ in range(1, rounds + 1)
        ),
        ("North-South pairs stay; East-West pairs move up one table.",),
        commitment,
    )


def build_announcement(paragraphs: int = 4, *, heading: Heading = HEADING) -> Announcement:
    """Return the announcement of a Mitchell."""
    text = "North-South pairs stay; East-West pairs move one table up after each round."
    return Announcement(heading, (text,) * paragraphs)


def build_pair_guides(
    tables: int, rounds: int, *, heading: Heading = HEADING, note: str = ""
) -> list[PairGuide]:
    """Return guides of the East-West pairs of a Mitchell."""
    return [
        PairGuide(
            heading,
            f"{pair} E-W",
            make_name(pair),
            tuple(
                PairGuideLine(
                    round_,
                    format_table((pair + round_ - 2) % tables + 1, heading.section_letter),
                    "E-W",
                    f"{(pair + round_ - 2) % tables + 1} N-S",
                    format_board_range((pair + round_ - 2) % tables + 1),
                    note,
                )
                for round_ in range(1, rounds + 1)
            ),
            first_table_number=pair,
        )
        for pair in range(1, tables + 1)
    ]
