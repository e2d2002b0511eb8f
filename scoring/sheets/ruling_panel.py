"""The data of the director's ruling panel: one play, and the effect of a draft ruling."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from scoring.methods.apply_rulings import RuledPlayResult
from scoring.methods.steps import render_computation
from scoring.models import Result, Ruling
from scoring.session_snapshot import SeatedTable, load_session_snapshot
from scoring.sheets.explanations import create_formatters, load_explanation_data
from scoring.sheets.order_of_play import count_tables_in_play, list_deal_plays
from scoring.sheets.rulings import RulingNote, build_ruling_note
from scoring.standings_engine.result_lines import PlayKey
from scoring.standings_engine.scores import (
    NO_SIDE_VALUES,
    ZERO,
    ScoredEvent,
    SideValues,
    compute_play_values,
    score_event,
)
from tournaments.models import Event, Session, Sitting
from tournaments.movements.formatting import format_table
from tournaments.movements.stray_boards import LEFT_OUT_MARKER
from tournaments.place_labels import load_section_letters


@dataclass(frozen=True, slots=True)
class ListedRuling:
    """One ruling in the list of an event's rulings."""

    location: str
    sitting_id: int | None
    board_number: int | None
    note: RulingNote


@dataclass(frozen=True, slots=True)
class PlayEffect:
    """The value of one table's play of the board before and after a draft ruling."""

    round_number: int
    table_label: str  # "13", with several sections "A13"
    is_ruled: bool
    values_before: SideValues
    values_after: SideValues

    @property
    def is_changed(self) -> bool:
        """Whether the ruling would change the value of this play."""
        return self.values_before != self.values_after

    @property
    def is_voided(self) -> bool:
        """Whether the ruling would void the score of this play."""
        return self.values_after == NO_SIDE_VALUES != self.values_before


@dataclass(frozen=True, slots=True)
class AffectedEntry:
    """An entry whose score a ruling would change."""

    name: str
    score_before: Fraction
    score_after: Fraction


@dataclass(frozen=True, slots=True)
class RulingPreview:
    """The effects of a draft ruling, which is not saved."""

    method: str
    effects: tuple[PlayEffect, ...]
    affected_entries: tuple[AffectedEntry, ...]
    steps: tuple[str, ...]  # the computation of the value that counts
    is_provisional: bool

    @property
    def voided_tables_text(self) -> str:
        """The other tables whose results on the board would no longer count: "1, 5"."""
        voided_effects = [
            effect for effect in self.effects if effect.is_voided and not effect.is_ruled
        ]
        return ", ".join(effect.table_label for effect in voided_effects)

    @property
    def has_uncompared_tricks(self) -> bool:
        """Whether tricks would change, but no other table has a score to compare with."""
        scored_effects = [
            effect for effect in self.effects if effect.values_after != NO_SIDE_VALUES
        ]
        return self.has_changed_tricks and len(scored_effects) < 2

    @property
    def has_changed_tricks(self) -> bool:
        """Whether the tricks of any play would change."""
        return any(effect.is_changed for effect in self.effects)


@dataclass(frozen=True, slots=True)
class PlayRulings:
    """One play with its result and its rulings, including withdrawn ones."""

    sitting_id: int
    board_number: int
    table: SeatedTable
    result: Result | None
    counted_tricks: SideValues
    rulings: tuple[RulingNote, ...]
    table_count: int  # the number of tables that play the deal in the section
    # The N-S and E-W tricks that the director must confirm.
    tricks_to_confirm: tuple[str, str] | None = None
    # The boards of other sets, one of which the table may have played by mistake.
    boards_of_other_sets: tuple[int, ...] = ()
    # The boards left out because an entry at this table has already played them.
    already_played_boards: tuple[int, ...] = ()

    @property
    def other_boards(self) -> tuple[int, ...]:
        """The other boards of the round at this table."""
        return tuple(
            board_number
            for board_number in self.table.boards
            if board_number != self.board_number
        )


def build_play_rulings(sitting: Sitting, board_number: int) -> PlayRulings | None:
    """Build the rulings of one play; None if the board is not played at that sitting."""
    session = sitting.section.session
    snapshot = load_session_snapshot(session)
    own_tables = [
        table
        for table in snapshot.tables_by_board.get(board_number, [])
        if table.sitting_id == sitting.pk
    ]
    if not own_tables:
        return None
    last_board_number = session.get_group_boards(
        max(table.board_group for table in snapshot.tables)
    )[-1]
    scored_event = score_event(session.event)
    play_values = compute_play_values(scored_event.tally, scored_event.method).get(
        (sitting.pk, board_number)
    )
    rulings = Ruling.objects.filter(result__sitting=sitting, result__board=board_number)
    return PlayRulings(
        sitting_id=sitting.pk,
        board_number=board_number,
        table=own_tables[0],
        result=snapshot.find_result(own_tables[0], board_number),
        counted_tricks=play_values.tricks if play_values else (None, None),
        rulings=tuple(build_ruling_note(ruling) for ruling in rulings.order_by("-id")),
        table_count=count_tables_in_play(
            list_deal_plays(snapshot, own_tables[0].section, board_number)
        ),
        boards_of_other_sets=tuple(
            other_board_number
            for other_board_number in range(1, last_board_number + 1)
            if other_board_number not in own_tables[0].boards
        ),
        already_played_boards=tuple(
            planned_board
            for planned_board, actual_board_number in sitting.strays
            if actual_board_number == LEFT_OUT_MARKER
        ),
        tricks_to_confirm=_find_tricks_to_confirm(
            scored_event.tally.ruled_results_by_play.get((sitting.pk, board_number))
        ),
    )


