"""Explanations of scores: each computation in sentences, with names of entries.

A board that the reader may still play is hidden here too (rules D2).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.methods.ranking import Placing
from scoring.methods.steps import (
    FormattersByPlaceholder,
    NumberFormatter,
    Step,
    render_computation,
    render_step,
)
from scoring.secrecy import can_see_results
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from scoring.sheets import explanation_tables
from scoring.sheets.explained_numbers import ExplainedNumber, ExplainedStep, Explanation
from scoring.sheets.headings import build_heading, find_current_session
from scoring.sheets.rulings import describe_play_rulings
from scoring.standings_engine import explanations as explaining
from scoring.standings_engine.field_averages import find_subtracted_average
from scoring.standings_engine.field_ranking import rank_groups
from scoring.standings_engine.result_lines import DealName, PlayKey, find_session_of_penalty
from scoring.standings_engine.scores import ScoredEvent, score_event, score_public_results
from scoring.standings_engine.standings import has_undrawn_rounds
from server import formatting
from tournaments.models import Entry, Event
from tournaments.movements.formatting import format_place_for_players


@dataclass(frozen=True, slots=True)
class ExplanationData:
    """The data for the explanations of an event, loaded once for all its entries."""

    event: Event
    scored_event: ScoredEvent
    explainers: explaining.ScoreExplainers
    fields_and_placings: list[tuple[tuple[str, str], list[Placing]]]
    names_by_entry: dict[int, str]  # the names of the entries, by number
    snapshots: list[SessionSnapshot]
    plays_by_entry_and_deal: dict[tuple[int, int], list[PlayKey]]  # by entry and deal
    open_plays: frozenset[PlayKey]  # on boards that some table may still play


def load_explanation_data(
    event: Event, *, should_include_hidden_results: bool = False
) -> ExplanationData:
    """Load the data to explain an event.

    For the director, `should_include_hidden_results` adds the hidden boards.
    """
    scored_event = (
        score_event(event) if should_include_hidden_results else score_public_results(event)
    )
    snapshots = [
        load_session_snapshot(session)
        for session in event.sessions.select_related("event__club")
    ]
    seat_label_by_entry = {
        entry_number: format_place_for_players(seat.label)
        for entry_number, seat in scored_event.seats_by_entry.items()
    }
    return ExplanationData(
        event=event,
        scored_event=scored_event,
        explainers=explaining.ScoreExplainers(scored_event),
        fields_and_placings=rank_groups(event, scored_event),
        names_by_entry={
            entry_number: f"{seat_label_by_entry.get(entry_number, entry_number)} {name}"
            for entry_number, name in event.entries.values_list("number", "name")
        },
        snapshots=snapshots,
        plays_by_entry_and_deal=_group_plays_by_entry(scored_event),
        open_plays=frozenset()
        if should_include_hidden_results
        else frozenset(_iter_open_plays(snapshots)),
    )


def build_explanation(explanation_data: ExplanationData, entry: Entry) -> Explanation:
    """Explain every number of one entry."""
    explained_numbers = [
        ExplainedNumber(key, title, tuple(steps))
        for key, title, steps in _iter_number_steps(explanation_data, entry.number)
        if steps
    ]
    hidden_board_numbers = sorted(_find_hidden_boards(explanation_data, entry.number))
    return Explanation(
        heading=build_heading(
            find_current_session([snapshot.session for snapshot in explanation_data.snapshots])
        ),
        entry_number=entry.number,
        label=format_place_for_players(
            explanation_data.scored_event.seats_by_entry[entry.number].label
        )
        if entry.number in explanation_data.scored_event.seats_by_entry
        else str(entry.number),
        name=entry.name,
        explained_numbers=tuple(explained_numbers),
        hidden_boards_text=_format_hidden_boards(hidden_board_numbers),
        is_complete=not (
            explanation_data.scored_event.tally.missing_result_count
            or has_undrawn_rounds(explanation_data.event)
        ),
    )


def build_all_explanations(event: Event) -> list[Explanation]:
    """Return the explanations of every entry's numbers, including hidden boards, to print."""
    explanation_data = load_explanation_data(event, should_include_hidden_results=True)
    return [build_explanation(explanation_data, entry) for entry in event.entries.all()]


