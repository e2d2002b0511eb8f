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
from scoring.methods.steps import Step, Writer, Writers, render_computation, render_step
from scoring.secrecy import can_see_results
from scoring.session_snapshot import SessionSnapshot, load_session_snapshot
from scoring.sheets import explanation_tables
from scoring.sheets.explained_numbers import ExplainedNumber, ExplainedStep, Explanation
from scoring.sheets.headings import build_heading, find_current_session
from scoring.sheets.rulings import describe_play_rulings
from scoring.standings_engine import explanations as explaining
from scoring.standings_engine.field_averages import find_explaining_average
from scoring.standings_engine.field_ranking import rank_fields
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
    scored: ScoredEvent
    accounts: explaining.ScoreExplainers
    placings_by_field: list[tuple[tuple[str, str], list[Placing]]]
    names: dict[int, str]  # of entries, by number
    rooms: list[SessionSnapshot]
    plays: dict[tuple[int, int], list[PlayKey]]  # by entry and deal
    open_plays: frozenset[PlayKey]  # on boards that some table may still play


def load_explanation_data(event: Event, *, all_results: bool = False) -> ExplanationData:
    """Load the data to explain an event; `all_results` adds hidden boards, for the director."""
    scored_event = score_event(event) if all_results else score_public_results(event)
    rooms = [
        load_session_snapshot(session)
        for session in event.sessions.select_related("event__club")
    ]
    seats = {
        number: format_place_for_players(seat.label)
        for number, seat in scored_event.seats.items()
    }
    return ExplanationData(
        event=event,
        scored=scored_event,
        accounts=explaining.ScoreExplainers(scored_event),
        placings_by_field=rank_fields(event, scored_event),
        names={
            number: f"{seats.get(number, number)} {name}"
            for number, name in event.entries.values_list("number", "name")
        },
        rooms=rooms,
        plays=_group_plays_by_entry(scored_event),
        open_plays=frozenset() if all_results else frozenset(_iter_open_plays(rooms)),
    )


def build_explanation(data: ExplanationData, entry: Entry) -> Explanation:
    """Explain every number of one entry."""
    figures = [
        ExplainedNumber(key, title, tuple(steps))
        for key, title, steps in _iter_figures(data, entry.number)
        if steps
    ]
    hidden = sorted(_find_hidden_boards(data, entry.number))
    return Explanation(
        heading=build_heading(find_current_session([room.session for room in data.rooms])),
        entry=entry.number,
        label=format_place_for_players(data.scored.seats[entry.number].label)
        if entry.number in data.scored.seats
        else str(entry.number),
        name=entry.name,
        figures=tuple(figures),
        hidden_boards_text=_format_hidden_boards(hidden),
        complete=not (data.scored.tally.missing_result_count or has_undrawn_rounds(data.event)),
    )


def build_all_explanations(event: Event) -> list[Explanation]:
    """Explain every entry, for paper."""
    data = load_explanation_data(event, all_results=True)
    return [build_explanation(data, entry) for entry in event.entries.all()]


@dataclass(frozen=True, slots=True)
class FigureFormat:
    """The number format of a sentence; each list of numbers is formatted uniformly."""

    sign: bool = False

    def build_formatter(self, numbers: Sequence[Fraction | int]) -> Writer:
        """Return the formatter of one column with these numbers."""
        return formatting.choose_column_format(numbers, with_sign=self.sign).write


def create_writers(data: ExplanationData) -> Writers:
    """Return the formatters of numbers and names that sentences use, by placeholder."""
    has_several_sessions = (
        len({name.session for name in data.scored.tally.deal_names.values()}) > 1
    )
    sections = len({name.section for name in data.scored.tally.deal_names.values()}) > 1

    def deal(key: Fraction | int) -> str:
        return _format_deal_name(
            data.scored.tally.deal_names[int(key)], has_several_sessions, sections
        )

    def entry(number: Fraction | int) -> str:
        return data.names.get(int(number), str(number))

    return {
        "plain": FigureFormat(),
        "signed": FigureFormat(sign=True),
        "percent": lambda part: formatting.format_percent(Fraction(part)),
        "entry": entry,
        "deal": deal,
    }


