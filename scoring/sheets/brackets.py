"""A bracket for pages, papers, files and the API."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from django.utils.translation import gettext as _

from printing.values import Heading
from scoring.models import Knockout
from scoring.secrecy import can_see_standings
from scoring.session_snapshot import SessionSnapshot
from scoring.sheets.headings import build_heading, find_current_session
from scoring.standings_engine.knockouts import (
    Bracket,
    find_knockout,
    format_match_name,
    load_bracket,
)
from scoring.standings_engine.overall_order import has_seeds
from server import formatting
from tournaments.models import Event
from tournaments.stages.matches import (
    KnockoutMatch,
    compute_net_margins,
    find_tied_sides_at_cutoff,
    read_score,
    sum_margins,
)


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One side of a match: an entry with its seed, or an empty place."""

    entry: int | None = None
    seed: int | None = None
    name: str = ""
    margin: str = ""
    is_winner: bool = False  # also true for the second side that advances from three
    place: int = 0  # 1 or 2 among the sides that advance; 0 for other sides
    seed_text: str = ""  # the seed, if seeds were set
    # "winner of match 3", for an unknown side to which the page cannot draw a line.
    awaited_text: str = ""


@dataclass(frozen=True, slots=True)
class MarginField:
    """An input field for one margin of a three-way match, with the two sides."""

    segment_number: int
    label: str
    value: str


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One match in its current state."""

    round: int
    number: int
    one: BracketSide
    other: BracketSide
    is_bye: bool
    is_undecided: bool  # both sides are known, but no winner
    is_level: bool
    margins: tuple[str, ...]  # the margins of the first side, by segment
    extra_margins: tuple[str, ...]  # the margins of the first side on extra boards
    is_decided_by_director: bool
    has_entered_margins: bool  # False: the margins come from the tables
    note: str
    third: BracketSide | None = None  # only a three-way match has a third side
    # In a three-way match, the labels of the margins: "1 over 4".
    margin_labels: tuple[str, ...] = ()
    # The winners' places in the next round, counted from 0.
    next_positions: tuple[int, ...] = (0,)
    planned_segment_count: int = 1
    # Set if a correction changed the winner after the next round was seated.
    question_to_director: str = ""

    @property
    def sides(self) -> tuple[BracketSide, ...]:
        """The two or three sides of the match, from top to bottom."""
        return (self.one, self.other, *([self.third] if self.third else []))

    @property
    def advancing_side_count(self) -> int:
        """The number of sides that advance from the match."""
        return len(self.next_positions)

    @property
    def fields(self) -> list[MarginField]:
        """The input fields of a three-way match: in each segment, one per pair of teams."""
        return self._build_margin_fields(self.margins, self.planned_segment_count)

    @property
    def extra_margin_fields(self) -> list[MarginField]:
        """The input fields of extra boards; while the match is level, also empty ones."""
        played_segment_count = len(self.extra_margins) // (len(self.margin_labels) or 1)
        segment_count = played_segment_count + self.is_level
        return self._build_margin_fields(self.extra_margins, segment_count)

    def _build_margin_fields(
        self, margins: Sequence[str], segment_count: int
    ) -> list[MarginField]:
        labels_per_segment = len(self.margin_labels)
        field_values = [*margins, *[""] * (segment_count * labels_per_segment - len(margins))]
        return [
            MarginField(
                index // labels_per_segment + 1,
                self.margin_labels[index % labels_per_segment],
                field_value,
            )
            for index, field_value in enumerate(field_values)
        ]

    @property
    def key(self) -> str:
        """The name of the match in forms."""
        return f"{self.round}-{self.number}"

    @property
    def can_enter_margins(self) -> bool:
        """Whether both sides are known, so that margins can be entered."""
        return bool(not self.is_bye and self.one.entry and self.other.entry)

    @property
    def is_done(self) -> bool:
        """Whether the match has a winner, by results or by the director's decision."""
        return not self.is_bye and any(side.is_winner for side in self.sides)


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round of the bracket: its title, and its matches from top to bottom."""

    number: int
    title: str
    matches: tuple[BracketMatch, ...]

    @property
    def has_two_advancing_sides(self) -> bool:
        """Whether two sides advance from some match; lines cannot show where each goes."""
        return any(match.advancing_side_count > 1 for match in self.matches)

    @property
    def can_enter_margins(self) -> bool:
        """Whether some match has two known sides, so that margins can be entered."""
        return any(match.can_enter_margins for match in self.matches)

    @property
    def is_over(self) -> bool:
        """Whether every match has been decided."""
        return all(match.is_bye or match.is_done for match in self.matches)


@dataclass(frozen=True, slots=True)
class BracketSheet:
    """The whole bracket of an event."""

    heading: Heading
    rounds: tuple[BracketRound, ...]
    champion: str

    @property
    def next_round(self) -> int:
        """The number of the first round with a match that can be decided, or 0."""
        return next(
            (
                bracket_round.number
                for bracket_round in self.rounds
                if any(match.is_undecided for match in bracket_round.matches)
            ),
            0,
        )

    @property
    def shown_rounds(self) -> tuple[BracketRound, ...]:
        """The current round and the next one; after the end the last two rounds."""
        finished_count = sum(bracket_round.is_over for bracket_round in self.rounds)
        first_index = max(0, min(finished_count, len(self.rounds) - 2))
        return self.rounds[first_index : first_index + 2]


def build_bracket_sheet(
    event: Event, *, should_include_hidden_results: bool = False
) -> BracketSheet | None:
    """Build the bracket of an event; None if the event has none.

    By default only public results are used (scoring.secrecy), because margins of pairs depend
    on results at other tables. Margins are shown when the standings are public.
    """
    knockout = find_knockout(event)
    if knockout is None:
        return None
    knockout.event = event
    are_margins_shown = (
        should_include_hidden_results
        or can_see_standings(event)
        or not is_bracket_played_at_tables(event)
    )
    return _build_sheet(
        knockout,
        load_bracket(knockout, has_only_public_results=not should_include_hidden_results),
        are_margins_shown=are_margins_shown,
    )


def list_questions_to_director(event: Event) -> list[str]:
    """Return questions to the director about matches corrected after the next round was
    seated.
    """
    bracket_sheet = build_bracket_sheet(event, should_include_hidden_results=True)
    matches = (
        (match for bracket_round in bracket_sheet.rounds for match in bracket_round.matches)
        if bracket_sheet
        else ()
    )
    return [match.question_to_director for match in matches if match.question_to_director]


def list_brackets(snapshot: SessionSnapshot) -> list[BracketSheet]:
    """Return the bracket of a session's event for a paper, in a list that may be empty."""
    bracket_sheet = build_bracket_sheet(snapshot.session.event)
    return [bracket_sheet] if bracket_sheet else []