@dataclass(frozen=True, slots=True)
class SentenceNumberFormat:
    """The format of numbers in a sentence, or in a column of sentences shown as a table."""

    has_sign: bool = False

    def build_formatter(self, numbers: Sequence[Fraction | int]) -> NumberFormatter:
        """Return a formatter that gives all these numbers the same number of decimals."""
        return formatting.choose_column_format(numbers, has_sign=self.has_sign).format_number


def create_formatters(explanation_data: ExplanationData) -> FormattersByPlaceholder:
    """Return the formatters of numbers and names that sentences use, by placeholder."""
    deal_names_by_number = explanation_data.scored_event.tally.deal_names_by_number
    deal_names = deal_names_by_number.values()
    has_several_sessions = len({deal_name.session_number for deal_name in deal_names}) > 1
    has_several_sections = len({deal_name.section_letter for deal_name in deal_names}) > 1

    def format_deal(deal_number: Fraction | int) -> str:
        return _format_deal_name(
            deal_names_by_number[int(deal_number)], has_several_sessions, has_several_sections
        )

    def format_entry(entry_number: Fraction | int) -> str:
        return explanation_data.names_by_entry.get(int(entry_number), str(entry_number))

    return {
        "plain": SentenceNumberFormat(),
        "signed": SentenceNumberFormat(has_sign=True),
        "percent": lambda share: formatting.format_percent(Fraction(share)),
        "entry": format_entry,
        "deal": format_deal,
    }


TitledSteps = Iterable[tuple[str, str, list[ExplainedStep]]]
"""The key, the title and the steps of each number."""


def _iter_number_steps(explanation_data: ExplanationData, entry_number: int) -> TitledSteps:
    """Yield each number of an entry in the standings, with the steps of its computation."""
    field_key_and_placings = next(
        (
            (field_key, field_placings)
            for field_key, field_placings in explanation_data.fields_and_placings
            if any(placing.entry_number == entry_number for placing in field_placings)
        ),
        None,
    )
    if field_key_and_placings is None:
        return
    (_section, field_side), placings = field_key_and_placings
    formatters, scored_event, contest = (
        create_formatters(explanation_data),
        explanation_data.scored_event,
        explanation_data.event.contest,
    )
    field_entry_numbers = [placing.entry_number for placing in placings]
    rank_steps = [explaining.explain_rank(scored_event, placings, entry_number)]
    rank_steps += _build_step_list(
        explaining.explain_ranking_value(scored_event, entry_number, field_entry_numbers)
    )
    yield (
        "rank",
        _("Place"),
        [_explain_step(explanation_data, step, formatters) for step in rank_steps],
    )
    percentage_steps = _build_step_list(
        explaining.explain_percentage(scored_event, entry_number)
    )
    yield (
        "percent",
        _("Per cent"),
        [_explain_step(explanation_data, step, formatters) for step in percentage_steps],
    )
    average_steps = _build_step_list(
        explaining.explain_score_against_field_average(
            explanation_data.explainers, entry_number, field_entry_numbers, field_side, contest
        )
    )
    score_step = explaining.explain_score(
        explanation_data.explainers,
        entry_number,
        penalty_reasons=_list_penalty_reasons(scored_event, entry_number),
    )
    explained_steps = [
        _explain_step(explanation_data, step, formatters) for step in average_steps
    ]
    yield (
        "score",
        _("Score"),
        [
            *explained_steps,
            _explain_step(explanation_data, score_step, formatters, entry_number),
        ],
    )
    corrected_total_steps = _build_step_list(
        explaining.explain_corrected_total(scored_event, entry_number)
    )
    yield (
        "corrected",
        _("Corrected total"),
        [
            _explain_step(explanation_data, step, formatters, entry_number)
            for step in corrected_total_steps
        ],
    )
    total_step = explaining.explain_total(explanation_data.explainers, entry_number)
    title = _("Total points") if scored_event.method.is_in_points else _("Tricks")
    yield (
        "tricks",
        title,
        [_explain_step(explanation_data, total_step, formatters, entry_number)],
    )
    if find_subtracted_average(scored_event, field_side, field_entry_numbers) is not None:
        average_step = explaining.explain_field_average(
            scored_event, field_entry_numbers, field_side, contest
        )
        yield (
            "average",
            _("Field average"),
            [_explain_step(explanation_data, average_step, formatters)],
        )


