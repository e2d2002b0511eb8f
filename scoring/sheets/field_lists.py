"""The rankings by stratum, and the prizes with the reason for each."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from printing.values import Heading
from scoring.models import EventPrize
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.headings import build_heading, find_current_session
from scoring.sheets.ranks import index_rank_rows, load_rank_table
from scoring.sheets.values import RankRow, RankTable
from scoring.standings_engine.overall_order import EntryStanding, build_placed_entries
from scoring.standings_engine.prizes import (
    PrizeAwards,
    RankedEntry,
    assign_prizes,
    rank_by_stratum,
)
from server.formatting import localize_decimal
from tournaments.models import Event
from tournaments.stages.prizes import Award


@dataclass(frozen=True, slots=True)
class StratumRow:
    """One entry in the ranking of a stratum: its rank in the stratum, and overall."""

    rank: int
    is_shared: bool
    rank_row: RankRow
    stratum: str


@dataclass(frozen=True, slots=True)
class StratumTable:
    """The ranking of a stratum, which includes all lower strata."""

    name: str
    included_strata_text: str  # the strata that it includes: "B and C"
    rows: tuple[StratumRow, ...]


@dataclass(frozen=True, slots=True)
class StrataSheet:
    """All strata of an event, the highest first."""

    heading: Heading
    method: str
    tables: tuple[StratumTable, ...]


@dataclass(frozen=True, slots=True)
class PrizeRow:
    """A prize and its winner; `entry` is None if too few entries qualify for the prize."""

    name: str
    prize_place: str  # "place 2 of B"
    prize_value: str  # "30.00"; "" for an honour
    entry: int | None
    winner_name: str
    total_money: str  # the entry's total prize money, if a tie shares prizes
    reason: str


@dataclass(frozen=True, slots=True)
class PrizeSheet:
    """The prizes of an event, in the order in which they are given."""

    heading: Heading
    rows: tuple[PrizeRow, ...]
    is_final: bool
    # The number, the name and the prize money of each winner.
    winners_with_prize_money: tuple[tuple[int, str, str], ...]
    total: str = ""


def build_strata_tables(event: Event, rank_table: RankTable) -> tuple[StratumTable, ...]:
    """Return the rankings by stratum of these standings; empty if there are no strata.

    Only the given table is used: during play, public standings may be older than the stored
    standings, which must stay hidden.
    """
    if not hasattr(event, "strata"):
        return ()
    rows_by_entry = index_rank_rows(rank_table)
    ranking_by_stratum = rank_by_stratum(
        event, build_placed_entries(event, iter_entry_standings(rank_table))
    )
    stratum_by_entry = _map_entries_to_strata(ranking_by_stratum)
    stratum_names = list(ranking_by_stratum)
    return tuple(
        StratumTable(
            name=stratum_name,
            included_strata_text=", ".join(stratum_names[stratum_index:]),
            rows=tuple(
                StratumRow(
                    rank,
                    _is_rank_shared(ranked_entries, rank),
                    rows_by_entry[entry_number],
                    stratum_by_entry[entry_number],
                )
                for rank, entry_number in ranked_entries
            ),
        )
        for stratum_index, (stratum_name, ranked_entries) in enumerate(
            ranking_by_stratum.items()
        )
    )


def iter_entry_standings(rank_table: RankTable) -> Iterable[EntryStanding]:
    """Yield the entries of all fields of the given standings, to rank them together."""
    for ranked_group in rank_table.fields:
        for row in ranked_group.rows:
            yield EntryStanding(
                entry_number=row.entry,
                name=row.name,
                section_letter=ranked_group.section,
                ranked_side=ranked_group.field,
                rank=row.rank,
                board_count=row.boards,
                score=row.score,
                percent=row.percent,
                score_per_board=row.each if row.a_board is None else row.a_board,
                corrected_total=row.corrected,
            )


def _map_entries_to_strata(ranking_by_stratum: dict[str, list[RankedEntry]]) -> dict[int, str]:
    """Return each entry's own stratum: the lowest one whose ranking includes it."""
    return {
        entry_number: stratum_name
        for stratum_name, ranked_entries in ranking_by_stratum.items()
        for _rank, entry_number in ranked_entries
    }


def _is_rank_shared(ranked_entries: Sequence[RankedEntry], rank: int) -> bool:
    return sum(other_rank == rank for other_rank, _entry in ranked_entries) > 1


def build_strata_sheet(event: Event, rank_table: RankTable) -> StrataSheet:
    """Return the rankings by stratum for a paper."""
    return StrataSheet(
        rank_table.heading, rank_table.method, build_strata_tables(event, rank_table)
    )


def build_session_strata_sheet(snapshot: SessionSnapshot) -> StrataSheet:
    """Return the public rankings by stratum of a session's event."""
    event = snapshot.session.event
    return build_strata_sheet(event, load_rank_table(event))