def is_bracket_played_at_tables(event: Event) -> bool:
    """Return whether the matches are played at the event's tables instead of typed in."""
    return any(session.state != session.State.PLANNED for session in event.sessions.all())


def format_round_title(round_number: int, round_count: int) -> str:
    """Return the title of a round by the number of rounds left."""
    remaining_round_count = round_count - round_number
    titles = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")}
    return titles.get(remaining_round_count) or _("Round %(round)s") % {"round": round_number}


def _build_sheet(
    knockout: Knockout, bracket: Bracket, *, are_margins_shown: bool
) -> BracketSheet:
    names_by_entry = {entry.number: entry.name for entry in knockout.event.entries.all()}
    champion_number = bracket.champion_number
    awaited_texts_by_place = _describe_awaited_sides(bracket)
    # The margins of three-way matches are labelled with seeds.
    are_seeds_shown = knockout.three_way or has_seeds(knockout.event, knockout.seeds)
    bracket_names = _BracketNames(names_by_entry, awaited_texts_by_place, are_seeds_shown)
    return BracketSheet(
        heading=build_heading(find_current_session(list(knockout.event.sessions.all()))),
        rounds=tuple(
            BracketRound(
                round_number,
                format_round_title(round_number, len(bracket.rounds)),
                tuple(
                    _build_match(
                        knockout,
                        bracket,
                        match,
                        bracket_names,
                        are_margins_shown=are_margins_shown,
                    )
                    for match in matches
                ),
            )
            for round_number, matches in enumerate(bracket.rounds, start=1)
        ),
        champion=names_by_entry.get(champion_number, "") if champion_number is not None else "",
    )


