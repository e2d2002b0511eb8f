"""The rankings by stratum, and the prizes with the reason for each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from printing.values import Heading
from scoring.models import EventPrize
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.headings import build_heading, find_current_session
from scoring.sheets.ranks import index_rank_rows, load_rank_table
from scoring.sheets.values import RankRow, RankTable
from scoring.standings_engine.overall_order import EntryStanding, build_placed_entries
from scoring.standings_engine.prizes import Line, PrizeGiving, assign_prizes, rank_by_stratum
from tournaments.models import Event
from tournaments.stages.prizes import Award


@dataclass(frozen=True, slots=True)
class StratumRow:
    """One entry in the ranking of a stratum: its rank in the stratum, and overall."""

    rank: int
    is_shared: bool
    row: RankRow
    stratum: str


@dataclass(frozen=True, slots=True)
class StratumTable:
    """The ranking of a stratum, which includes all lower strata."""

    name: str
    words: str  # "B and C"
    rows: tuple[StratumRow, ...]


@dataclass(frozen=True, slots=True)
class StrataSheet:
    """All strata of an event, the highest first."""

    heading: Heading
    method: str
    tables: tuple[StratumTable, ...]


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """A prize and its winner; without a winner if too few entries qualify for it."""

    name: str
    of: str  # "place 2 of B"
    prize_value: str  # "30.00"; "" for an honour
    entry: int | None
    who: str
    paid: str  # the entry's total prize money, if a tie shares prizes
    reason: str


@dataclass(frozen=True, slots=True)
class PrizeSheet:
    """The prizes of an event, in the order in which they are given."""

    heading: Heading
    rows: tuple[PrizeRow, ...]
    is_final: bool
    winners_money: tuple[tuple[int, str, str], ...]  # number, name, money of each winner
    total: str = ""


def build_strata_tables(event: Event, table: RankTable) -> tuple[StratumTable, ...]:
    """Return the rankings by stratum of these standings; empty if there are no strata.

    Only the given table is used: public standings during play may be older than stored ones,
    which must not be revealed.
    """
    if not hasattr(event, "strata"):
        return ()
    rows_by_entry = index_rank_rows(table)
    lists = rank_by_stratum(event, build_placed_entries(event, iter_entry_standings(table)))
    own_strata = _find_own_strata(lists)
    names = list(lists)
    return tuple(
        StratumTable(
            name=name,
            words=", ".join(names[index:]),
            rows=tuple(
                StratumRow(
                    rank, _is_shared(lines, rank), rows_by_entry[entry], own_strata[entry]
                )
                for rank, entry in lines
            ),
        )
        for index, (name, lines) in enumerate(lists.items())
    )


def iter_entry_standings(table: RankTable) -> Iterable[EntryStanding]:
    """Yield the entries of the given standings for a common ranking."""
    for field in table.fields:
        for row in field.rows:
            yield EntryStanding(
                entry=row.entry,
                name=row.name,
                section=field.section,
                side=field.field,
                rank=row.rank,
                boards=row.boards,
                score=row.score,
                percent=row.percent,
                score_per_board=row.each if row.a_board is None else row.a_board,
                corrected=row.corrected,
            )


def _find_own_strata(lists: dict[str, list[Line]]) -> dict[int, str]:
    """Return each entry's own stratum: the lowest one whose ranking includes it."""
    return {entry: name for name, lines in lists.items() for _rank, entry in lines}


def _is_shared(lines: Sequence[Line], rank: int) -> bool:
    return sum(other_rank == rank for other_rank, _entry in lines) > 1


def build_strata_sheet(event: Event, table: RankTable) -> StrataSheet:
    """Return the rankings by stratum for a paper."""
    return StrataSheet(table.heading, table.method, build_strata_tables(event, table))


def build_session_strata_sheet(snapshot: SessionSnapshot) -> StrataSheet:
    """Return the public rankings by stratum of a session's event."""
    event = snapshot.session.event
    return build_strata_sheet(event, load_rank_table(event))