def _build_step_list(step: Step | None) -> list[Step]:
    return [step] if step else []


def _list_penalty_reasons(scored_event: ScoredEvent, entry_number: int) -> list[str]:
    """Return the director's reasons for an entry's penalties that count."""
    return [
        ruling.reason
        for ruling in scored_event.tally.penalties
        if ruling.entry
        and ruling.entry.number == entry_number
        and ruling.reason
        and find_session_of_penalty(scored_event.tally, ruling)
        == scored_event.last_session_number
    ]


def _explain_step(
    explanation_data: ExplanationData,
    step: Step,
    formatters: FormattersByPlaceholder,
    entry_number: int = 0,
) -> ExplainedStep:
    """Explain a step and its parts, without boards that may still be played."""
    part_steps = [
        part_step
        for part_step in step.parts
        if not _is_step_hidden(explanation_data, part_step, entry_number)
    ]
    part_steps.sort(key=_create_sort_key(explanation_data))
    placeholders = explanation_tables.choose_columns(part_steps)
    table_rows = explanation_tables.build_rows(part_steps, placeholders, formatters)
    return ExplainedStep(
        sentence=render_step(step, formatters),
        amount=step.amount,
        board=_find_board(explanation_data, step),
        notes=tuple(_iter_notes(explanation_data, step, formatters, entry_number))
        if entry_number
        else (),
        parts=tuple(
            replace(
                _explain_step(explanation_data, part_step, formatters, entry_number),
                cells=cells,
            )
            for part_step, cells in zip(part_steps, table_rows, strict=True)
        ),
        columns=tuple(
            str(explanation_tables.COLUMN_TITLES[placeholder]) for placeholder in placeholders
        ),
    )


def _create_sort_key(explanation_data: ExplanationData) -> Callable[[Step], tuple[int, int]]:
    def compute_sort_key(step: Step) -> tuple[int, int]:
        deal_name = _find_deal_name(explanation_data, step)
        return (deal_name.session_number, deal_name.board_number) if deal_name else (0, 0)

    return compute_sort_key


def _is_step_hidden(explanation_data: ExplanationData, step: Step, entry_number: int) -> bool:
    """Return whether a step reveals a board that someone may still play.

    Separate totals of points won and points lost reveal more about hidden boards than their
    difference.
    """
    if not entry_number or not explanation_data.open_plays:
        return False
    if _find_deal_name(explanation_data, step) is None:
        if "won" in step.placeholder_values or "lost" in step.placeholder_values:
            return bool(_find_hidden_boards(explanation_data, entry_number))
        # A step with an opponent but no parts is a whole match, which may have hidden boards.
        return not step.parts and "other" in step.placeholder_values
    return any(
        play_key in explanation_data.open_plays
        for play_key in _list_plays(explanation_data, step, entry_number)
    )


def _find_deal_name(explanation_data: ExplanationData, step: Step) -> DealName | None:
    deal_number = step.placeholder_values.get("deal")
    return (
        explanation_data.scored_event.tally.deal_names_by_number.get(deal_number)
        if isinstance(deal_number, int)
        else None
    )


def _find_board(explanation_data: ExplanationData, step: Step) -> int | None:
    deal_name = _find_deal_name(explanation_data, step)
    return deal_name.board_number if deal_name else None


