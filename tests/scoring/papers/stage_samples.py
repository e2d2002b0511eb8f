"""Samples of a bracket, strata and prizes, without a database."""

from scoring.sheets.brackets import BracketMatch, BracketRound, BracketSheet, BracketSide
from scoring.sheets.field_lists import (
    PrizeRow,
    PrizeSheet,
    StrataSheet,
    StratumRow,
    StratumTable,
)
from tests.scoring.papers import samples
from tournaments.stages.matches import build_matches


def build_bracket(entrants: int, *, three_way: bool = False) -> BracketSheet:
    """Return the bracket of this many entries before its first match."""
    matches = build_matches(
        entrants,
        {},
        segment_count=1,
        should_higher_seed_win=False,
        has_three_way_matches=three_way,
    )
    return BracketSheet(
        heading=samples.HEADING,
        rounds=tuple(
            BracketRound(
                number,
                f"Round {number}",
                tuple(
                    BracketMatch(
                        round=match.round_number,
                        number=match.number,
                        one=build_side(match.first_side, won=match.is_bye),
                        other=build_side(match.second_side),
                        is_bye=match.is_bye,
                        is_undecided=match.can_be_played,
                        is_level=False,
                        margins=(),
                        extra_margins=(),
                        is_decided_by_director=False,
                        has_entered_margins=False,
                        note="",
                        third=build_side(match.third_side) if match.third_side else None,
                        next_positions=match.next_positions,
                    )
                    for match in row
                ),
            )
            for number, row in enumerate(matches, start=1)
        ),
        champion="",
    )


def build_side(seed: int | None, *, won: bool = False) -> BracketSide:
    if seed is None:
        return BracketSide()
    return BracketSide(seed, seed, f"The Ada Pole Team {seed}", "+4.50", won)


def build_prizes(count: int) -> PrizeSheet:
    """Return a list of this many prizes; no one wins the last one."""
    rows = [
        PrizeRow(f"Purse {n}", f"place {n} of all", f"{90 - n}.00", n, f"Ada Pole {n}", "", "")
        for n in range(1, count)
    ]
    rows.append(PrizeRow("Rose", "place 1 (mixed)", "", None, "", "", "Not awarded."))
    return PrizeSheet(
        samples.HEADING, tuple(rows), is_final=True, winners_with_prize_money=(), total="600.00"
    )


def build_strata(entries: int) -> StrataSheet:
    """Return two strata of a ranking."""
    table = samples.rank_table(entries)
    rows = table.fields[0].rows
    lines = [StratumRow(row.rank, row.tied, row, "B") for row in rows]
    return StrataSheet(
        samples.HEADING,
        table.method,
        (
            StratumTable("A", "A, B", tuple(lines)),
            StratumTable("B", "B", tuple(lines[: entries // 4])),
        ),
    )