@dataclass(frozen=True, slots=True)
class _BracketNames:
    """The names and seeds that a bracket shows for its sides."""

    names_by_entry: dict[int, str]  # by entry number
    # By round, and place in it counted from 0.
    awaited_texts_by_place: Mapping[tuple[int, int], str]
    are_seeds_shown: bool


def _describe_awaited_sides(bracket: Bracket) -> dict[tuple[int, int], str]:
    """Describe the awaited sides of round 2 ("winner of match 3").

    Empty unless two sides advance from some first-round match.
    """
    first_round_matches = bracket.rounds[0]
    if all(len(match.next_positions) == 1 for match in first_round_matches):
        return {}
    templates = (_("first of match %(match)s"), _("second of match %(match)s"))
    winner_template = _("winner of match %(match)s")
    return {
        (2, next_position): (
            templates[rank_index] if len(match.next_positions) > 1 else winner_template
        )
        % {"match": match.number}
        for match in first_round_matches
        for rank_index, next_position in enumerate(match.next_positions)
    }


def _build_match(
    knockout: Knockout,
    bracket: Bracket,
    match: KnockoutMatch,
    bracket_names: _BracketNames,
    *,
    are_margins_shown: bool,
) -> BracketMatch:
    """Convert a match of the bracket; margins are only included if they may be shown."""
    score = match.score
    margin_by_seed = _compute_margins(match) if score.margins and are_margins_shown else {}
    first_side_place = 2 * (match.number - 1)

    def build_match_side(seed: int | None, side_place: int | None = None) -> BracketSide:
        awaited_text = (
            bracket_names.awaited_texts_by_place.get((match.round_number, side_place))
            if side_place is not None
            else None
        )
        match_side = _build_side(
            bracket,
            seed,
            match,
            bracket_names.names_by_entry,
            margin_by_seed.get(seed or 0),
            awaited_text,
        )
        seed_text = (
            str(match_side.seed) if bracket_names.are_seeds_shown and match_side.seed else ""
        )
        return replace(match_side, seed_text=seed_text)

    first_side = build_match_side(match.first_side, first_side_place)
    second_side = build_match_side(match.second_side, first_side_place + 1)
    third_side = build_match_side(match.third_side) if match.is_three_way else None
    return BracketMatch(
        round=match.round_number,
        number=match.number,
        one=first_side,
        other=second_side,
        is_bye=match.is_bye,
        is_undecided=match.can_be_played and match.winner is None,
        is_level=match.is_level,
        margins=tuple(_format_margin(margin) for margin in score.margins)
        if are_margins_shown
        else (),
        extra_margins=tuple(_format_margin(margin) for margin in score.extra_margins)
        if are_margins_shown
        else (),
        is_decided_by_director=bool(score.advancing_seeds)
        and match.key not in bracket.corrected_winners_by_match,
        has_entered_margins=format_match_name(match.key) in knockout.matches,
        note=_format_note(bracket, match, bracket_names.names_by_entry),
        third=third_side,
        margin_labels=_format_margin_labels(match),
        next_positions=match.next_positions,
        planned_segment_count=knockout.segments,
        question_to_director=_format_question_to_director(
            bracket, match, bracket_names.names_by_entry
        ),
    )


def _format_margin_labels(match: KnockoutMatch) -> tuple[str, ...]:
    """Return the label of each margin in a three-way match: "1 over 4"."""
    if not match.is_three_way:
        return ()
    template = _("%(one)s over %(other)s")
    return tuple(
        template % {"one": first_seed, "other": second_seed}
        for first_seed, second_seed in match.pairings
    )


def _compute_margins(match: KnockoutMatch) -> dict[int, Fraction]:
    """Return the margin of each side over the others, by the seed of the side."""
    if not match.is_three_way:
        total_margin = match.score.total_margin
        return {
            seed: total_margin if seed == match.first_side else -total_margin
            for seed in match.sides
        }
    return compute_net_margins(match.sides, sum_margins(match.sides, match.score.margins))