Figures = Iterable[tuple[str, str, list[ExplainedStep]]]


def _iter_figures(data: ExplanationData, entry: int) -> Figures:
    """Yield each number of an entry in the standings, with the steps of its computation."""
    place = next(
        (
            (field_key, field_placings)
            for field_key, field_placings in data.placings_by_field
            if any(x.entry == entry for x in field_placings)
        ),
        None,
    )
    if place is None:
        return
    (_section, side), placings = place
    write, scored_event, contest = create_writers(data), data.scored, data.event.contest
    field = [placing.entry for placing in placings]
    by_place = [explaining.explain_rank(scored_event, placings, entry)]
    by_place += _list_step(explaining.explain_ranking_value(scored_event, entry, field))
    yield "rank", _("Place"), [_explain_step(data, step, write) for step in by_place]
    share = _list_step(explaining.explain_percentage(scored_event, entry))
    yield "percent", _("Per cent"), [_explain_step(data, step, write) for step in share]
    by_clubs = _list_step(
        explaining.explain_against_field_average(data.accounts, entry, field, side, contest)
    )
    score_step = explaining.explain_score(
        data.accounts, entry, reasons=_list_penalty_reasons(scored_event, entry)
    )
    lines = [_explain_step(data, step, write) for step in by_clubs]
    yield "score", _("Score"), [*lines, _explain_step(data, score_step, write, entry)]
    corrected_steps = _list_step(explaining.explain_corrected_total(scored_event, entry))
    yield (
        "corrected",
        _("Corrected total"),
        [_explain_step(data, step, write, entry) for step in corrected_steps],
    )
    tricks = explaining.explain_total(data.accounts, entry)
    title = _("Total points") if scored_event.method.is_in_points else _("Tricks")
    yield "tricks", title, [_explain_step(data, tricks, write, entry)]
    if find_explaining_average(scored_event, side, field) is not None:
        average = explaining.explain_field_average(scored_event, field, side, contest)
        yield "average", _("The field's average"), [_explain_step(data, average, write)]


def _list_step(step: Step | None) -> list[Step]:
    return [step] if step else []


def _list_penalty_reasons(scored: ScoredEvent, entry: int) -> list[str]:
    """Return the director's reasons for an entry's penalties that count."""
    return [
        ruling.reason
        for ruling in scored.tally.penalties
        if ruling.entry
        and ruling.entry.number == entry
        and ruling.reason
        and find_session_of_penalty(scored.tally, ruling) == scored.last_session
    ]


def _explain_step(
    data: ExplanationData, step: Step, writers: Writers, entry: int = 0
) -> ExplainedStep:
    """Explain a step and its parts, without boards that may still be played."""
    parts = [part for part in step.parts if not _is_hidden(data, part, entry)]
    parts.sort(key=_create_sort_key(data))
    keys = explanation_tables.choose_columns(parts)
    rows = explanation_tables.build_rows(parts, keys, writers)
    return ExplainedStep(
        words=render_step(step, writers),
        amount=step.amount,
        board=_find_board(data, step),
        notes=tuple(_iter_notes(data, step, writers, entry)) if entry else (),
        parts=tuple(
            replace(_explain_step(data, part, writers, entry), cells=cells)
            for part, cells in zip(parts, rows, strict=True)
        ),
        columns=tuple(str(explanation_tables.COLUMN_TITLES[key]) for key in keys),
    )


def _create_sort_key(data: ExplanationData) -> Callable[[Step], tuple[int, int]]:
    def order(step: Step) -> tuple[int, int]:
        name = _find_deal_name(data, step)
        return (name.session, name.board) if name else (0, 0)

    return order


