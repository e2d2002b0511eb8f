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
    find_level_at_cutoff,
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
    is_winner: bool = False  # or goes on as the second of three
    place: int = 0  # among those who go on; 0 for the others
    shown_seed: str = ""  # the seed, if seeds were set
    awaited_text: str = ""  # the side to come, if the lines of the bracket do not show it


@dataclass(frozen=True, slots=True)
class MarginField:
    """An input field for one margin of a three-way match, with the two sides."""

    segment: int
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
    is_open: bool  # both sides are known, without a winner
    is_level: bool
    margins: tuple[str, ...]  # of the first side, by segment
    extra: tuple[str, ...]
    is_given: bool  # the director decided who goes on
    is_typed: bool  # else its margins come from the tables
    note: str
    third: BracketSide | None = None  # in a three-way match
    couples: tuple[str, ...] = ()  # of a three-way match: the couples of its margins, by seeds
    leads_to: tuple[int, ...] = (0,)  # places of the next round, from 0
    planned: int = 1  # segments
    unsettled: str = ""  # for the director: the sides that would go on after a correction

    @property
    def sides(self) -> tuple[BracketSide, ...]:
        """The two or three sides of the match, from top to bottom."""
        return (self.one, self.other, *([self.third] if self.third else []))

    @property
    def places(self) -> int:
        """The number of sides that advance from the match."""
        return len(self.leads_to)

    @property
    def fields(self) -> list[MarginField]:
        """The input fields of a three-way match: one for each couple and segment."""
        return self._fields(self.margins, self.planned)

    @property
    def extra_fields(self) -> list[MarginField]:
        """The input fields of extra boards, with one more segment while the match is level."""
        segments_played = len(self.extra) // (len(self.couples) or 1)
        return self._fields(self.extra, segments_played + self.is_level)

    def _fields(self, filled_fields: Sequence[str], sets: int) -> list[MarginField]:
        width = len(self.couples)
        values = [*filled_fields, *[""] * (sets * width - len(filled_fields))]
        return [
            MarginField(place // width + 1, self.couples[place % width], value)
            for place, value in enumerate(values)
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
    def has_two_advancing(self) -> bool:
        """Whether two sides advance from some match; lines cannot show where each of them plays
        next.
        """
        return any(match.places > 1 for match in self.matches)

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
    seed_wins: bool
    three_way: bool = False

    @property
    def next_round(self) -> int:
        """The number of the first round with a match that can be decided, or 0."""
        return next(
            (
                each_round.number
                for each_round in self.rounds
                if any(match.is_open for match in each_round.matches)
            ),
            0,
        )

    @property
    def current_rounds(self) -> tuple[BracketRound, ...]:
        """The current round and the next one; after the end the last two rounds."""
        finished_count = sum(bracket_round.is_over for bracket_round in self.rounds)
        first = max(0, min(finished_count, len(self.rounds) - 2))
        return self.rounds[first : first + 2]


def build_bracket_sheet(event: Event, *, all_results: bool = False) -> BracketSheet | None:
    """Build the bracket of an event; None if the event has none.

    Without `all_results` only public results are used (scoring.secrecy), because margins of
    pairs depend on results at other tables. Margins are shown once the standings may be seen.
    """
    row = find_knockout(event)
    if row is None:
        return None
    row.event = event
    are_margins_shown = all_results or can_see_standings(event) or not is_bracket_played(event)
    return _build_sheet(
        row, load_bracket(row, public_only=not all_results), is_told=are_margins_shown
    )


def list_questions_to_director(event: Event) -> list[str]:
    """Return questions to the director about matches corrected after the next was seated."""
    sheet = build_bracket_sheet(event, all_results=True)
    matches = (match for round_ in sheet.rounds for match in round_.matches) if sheet else ()
    return [match.unsettled for match in matches if match.unsettled]


def list_brackets(snapshot: SessionSnapshot) -> list[BracketSheet]:
    """Return the bracket of a session's event for a paper, in a list that may be empty."""
    sheet = build_bracket_sheet(snapshot.session.event)
    return [sheet] if sheet else []


def is_bracket_played(event: Event) -> bool:
    """Return whether the matches are played at the event's tables instead of typed in."""
    return any(session.state != session.State.PLANNED for session in event.sessions.all())


def format_round_title(number: int, rounds: int) -> str:
    """Return the title of a round by the number of rounds left."""
    rounds_left = rounds - number
    titles = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")}
    return titles.get(rounds_left) or _("Round %(round)s") % {"round": number}


def _build_sheet(row: Knockout, bracket: Bracket, *, is_told: bool) -> BracketSheet:
    names = {entry.number: entry.name for entry in row.event.entries.all()}
    winner = bracket.champion
    awaited_sides = _describe_awaited_sides(bracket)
    is_seeded = row.three_way or has_seeds(row.event, row.seeds)  # threes are named by seeds
    bracket_names = _BracketNames(names, awaited_sides, is_seeded)
    return BracketSheet(
        heading=build_heading(find_current_session(list(row.event.sessions.all()))),
        rounds=tuple(
            BracketRound(
                number,
                format_round_title(number, len(bracket.rounds)),
                tuple(
                    _build_match(row, bracket, match, bracket_names, is_told=is_told)
                    for match in matches
                ),
            )
            for number, matches in enumerate(bracket.rounds, start=1)
        ),
        champion=names.get(winner, "") if winner is not None else "",
        seed_wins=row.seed_wins,
        three_way=row.three_way,
    )


@dataclass(frozen=True, slots=True)
class _BracketNames:
    """The names and seeds that a bracket shows for its sides."""

    names: dict[int, str]
    awaited_sides: Mapping[tuple[int, int], str]  # by round and place
    is_seeded: bool


def _describe_awaited_sides(bracket: Bracket) -> dict[tuple[int, int], str]:
    """Describe the awaited sides of round 2 ("winner of match 3").

    Empty unless two sides advance from some first-round match.
    """
    first = bracket.rounds[0]
    if all(len(match.leads_to) == 1 for match in first):
        return {}
    texts = (_("first of match %(match)s"), _("second of match %(match)s"))
    winner_text = _("winner of match %(match)s")
    return {
        (2, place): (texts[rank] if len(match.leads_to) > 1 else winner_text)
        % {"match": match.number}
        for match in first
        for rank, place in enumerate(match.leads_to)
    }


def _build_match(
    row: Knockout,
    bracket: Bracket,
    match: KnockoutMatch,
    bracket_names: _BracketNames,
    *,
    is_told: bool,
) -> BracketMatch:
    """Convert a match of the bracket; margins are only included if they may be shown."""
    score = match.score
    margins = _compute_margins(match) if score.margins and is_told else {}
    top = 2 * (match.number - 1)

    def side(seed: int | None, place: int | None = None) -> BracketSide:
        awaited_side = (
            bracket_names.awaited_sides.get((match.round, place)) if place is not None else None
        )
        made_side = _build_side(
            bracket, seed, match, bracket_names.names, margins.get(seed or 0), awaited_side
        )
        shown_seed = str(made_side.seed) if bracket_names.is_seeded and made_side.seed else ""
        return replace(made_side, shown_seed=shown_seed)

    one_side, other = side(match.one, top), side(match.other, top + 1)
    third = side(match.third) if match.is_three_way else None
    return BracketMatch(
        round=match.round,
        number=match.number,
        one=one_side,
        other=other,
        is_bye=match.bye,
        is_open=match.can_be_played and match.winner is None,
        is_level=match.is_level,
        margins=tuple(_format_margin(margin) for margin in score.margins) if is_told else (),
        extra=tuple(_format_margin(margin) for margin in score.extra) if is_told else (),
        is_given=bool(score.advancing_seeds) and match.key not in bracket.changed_winners,
        is_typed=format_match_name(match.key) in row.matches,
        note=_format_note(bracket, match, bracket_names.names),
        third=third,
        couples=_format_couples(match),
        leads_to=match.leads_to,
        planned=row.segments,
        unsettled=_format_question_to_director(bracket, match, bracket_names.names),
    )


def _format_couples(match: KnockoutMatch) -> tuple[str, ...]:
    """Return the couple of sides for each margin column of a three-way match."""
    if not match.is_three_way:
        return ()
    text = _("%(one)s over %(other)s")
    return tuple(text % {"one": one_seed, "other": other} for one_seed, other in match.couples)


def _compute_margins(match: KnockoutMatch) -> dict[int, Fraction]:
    """Return each side's margin over the others, by its seed."""
    if not match.is_three_way:
        total = match.score.total
        return {side: total if side == match.one else -total for side in match.sides}
    return compute_net_margins(match.sides, sum_margins(match.sides, match.score.margins))


def _format_seed_name(bracket: Bracket, seed: int, names: dict[int, str]) -> str:
    return names.get(bracket.find_entry(seed) or 0, "")


def _build_side(
    bracket: Bracket,
    seed: int | None,
    match: KnockoutMatch,
    names: dict[int, str],
    margin: Fraction | None,
    awaited_side: str | None = None,
) -> BracketSide:
    entry = bracket.find_entry(seed)
    if seed is None or entry is None:
        return BracketSide(awaited_text=awaited_side or "")
    return BracketSide(
        entry=entry,
        seed=seed,
        name=names.get(entry, ""),
        margin="" if margin is None else formatting.format_signed(margin),
        is_winner=seed in match.going,
        place=match.going.index(seed) + 1 if seed in match.going else 0,
    )


def _format_note(bracket: Bracket, match: KnockoutMatch, names: dict[int, str]) -> str:
    if match.bye:
        return _("bye")
    if match.key in bracket.changed_winners:
        return _("corrected after the draw: the winner already seated stays in")
    if not match.can_be_played:
        return ""
    if match.score.advancing_seeds:
        return _("decided by the director") if _is_decided_by_director(bracket, match) else ""
    level = find_level_at_cutoff(match.sides, match.score, len(match.leads_to))
    if match.is_level:
        if not match.is_three_way:
            return _("level: two more boards decide")
        text = _("level: two more boards decide between %(names)s")
        return text % {
            "names": ", ".join(_format_seed_name(bracket, seed, names) for seed in level)
        }
    return _format_end_note(match, level)


def _is_decided_by_director(bracket: Bracket, match: KnockoutMatch) -> bool:
    """Return whether the director decided which side advances, instead of the next round's
    seating.
    """
    return bool(
        read_score(
            bracket.knockout.matches.get(format_match_name(match.key), {})
        ).advancing_seeds
    )


def _format_end_note(match: KnockoutMatch, level: list[int]) -> str:
    if match.winner is not None and level:
        return _("level: the higher seed goes through")
    if match.score.extra:
        return _("after extra boards")
    return _format_three_way_note(match) if match.is_three_way else ""


def _format_three_way_note(match: KnockoutMatch) -> str:
    """Return how many sides advance, and whether the result between two level sides decides."""
    do_two_advance = len(match.leads_to) > 1
    if match.winner is None:
        return (
            _("three-way: the best two go through")
            if do_two_advance
            else _("three-way: the best goes through")
        )
    margins = _compute_margins(match)
    if {margins[seed] for seed in match.going} & {margins[seed] for seed in match.losers}:
        return _("level on net tricks: the result between them decides")
    return _("three-way: two go through") if do_two_advance else _("three-way")


def _format_question_to_director(
    bracket: Bracket, match: KnockoutMatch, names: dict[int, str]
) -> str:
    """Return the question to the director about a match corrected after the next was seated."""
    if match.key not in bracket.changed_winners:
        return ""
    current_winners = ", ".join(
        _format_seed_name(bracket, seed, names) for seed in bracket.changed_winners[match.key]
    )
    placeholders = {
        "seated": ", ".join(_format_seed_name(bracket, seed, names) for seed in match.going),
        "now": current_winners,
    }
    text = (
        _("With the current scores %(now)s would go through. Seated for the next round: ")
        if current_winners
        else _("With the current scores no one has won it. Seated for the next round: ")
    )
    question = _("%(seated)s. Keep the winner, or undo that draw.")
    return (text + question) % placeholders


def _format_margin(figure: Fraction) -> str:
    """Format a margin as a form accepts it."""
    return str(float(figure)).removesuffix(".0")