def _list_plays(
    explanation_data: ExplanationData, step: Step, entry_number: int
) -> list[PlayKey]:
    """Return the plays of an entry that a step is about."""
    deal_number = step.placeholder_values.get("deal")
    return (
        explanation_data.plays_by_entry_and_deal.get((entry_number, deal_number), [])
        if isinstance(deal_number, int)
        else []
    )


def _group_plays_by_entry(scored_event: ScoredEvent) -> dict[tuple[int, int], list[PlayKey]]:
    plays_by_entry_and_deal: dict[tuple[int, int], list[PlayKey]] = defaultdict(list)
    for pool in scored_event.tally.pools_by_key.values():
        for result_line, play in zip(pool.lines, pool.plays, strict=True):
            for entry_number in (*result_line.ns_entries, *result_line.ew_entries):
                plays_by_entry_and_deal[entry_number, result_line.deal_number].append(play)
    return dict(plays_by_entry_and_deal)


def _iter_notes(
    explanation_data: ExplanationData,
    step: Step,
    formatters: FormattersByPlaceholder,
    entry_number: int,
) -> Iterable[str]:
    """Yield the rulings on a board, and the computation of the value after them."""
    if _find_deal_name(explanation_data, step) is None:
        return
    for play in _list_plays(explanation_data, step, entry_number):
        ruled_play = explanation_data.scored_event.tally.ruled_results_by_play.get(play)
        yield from describe_play_rulings(
            explanation_data.scored_event.tally.rulings_by_play.get(play, ()), ruled_play
        )
        if ruled_play is not None and ruled_play.step is not None:
            yield from render_computation(ruled_play.step, formatters)


def _format_deal_name(
    deal_name: DealName, should_show_session: bool, should_show_section: bool
) -> str:
    deal_label = _("Board %(board)s") % {"board": deal_name.board_number}
    if deal_name.first_round:
        deal_label += _(" from round %(round)s") % {"round": deal_name.first_round}
    if should_show_section and deal_name.section_letter:
        deal_label += _(", section %(section)s") % {"section": deal_name.section_letter}
    if should_show_session:
        deal_label += _(", session %(session)s") % {"session": deal_name.session_number}
    return deal_label


def _iter_open_plays(snapshots: Sequence[SessionSnapshot]) -> Iterable[PlayKey]:
    for snapshot in snapshots:
        for board_number, tables in snapshot.tables_by_board.items():
            if not can_see_results(snapshot, board_number):
                yield from ((table.sitting_id, board_number) for table in tables)


def _find_hidden_boards(explanation_data: ExplanationData, own_entry_number: int) -> set[int]:
    if not explanation_data.open_plays:
        return set()
    return {
        board_number
        for (
            entry_number,
            _deal,
        ), entry_plays in explanation_data.plays_by_entry_and_deal.items()
        for sitting_id, board_number in entry_plays
        if entry_number == own_entry_number
        and (sitting_id, board_number) in explanation_data.open_plays
    }


def _format_hidden_boards(board_numbers: Sequence[int]) -> str:
    if not board_numbers:
        return ""
    message = ngettext(
        "Other tables may still play board %(boards)s. It already "
        "counts, and the details appear when every table has played "
        "it.",
        "Other tables may still play boards %(boards)s. They already "
        "count, and the details appear when every table has played "
        "them.",
        len(board_numbers),
    )
    return message % {"boards": ", ".join(_iter_number_ranges(board_numbers))}


def _iter_number_ranges(numbers: Sequence[int]) -> Iterable[str]:
    """Yield numbers in order, with consecutive ones as a range: 1–4, 7."""
    for _offset, consecutive_numbers in groupby(
        enumerate(numbers),
        key=lambda index_and_number: index_and_number[1] - index_and_number[0],
    ):
        range_numbers = [number for _index, number in consecutive_numbers]
        yield (
            str(range_numbers[0])
            if len(range_numbers) == 1
            else f"{range_numbers[0]}–{range_numbers[-1]}"
        )
