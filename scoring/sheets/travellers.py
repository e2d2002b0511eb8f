"""Boards with their results, and each entry's scorecard."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from boards.whist import Deal, Declaration, Suit
from boards.whist.second_suits import choose_suit_exchange
from scoring.models import Result, Ruling
from scoring.secrecy import can_see_hands, can_see_results
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.card_parts import build_scorecard_footer
from scoring.sheets.headings import build_heading
from scoring.sheets.plays import EMPTY_DETAIL, EventPlays, PlayDetail, load_plays
from scoring.sheets.ranks import index_rank_rows
from scoring.sheets.values import (
    RankRow,
    RankTable,
    Scorecard,
    ScorecardLine,
    Traveller,
    TravellerLine,
)
from scoring.standings_engine.carry_over import compute_carry_overs
from tournaments.models import Entry


def load_visible_deals(snapshot: SessionSnapshot) -> dict[int, Deal]:
    """Load the deals of the boards, empty until they may be seen; one query."""
    return snapshot.session.load_known_deals() if can_see_hands(snapshot.session) else {}


def load_travellers(
    snapshot: SessionSnapshot,
    boards: Iterable[int] | None = None,
    *,
    should_include_hidden_results: bool = False,
) -> list[Traveller]:
    """Load the travellers of a session, of all boards or of some.

    For the director, `should_include_hidden_results` includes boards that others may still
    play.
    """
    event_plays = load_plays(snapshot)
    deal_by_board, best_tricks_by_board, heading = (
        load_visible_deals(snapshot),
        _load_best_play(snapshot),
        build_heading(snapshot.session),
    )
    for board_number in _find_unrecorded_boards(snapshot, event_plays):
        deal_by_board.pop(board_number, None)
        best_tricks_by_board.pop(board_number, None)
    shown_boards = list(snapshot.boards if boards is None else boards)
    dealers_by_board = snapshot.session.load_dealers(shown_boards)
    travellers = []
    for board_number in shown_boards:
        is_visible = should_include_hidden_results or can_see_results(snapshot, board_number)
        tables = snapshot.tables_by_board[board_number]
        best_tricks_by_suit = best_tricks_by_board.get(board_number, {})
        ns_average = (
            event_plays.compute_ns_average(snapshot, tables[0].section, board_number)
            if tables and is_visible
            else None
        )
        play_details = [
            event_plays.get_play_detail((seated_table.sitting_id, board_number))
            if is_visible
            else EMPTY_DETAIL
            for seated_table in tables
        ]
        travellers.append(
            Traveller(
                heading=heading,
                board=board_number,
                dealer=dealers_by_board[board_number],
                deal=deal_by_board.get(board_number),
                best_ns_tricks=best_tricks_by_suit.get(None),
                best_by_suit=tuple(
                    (suit, best_tricks_by_suit[suit])
                    for suit in Suit
                    if suit in best_tricks_by_suit
                ),
                has_declared_trumps=snapshot.session.event.has_declared_trumps,
                is_in_points=snapshot.session.event.is_scored_in_points,
                second_suits=_find_second_suits(snapshot, deal_by_board.get(board_number)),
                ns_average=ns_average,
                lines=tuple(
                    _build_line(
                        snapshot,
                        table,
                        board_number,
                        play_detail,
                        is_visible,
                        best_tricks_by_suit,
                    )
                    for table, play_detail in zip(tables, play_details, strict=True)
                ),
            )
        )
    return travellers


def load_traveller(
    snapshot: SessionSnapshot, board_number: int, *, should_include_hidden_results: bool = False
) -> Traveller | None:
    """Return the traveller of one board, or None if the session has no such board."""
    if board_number not in snapshot.tables_by_board:
        return None
    return load_travellers(
        snapshot, [board_number], should_include_hidden_results=should_include_hidden_results
    )[0]


def count_results_by_tricks(traveller: Traveller) -> list[tuple[int, int]]:
    """Return how often N-S took each number of tricks, from the fewest to the most."""
    counts_by_tricks = Counter(
        line.ns_tricks for line in traveller.lines if line.ns_tricks is not None
    )
    if not counts_by_tricks:
        return []
    return [
        (tricks, counts_by_tricks[tricks])
        for tricks in range(min(counts_by_tricks), max(counts_by_tricks) + 1)
    ]


def load_scorecard(
    snapshot: SessionSnapshot,
    entry: Entry,
    rank_table: RankTable | None,
    *,
    should_include_hidden_results: bool = False,
) -> Scorecard:
    """Return one entry's scorecard of a session.

    `rank_table` has the standings; it is None while they are hidden.
    """
    event_plays = load_plays(
        snapshot, should_include_hidden_results=should_include_hidden_results
    )
    section_letters = {
        place.section.letter for place in snapshot.places if place.entry_id == entry.pk
    }
    rank_row = index_rank_rows(rank_table).get(entry.number) if rank_table else None
    field_side, field_average, placings = _find_field_data(rank_table, entry.number)
    card_lines, sit_outs = [], []
    for seated_table, direction in _list_tables_with_directions(snapshot, entry):
        if not seated_table.is_played:
            sit_outs.append(seated_table.round)
            continue
        partner_label = snapshot.format_partner(entry.number, seated_table)
        card_lines += [
            replace(
                _build_scorecard_line(
                    snapshot,
                    seated_table,
                    board_number,
                    direction,
                    event_plays,
                    rank_table,
                    should_include_hidden_results,
                ),
                partner=partner_label,
            )
            for board_number in seated_table.boards
        ]
    carry_over_share = Fraction(snapshot.session.event.terms.carry_over)
    carry_over = (
        compute_carry_overs(snapshot.session.event).get(entry.number) if rank_row else None
    )
    qualifying_score = carry_over.carried_tricks if carry_over else Fraction()
    session_number = snapshot.session.number
    card_parts = (
        build_scorecard_footer(
            event_plays,
            entry.number,
            session_number,
            carry_over_share,
            card_lines,
            qualifying_score,
        )
        if rank_row
        else ()
    )
    has_complete_parts = (
        rank_row is not None
        and sum(card_part.score or 0 for card_part in card_parts) == rank_row.score
    )
    return Scorecard(
        heading=build_heading(
            snapshot.session, min(section_letters, default=""), len(snapshot.sections)
        ),
        entry=entry.number,
        label=rank_row.label if rank_row else _get_label(snapshot, entry),
        name=entry.name,
        players=tuple(
            player.shown_name for player in entry.players.order_by("entry_memberships")
        ),
        method=event_plays.method.name,
        rank=rank_row,
        is_final=rank_table is not None and rank_table.is_final,
        field=field_side,
        field_average=field_average,
        lines=tuple(
            sorted(card_lines, key=lambda card_line: (card_line.round, card_line.board))
        ),
        sit_outs=tuple(sorted(sit_outs)),
        parts=card_parts if has_complete_parts else (),
        placings=placings,
        round_totals=tuple(_iter_public_round_totals(snapshot, entry, event_plays))
        if rank_row
        else (),
    )


def _iter_public_round_totals(
    snapshot: SessionSnapshot, entry: Entry, event_plays: EventPlays
) -> Iterator[tuple[int, int, Fraction]]:
    """Yield the round, the table and an entry's total, for each complete round of the plays."""
    for table, direction in _list_tables_with_directions(snapshot, entry):
        play_values = [
            event_plays.values_by_play.get((table.sitting_id, board_number))
            for board_number in table.boards
        ]
        scores = [
            side_values.scores[0 if direction == "N-S" else 1]
            for side_values in play_values
            if side_values is not None
        ]
        known_scores = [score for score in scores if score is not None]
        if table.is_played and known_scores and len(known_scores) == len(table.boards):
            yield table.round, table.table_number, sum(known_scores, Fraction())