def build_prize_sheet(event: Event) -> PrizeSheet:
    """Build the list of prizes of an event, from its current standings."""
    prize_awards = assign_prizes(event)
    sessions = list(event.sessions.all())
    rows = tuple(
        _build_prize_row(prize_awards, prize, award)
        for prize, award in zip(prize_awards.prizes, prize_awards.awards, strict=True)
    )
    entry_and_cents_pairs = sorted(
        prize_awards.money_by_entry.items(),
        key=lambda entry_and_cents: (-entry_and_cents[1], entry_and_cents[0]),
    )
    return PrizeSheet(
        heading=build_heading(find_current_session(sessions)),
        rows=rows,
        is_final=all(session.state == session.State.CLOSED for session in sessions),
        winners_with_prize_money=tuple(
            (entry_number, prize_awards.names_by_entry[entry_number], format_money(cents))
            for entry_number, cents in entry_and_cents_pairs
        ),
        total=format_money(sum(prize_awards.money_by_entry.values()))
        if prize_awards.money_by_entry
        else "",
    )


def build_session_prize_sheet(snapshot: SessionSnapshot) -> PrizeSheet:
    """Return the prizes of a session's event, for a paper."""
    return build_prize_sheet(snapshot.session.event)


def format_money(cents: int) -> str:
    """Format an amount of money, without a currency."""
    return localize_decimal(f"{cents // 100}.{cents % 100:02d}")


def format_prize_list_title(prize_list_key: str) -> str:
    """Return the title of a list of prizes."""
    list_kind, _colon, list_value = prize_list_key.partition(":")
    title_by_list_key = {
        "all": _("all"),
        "lot": _("random draw"),
        "side:NS": _("N-S"),
        "side:EW": _("E-W"),
    }
    if prize_list_key in title_by_list_key:
        return title_by_list_key[prize_list_key]
    return (
        _("stratum %(name)s") % {"name": list_value} if list_kind == "stratum" else list_value
    )


def _build_prize_row(prize_awards: PrizeAwards, prize: EventPrize, award: Award) -> PrizeRow:
    entry_number = award.entry_id
    prize_money_cents = (
        prize_awards.money_by_entry.get(entry_number, 0) if entry_number is not None else 0
    )
    return PrizeRow(
        name=prize.name,
        prize_place=_format_place(prize.place, prize.listed),
        prize_value=format_money(prize.value) if prize.value else "",
        entry=entry_number,
        winner_name=prize_awards.names_by_entry.get(entry_number, "")
        if entry_number is not None
        else "",
        total_money=format_money(prize_money_cents)
        if prize_money_cents and prize.value
        else "",
        reason=_explain_award(prize_awards, prize, award),
    )


def _format_place(rank: int, prize_list_key: str) -> str:
    return _("place %(place)s (%(list)s)") % {
        "place": rank,
        "list": format_prize_list_title(prize_list_key),
    }


def _explain_award(prize_awards: PrizeAwards, prize: EventPrize, award: Award) -> str:
    """Explain why an entry wins: the rank in the list, entries passed over, other prizes."""
    ranked_entries = prize_awards.eligible_entries_by_list.get(prize.listed, [])
    if award.entry_id is None:
        if len(ranked_entries) < prize.place:
            template = _("Not awarded: only %(count)s in this list can win it.")
            return template % {"count": len(ranked_entries)}
        return _("Not awarded: everyone who would get it takes a higher prize.")
    rank = next(rank for rank, entry_number in ranked_entries if entry_number == award.entry_id)
    is_random_draw = prize.listed == "lot"
    phrases = [_("random draw") if is_random_draw else _format_place(rank, prize.listed)]
    if award.passed_over_entries:
        names_with_higher_prize = ", ".join(
            prize_awards.names_by_entry[entry_number]
            for entry_number in award.passed_over_entries
        )
        phrases.append(_("%(names)s take a higher prize") % {"names": names_with_higher_prize})
    if prize.value:
        phrases += [
            _("%(place)s is worth less")
            % {"place": _format_place(event_prize.place, event_prize.listed)}
            for event_prize in prize_awards.prizes
            if _has_forgone_prize(prize_awards, event_prize, prize, award.entry_id)
        ]
        if prize_awards.money_by_entry.get(award.entry_id, prize.value) != prize.value:
            phrases.append(_("tied, so prizes are shared"))
    return "; ".join(phrases)


def _has_forgone_prize(
    prize_awards: PrizeAwards, other_prize: EventPrize, prize: EventPrize, entry_number: int
) -> bool:
    ranked_entries = prize_awards.eligible_entries_by_list.get(other_prize.listed, [])
    entitled_entry_number = (
        ranked_entries[other_prize.place - 1][1]
        if len(ranked_entries) >= other_prize.place
        else None
    )
    is_worth_less = 0 < other_prize.value <= prize.value
    return (
        other_prize.pk != prize.pk
        and other_prize.listed != prize.listed
        and is_worth_less
        and entitled_entry_number == entry_number
    )