def _find_tricks_to_confirm(ruled_result: RuledPlayResult | None) -> tuple[str, str] | None:
    """Return the N-S and E-W tricks after both sides revoked; the director confirms them.

    Returns None if nothing needs a confirmation, or a later score can still change the tricks
    (rules H12).
    """
    if (
        ruled_result is None
        or ruled_result.result_line is None
        or not ruled_result.is_confirmation_needed
        or ruled_result.is_provisional
    ):
        return None
    return str(ruled_result.result_line.ns_tricks), str(ruled_result.result_line.ew_tricks)


def preview_ruling(draft_ruling: Ruling) -> RulingPreview:
    """Compute the effects of a draft ruling without saving it."""
    assert draft_ruling.result is not None
    session = draft_ruling.session
    play_key = draft_ruling.result.sitting_id, draft_ruling.result.board
    former_scored_event, new_scored_event = (
        score_event(session.event),
        score_event(session.event, draft_ruling=draft_ruling),
    )
    ruled_result = new_scored_event.tally.ruled_results_by_play.get(play_key)
    explanation_data = load_explanation_data(session.event, should_include_hidden_results=True)
    step = ruled_result.step if ruled_result else None
    return RulingPreview(
        method=new_scored_event.method.name,
        effects=tuple(
            _iter_play_effects(session, play_key, former_scored_event, new_scored_event)
        ),
        affected_entries=tuple(
            _iter_affected_entries(
                explanation_data.names_by_entry, former_scored_event, new_scored_event
            )
        ),
        steps=tuple(render_computation(step, create_formatters(explanation_data)))
        if step
        else (),
        is_provisional=bool(ruled_result and ruled_result.is_provisional),
    )


def list_rulings(event: Event) -> list[ListedRuling]:
    """List every ruling of an event, newest first, with its play or entry."""
    rulings = Ruling.objects.filter(session__event=event).select_related(
        "result__sitting", "entry"
    )
    letters_by_section = load_section_letters(event)
    return [
        ListedRuling(
            location=_format_ruling_place(ruling, letters_by_section),
            sitting_id=ruling.result.sitting_id if ruling.result else None,
            board_number=ruling.result.board if ruling.result else None,
            note=build_ruling_note(ruling),
        )
        for ruling in rulings.order_by("-id")
    ]


def _iter_play_effects(
    session: Session,
    ruled_play_key: PlayKey,
    former_scored_event: ScoredEvent,
    new_scored_event: ScoredEvent,
) -> Iterable[PlayEffect]:
    former_values_by_play = compute_play_values(
        former_scored_event.tally, former_scored_event.method
    )
    new_values_by_play = compute_play_values(new_scored_event.tally, new_scored_event.method)
    snapshot = load_session_snapshot(session)
    for table in sorted(
        snapshot.tables_by_board[ruled_play_key[1]],
        key=lambda seated_table: (
            seated_table.round,
            seated_table.section,
            seated_table.table_number,
        ),
    ):
        play_key = table.sitting_id, ruled_play_key[1]
        yield PlayEffect(
            round_number=table.round,
            table_label=table.label,
            is_ruled=play_key == ruled_play_key,
            values_before=former_values_by_play[play_key].tricks
            if play_key in former_values_by_play
            else (None, None),
            values_after=new_values_by_play[play_key].tricks
            if play_key in new_values_by_play
            else (None, None),
        )


def _iter_affected_entries(
    names_by_entry: dict[int, str],
    former_scored_event: ScoredEvent,
    new_scored_event: ScoredEvent,
) -> Iterable[AffectedEntry]:
    for entry_number in sorted(
        {*former_scored_event.scores_by_entry, *new_scored_event.scores_by_entry}
    ):
        score_before, score_after = (
            former_scored_event.scores_by_entry.get(entry_number, ZERO),
            new_scored_event.scores_by_entry.get(entry_number, ZERO),
        )
        if score_before != score_after:
            yield AffectedEntry(
                names_by_entry.get(entry_number, str(entry_number)), score_before, score_after
            )


def _format_ruling_place(ruling: Ruling, letters_by_section: Mapping[int, str]) -> str:
    if ruling.result is None:
        return str(ruling.entry)
    sitting = ruling.result.sitting
    return _("Board %(board)s, round %(round)s, table %(table)s") % {
        "board": ruling.result.board,
        "round": sitting.round,
        "table": format_table(sitting.table, letters_by_section[sitting.section_id]),
    }