def _find_name_by_seed(bracket: Bracket, seed: int, names_by_entry: dict[int, str]) -> str:
    return names_by_entry.get(bracket.find_entry_number(seed) or 0, "")


def _build_side(
    bracket: Bracket,
    seed: int | None,
    match: KnockoutMatch,
    names_by_entry: dict[int, str],
    margin: Fraction | None,
    awaited_text: str | None = None,
) -> BracketSide:
    entry_number = bracket.find_entry_number(seed)
    if seed is None or entry_number is None:
        return BracketSide(awaited_text=awaited_text or "")
    return BracketSide(
        entry=entry_number,
        seed=seed,
        name=names_by_entry.get(entry_number, ""),
        margin="" if margin is None else formatting.format_signed(margin),
        is_winner=seed in match.advancing_sides,
        place=match.advancing_sides.index(seed) + 1 if seed in match.advancing_sides else 0,
    )


def _format_note(bracket: Bracket, match: KnockoutMatch, names_by_entry: dict[int, str]) -> str:
    if match.is_bye:
        return _("bye")
    if match.key in bracket.corrected_winners_by_match:
        return _("corrected after the draw: the winner already seated stays in")
    if not match.can_be_played:
        return ""
    if match.score.advancing_seeds:
        return _("decided by the director") if _is_decided_by_director(bracket, match) else ""
    level_seeds = find_tied_sides_at_cutoff(match.sides, match.score, len(match.next_positions))
    if match.is_level:
        if not match.is_three_way:
            return _("level: two more boards decide")
        template = _("level: two more boards decide between %(names)s")
        return template % {
            "names": ", ".join(
                _find_name_by_seed(bracket, seed, names_by_entry) for seed in level_seeds
            )
        }
    return _format_outcome_note(match, level_seeds)


def _is_decided_by_director(bracket: Bracket, match: KnockoutMatch) -> bool:
    """Return whether the director, and not the seating of the next round, fixes the winner."""
    return bool(
        read_score(
            bracket.knockout.matches.get(format_match_name(match.key), {})
        ).advancing_seeds
    )


def _format_outcome_note(match: KnockoutMatch, level_seeds: list[int]) -> str:
    if match.winner is not None and level_seeds:
        return _("level: the higher seed goes through")
    if match.score.extra_margins:
        return _("after extra boards")
    return _format_three_way_note(match) if match.is_three_way else ""


def _format_three_way_note(match: KnockoutMatch) -> str:
    """Return how many sides advance, and whether the result between two level sides decides."""
    has_two_advancing_sides = len(match.next_positions) > 1
    if match.winner is None:
        return (
            _("three-way: the best two go through")
            if has_two_advancing_sides
            else _("three-way: the best goes through")
        )
    margin_by_seed = _compute_margins(match)
    if {margin_by_seed[seed] for seed in match.advancing_sides} & {
        margin_by_seed[seed] for seed in match.losers
    }:
        return _("level on net tricks: their head-to-head result decides")
    return _("three-way: two go through") if has_two_advancing_sides else _("three-way")


def _format_question_to_director(
    bracket: Bracket, match: KnockoutMatch, names_by_entry: dict[int, str]
) -> str:
    """Return the question about a match that was corrected after the next round was seated."""
    if match.key not in bracket.corrected_winners_by_match:
        return ""
    current_winners_text = ", ".join(
        _find_name_by_seed(bracket, seed, names_by_entry)
        for seed in bracket.corrected_winners_by_match[match.key]
    )
    placeholders = {
        "seated": ", ".join(
            _find_name_by_seed(bracket, seed, names_by_entry) for seed in match.advancing_sides
        ),
        "now": current_winners_text,
    }
    introduction = (
        _("On the current scores %(now)s would go through. Seated for the next round: ")
        if current_winners_text
        else _("On the current scores no one has won this match. Seated for the next round: ")
    )
    instruction = _("%(seated)s. Keep the winner, or undo the draw.")
    return (introduction + instruction) % placeholders


def _format_margin(margin: Fraction) -> str:
    """Format a margin as the value of an input field: "5", "-2" or "6.5"."""
    return str(float(margin)).removesuffix(".0")