def _find_unrecorded_boards(snapshot: SessionSnapshot, event_plays: EventPlays) -> set[int]:
    """Return the boards that were redealt and whose new cards are unknown."""
    own_sitting_ids = {table.sitting_id for table in snapshot.tables}
    redealt_boards = {
        board_number
        for (sitting_id, board_number), rulings in event_plays.tally.rulings_by_play.items()
        if sitting_id in own_sitting_ids
        and any(ruling.kind == Ruling.Kind.NEW_DEAL for ruling in rulings)
    }
    if not redealt_boards or snapshot.session.board_set is None:
        return set()
    boards_without_new_cards = snapshot.session.board_set.boards.current().filter(
        number__in=redealt_boards, version=1
    )
    return set(boards_without_new_cards.values_list("number", flat=True))


def _build_line(
    snapshot: SessionSnapshot,
    table: SeatedTable,
    board_number: int,
    play_detail: PlayDetail,
    is_visible: bool,
    best_tricks_by_suit: Mapping[Suit | None, int],
) -> TravellerLine:
    result = snapshot.find_result(table, board_number) if is_visible else None
    declaration = get_recorded_declaration(snapshot, result)
    return TravellerLine(
        section=table.section,
        round=table.round,
        table=table.table_number,
        table_label=table.label,
        ns_entry=_get_single_entry(table.ns.entries),
        ns_label=table.ns.label,
        ns_name=table.ns.name,
        ew_entry=_get_single_entry(table.ew.entries),
        ew_label=table.ew.label,
        ew_name=table.ew.name,
        outcome=result.outcome if result else "",
        ns_tricks=result.ns_tricks if result else None,
        ew_tricks=result.ew_tricks if result else None,
        ns_points=result.ns_points if result else None,
        ew_points=result.ew_points if result else None,
        ns_score=play_detail.scores[0],
        ew_score=play_detail.scores[1],
        sitting_id=table.sitting_id,
        ns_explained_entry=next(iter(table.ns.entries), None),
        ew_explained_entry=next(iter(table.ew.entries), None),
        ruling_kind=play_detail.ruling_kind,
        ns_counted_tricks=play_detail.counted_tricks[0],
        ew_counted_tricks=play_detail.counted_tricks[1],
        ns_mark=play_detail.revoke_marks[0],
        ew_mark=play_detail.revoke_marks[1],
        notes=play_detail.notes,
        trump=declaration,
        best=best_tricks_by_suit.get(declaration.suit if declaration else None),
        entries=(*table.ns.entries, *table.ew.entries),
        is_hidden=not is_visible,
    )