def _is_hidden(data: ExplanationData, step: Step, entry: int) -> bool:
    """Return whether a step reveals a board that someone may still play.

    A step with separate totals for points won and lost reveals more about hidden boards than
    one with only their difference.
    """
    if not entry or not data.open_plays:
        return False
    if _find_deal_name(data, step) is None:
        if "won" in step.figures or "lost" in step.figures:
            return bool(_find_hidden_boards(data, entry))
        return not step.parts and "other" in step.figures  # a match with hidden boards
    return any(play in data.open_plays for play in _list_plays(data, step, entry))


def _find_deal_name(data: ExplanationData, step: Step) -> DealName | None:
    key = step.figures.get("deal")
    return data.scored.tally.deal_names.get(key) if isinstance(key, int) else None


def _find_board(data: ExplanationData, step: Step) -> int | None:
    name = _find_deal_name(data, step)
    return name.board if name else None


def _list_plays(data: ExplanationData, step: Step, entry: int) -> list[PlayKey]:
    """Return the plays of an entry that a step is about."""
    key = step.figures.get("deal")
    return data.plays.get((entry, key), []) if isinstance(key, int) else []


def _group_plays_by_entry(scored: ScoredEvent) -> dict[tuple[int, int], list[PlayKey]]:
    plays: dict[tuple[int, int], list[PlayKey]] = defaultdict(list)
    for pool in scored.tally.pools.values():
        for line, play in zip(pool.lines, pool.plays, strict=True):
            for entry in (*line.ns, *line.ew):
                plays[entry, line.deal].append(play)
    return dict(plays)


def _iter_notes(
    data: ExplanationData, step: Step, writers: Writers, entry: int
) -> Iterable[str]:
    """Yield the rulings on a board, and the computation of the value after them."""
    if _find_deal_name(data, step) is None:
        return
    for play in _list_plays(data, step, entry):
        ruled_play = data.scored.tally.ruled_plays.get(play)
        yield from describe_play_rulings(data.scored.tally.rulings.get(play, ()), ruled_play)
        if ruled_play is not None and ruled_play.step is not None:
            yield from render_computation(ruled_play.step, writers)


def _format_deal_name(name: DealName, with_session: bool, with_section: bool) -> str:
    label = _("Board %(board)s") % {"board": name.board}
    if name.begins:
        label += _(" from round %(round)s") % {"round": name.begins}
    if with_section and name.section:
        label += _(", section %(section)s") % {"section": name.section}
    if with_session:
        label += _(", session %(session)s") % {"session": name.session}
    return label


def _iter_open_plays(rooms: Sequence[SessionSnapshot]) -> Iterable[PlayKey]:
    for session_snapshot in rooms:
        for board, tables in session_snapshot.tables_by_board.items():
            if not can_see_results(session_snapshot, board):
                yield from ((table.sitting, board) for table in tables)


def _find_hidden_boards(data: ExplanationData, number: int) -> set[int]:
    if not data.open_plays:
        return set()
    return {
        board
        for (entry, _deal), plays in data.plays.items()
        for sitting, board in plays
        if entry == number and (sitting, board) in data.open_plays
    }


def _format_hidden_boards(boards: Sequence[int]) -> str:
    if not boards:
        return ""
    text = ngettext(
        "Other tables may still play board %(boards)s. It already "
        "counts, and the details appear when every table has played "
        "it.",
        "Other tables may still play boards %(boards)s. They already "
        "count, and the details appear when every table has played "
        "them.",
        len(boards),
    )
    return text % {"boards": ", ".join(_iter_number_ranges(boards))}


def _iter_number_ranges(numbers: Sequence[int]) -> Iterable[str]:
    """Yield numbers in order, with consecutive ones as a range: 1–4, 7."""
    for _gap, run in groupby(
        enumerate(numbers), key=lambda indexed_number: indexed_number[1] - indexed_number[0]
    ):
        range_numbers = [number for _place, number in run]
        yield (
            str(range_numbers[0])
            if len(range_numbers) == 1
            else f"{range_numbers[0]}–{range_numbers[-1]}"
        )