def build_prize_sheet(event: Event) -> PrizeSheet:
    """Build the list of prizes of an event, from its current standings."""
    prize_giving = assign_prizes(event)
    sessions = list(event.sessions.all())
    rows = tuple(
        _build_prize_row(prize_giving, prize, award)
        for prize, award in zip(prize_giving.prizes, prize_giving.awards, strict=True)
    )
    paid_entries = sorted(
        prize_giving.money_by_entry.items(), key=lambda item: (-item[1], item[0])
    )
    return PrizeSheet(
        heading=build_heading(find_current_session(sessions)),
        rows=rows,
        is_final=all(session.state == session.State.CLOSED for session in sessions),
        winners_money=tuple(
            (entry, prize_giving.names[entry], format_money(cents))
            for entry, cents in paid_entries
        ),
        total=format_money(sum(prize_giving.money_by_entry.values()))
        if prize_giving.money_by_entry
        else "",
    )


def build_session_prize_sheet(snapshot: SessionSnapshot) -> PrizeSheet:
    """Return the prizes of a session's event, for a paper."""
    return build_prize_sheet(snapshot.session.event)


def format_money(cents: int) -> str:
    """Format an amount of money, without a currency."""
    return f"{Fraction(cents, 100).__floor__()}.{cents % 100:02d}"


def format_prize_list_title(prize_list: str) -> str:
    """Return the title of a list of prizes."""
    kind, _colon, list_value = prize_list.partition(":")
    titles = {
        "all": _("all"),
        "lot": _("random draw"),
        "side:NS": _("N-S"),
        "side:EW": _("E-W"),
    }
    if prize_list in titles:
        return titles[prize_list]
    return _("stratum %(name)s") % {"name": list_value} if kind == "stratum" else list_value


def _build_prize_row(prize_giving: PrizeGiving, prize: EventPrize, award: Award) -> PrizeRow:
    entry = award.id
    prize_money = prize_giving.money_by_entry.get(entry, 0) if entry is not None else 0
    return PrizeRow(
        name=prize.name,
        of=_format_place(prize.place, prize.listed),
        prize_value=format_money(prize.value) if prize.value else "",
        entry=entry,
        who=prize_giving.names.get(entry, "") if entry is not None else "",
        paid=format_money(prize_money) if prize_money and prize.value else "",
        reason=_explain_award(prize_giving, prize, award),
    )


def _format_place(place: int, prize_list: str) -> str:
    return _("place %(place)s of %(list)s") % {
        "place": place,
        "list": format_prize_list_title(prize_list),
    }


def _explain_award(prize_giving: PrizeGiving, prize: EventPrize, award: Award) -> str:
    """Explain why this entry wins: its place in the list, entries passed over, other prizes."""
    line = prize_giving.eligible_entries.get(prize.listed, [])
    if award.id is None:
        if len(line) < prize.place:
            text = _("Not awarded: only %(count)s in this list can win it.")
            return text % {"count": len(line)}
        return _("Not awarded: everyone due it takes a higher prize.")
    rank = next(rank for rank, entry in line if entry == award.id)
    is_by_lot = prize.listed == "lot"
    lines = [_("random draw") if is_by_lot else _format_place(rank, prize.listed)]
    if award.passed:
        names = ", ".join(prize_giving.names[entry] for entry in award.passed)
        lines.append(_("%(names)s take a higher prize") % {"names": names})
    if prize.value:
        lines += [
            _("%(place)s is worth less")
            % {"place": _format_place(event_prize.place, event_prize.listed)}
            for event_prize in prize_giving.prizes
            if _has_lost_prize(prize_giving, event_prize, prize, award.id)
        ]
        if prize_giving.money_by_entry.get(award.id, prize.value) != prize.value:
            lines.append(_("tied, so prizes are shared"))
    return "; ".join(lines)


def _has_lost_prize(
    prize_giving: PrizeGiving, other: EventPrize, prize: EventPrize, entry: int
) -> bool:
    line = prize_giving.eligible_entries.get(other.listed, [])
    due_entry = line[other.place - 1][1] if len(line) >= other.place else None
    is_worth_less = 0 < other.value <= prize.value
    return (
        other.pk != prize.pk
        and other.listed != prize.listed
        and is_worth_less
        and due_entry == entry
    )