def _build_scorecard_line(
    snapshot: SessionSnapshot,
    table: SeatedTable,
    board_number: int,
    direction: str,
    event_plays: EventPlays,
    rank_table: RankTable | None,
    should_include_hidden_results: bool,
) -> ScorecardLine:
    is_visible = should_include_hidden_results or can_see_results(snapshot, board_number)
    result = snapshot.find_result(table, board_number) if is_visible else None
    play_detail = (
        event_plays.get_play_detail((table.sitting_id, board_number))
        if is_visible
        else EMPTY_DETAIL
    )
    is_ns = direction == "N-S"
    side_index = 0 if is_ns else 1
    opposing_side = table.ew if is_ns else table.ns
    can_show_scores = rank_table is not None or should_include_hidden_results
    points_won, points_lost = _get_points(result, is_ns)
    return ScorecardLine(
        board=board_number,
        round=table.round,
        section=table.section,
        table=table.table_number,
        table_label=table.label,
        direction=direction,
        opponents=opposing_side.name,
        opponents_label=opposing_side.label,
        opponents_entry=_get_single_entry(opposing_side.entries),
        outcome=result.outcome if result else "",
        tricks=_get_tricks(result, is_ns),
        average=play_detail.averages[side_index] if can_show_scores else None,
        score=play_detail.scores[side_index] if can_show_scores else None,
        ruling_kind=play_detail.ruling_kind,
        counted_tricks=play_detail.counted_tricks[side_index],
        mark=play_detail.revoke_marks[side_index],
        notes=play_detail.notes,
        trump=get_recorded_declaration(snapshot, result),
        won=points_won,
        lost=points_lost,
        is_hidden=not is_visible,
    )


def _get_points(result: Result | None, is_ns: bool) -> tuple[int | None, int | None]:
    """Return the points that a side won and lost, if the event counts points."""
    if result is None:
        return None, None
    ns_points, ew_points = result.ns_points, result.ew_points
    return (ns_points, ew_points) if is_ns else (ew_points, ns_points)


def _get_tricks(result: Result | None, is_ns: bool) -> int | None:
    if result is None or result.ns_tricks is None:
        return None
    return result.ns_tricks if is_ns else result.ew_tricks


def _list_tables_with_directions(
    snapshot: SessionSnapshot, entry: Entry
) -> list[tuple[SeatedTable, str]]:
    """Return the tables of an entry, round by round, each with "N-S" or "E-W"."""
    own_place_pks = {place.pk for place in snapshot.places if place.entry_id == entry.pk}
    return [
        table_and_direction
        for (place_pk, _), table_and_direction in snapshot.seat_by_place_and_round.items()
        if place_pk in own_place_pks
    ]


def _get_label(snapshot: SessionSnapshot, entry: Entry) -> str:
    own_places = [place for place in snapshot.places if place.entry_id == entry.pk]
    return snapshot.format_place_label(own_places[0]) if own_places else str(entry.number)


def _find_field_data(
    rank_table: RankTable | None, entry_number: int
) -> tuple[str, Fraction | None, tuple[RankRow, ...]]:
    for ranked_group in rank_table.fields if rank_table else ():
        if any(row.entry == entry_number for row in ranked_group.rows):
            return ranked_group.field, ranked_group.average, ranked_group.rows
    return "", None, ()


def _find_second_suits(
    snapshot: SessionSnapshot, deal: Deal | None
) -> Mapping[Suit, Suit] | None:
    return choose_suit_exchange(deal) if deal and snapshot.session.event.other_suits else None


def _load_best_play(snapshot: SessionSnapshot) -> dict[int, dict[Suit | None, int]]:
    """Return the N-S tricks of best play, by board and declared suit (None if none is
    declared).
    """
    session = snapshot.session
    is_scored_in_points = session.event.is_scored_in_points  # best play is only known in tricks
    if session.board_set is None or is_scored_in_points or not can_see_hands(session):
        return {}
    tricks_by_board: dict[int, dict[Suit | None, int]] = {}
    for board in session.board_set.boards.current():
        if session.event.has_declared_trumps:
            tricks_by_suit: dict[Suit | None, int | None] = {
                suit: board.get_best_tricks(suit) for suit in Suit
            }
        else:
            tricks_by_suit = {
                None: board.get_best_tricks(
                    session.event.build_played_deal(board.as_deal()).trumps
                )
            }
        tricks_by_board[board.number] = {
            suit: tricks for suit, tricks in tricks_by_suit.items() if tricks is not None
        }
    return tricks_by_board


def get_recorded_declaration(
    snapshot: SessionSnapshot, result: Result | None
) -> Declaration | None:
    """Return a table's declaration, if the event records declarations."""
    if result is None or not result.trump or not snapshot.session.event.has_declared_trumps:
        return None
    return Declaration.parse(result.trump)


def _get_single_entry(entries: tuple[int, ...]) -> int | None:
    return entries[0] if len(entries) == 1 else None
