"""A bracket as pages, papers, files and programs show it."""

from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from boards.whist import figures
from printing.values import Heading
from scoring.models import Knockout
from scoring.reckoning.knockouts import Bracket, bracket_of, knockout_of
from scoring.secrecy import standings_may_be_seen
from scoring.sheets.headings import at_hand, heading
from scoring.sittings import SeatedSession
from tournaments.models import Event
from tournaments.stages.matches import Match


@dataclass(frozen=True, slots=True)
class BracketSide:
    """One side of a match: nobody yet, or an entry with its seed."""

    entry: int | None = None
    seed: int | None = None
    name: str = ""
    margin: str = ""
    is_winner: bool = False


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One match as it stands."""

    round: int
    number: int
    one: BracketSide
    other: BracketSide
    is_bye: bool
    is_open: bool  # both sides are known, and nobody has won
    is_level: bool
    margins: tuple[str, ...]  # by segment, of the first side
    extra: tuple[str, ...]
    is_given: bool  # the director says who goes on
    is_typed: bool  # otherwise its margins are those of the tables
    note: str

    @property
    def key(self) -> str:
        """How forms name it."""
        return f"{self.round}-{self.number}"

    @property
    def is_done(self) -> bool:
        """Whether somebody has won it at a table or by word of the director."""
        return not self.is_bye and (self.one.is_winner or self.other.is_winner)


@dataclass(frozen=True, slots=True)
class BracketRound:
    """A round: what it is called, and its matches from top to bottom."""

    number: int
    title: str
    matches: tuple[BracketMatch, ...]

    @property
    def is_over(self) -> bool:
        """Whether everybody who goes on is known."""
        return all(each.one.is_winner or each.other.is_winner for each in self.matches)


@dataclass(frozen=True, slots=True)
class BracketSheet:
    """The whole bracket."""

    heading: Heading
    rounds: tuple[BracketRound, ...]
    champion: str
    segments: int
    seed_wins: bool

    @property
    def at_hand(self) -> tuple[BracketRound, ...]:
        """The round that is being played and the next; after the end the last two."""
        over = sum(each.is_over for each in self.rounds)
        first = max(0, min(over, len(self.rounds) - 2))
        return self.rounds[first : first + 2]


def bracket_sheet(event: Event, *, all_results: bool = False) -> BracketSheet | None:
    """The bracket of an event; None where it has none.

    Margins that tables made are told once the standings may be seen.
    """
    row = knockout_of(event)
    if row is None:
        return None
    row.event = event
    is_told = all_results or standings_may_be_seen(event) or not bracket_is_played(event)
    return _sheet(row, bracket_of(row), is_told=is_told)


def brackets_of(found: SeatedSession) -> list[BracketSheet]:
    """The same from the session at hand, for a paper."""
    sheet = bracket_sheet(found.session.event)
    return [sheet] if sheet else []


def bracket_is_played(event: Event) -> bool:
    """Whether the matches are made at the tables of the event, not typed."""
    return any(each.state != each.State.PLANNED for each in event.sessions.all())


def round_title(number: int, rounds: int) -> str:
    """What a round is called by how many are left."""
    left = rounds - number
    words = {0: _("Final"), 1: _("Semi-finals"), 2: _("Quarter-finals")}
    return words.get(left) or _("Round %(round)s") % {"round": number}


def _sheet(row: Knockout, found: Bracket, *, is_told: bool) -> BracketSheet:
    names = {entry.number: entry.name for entry in row.event.entries.all()}
    champion = found.champion
    return BracketSheet(
        heading=heading(at_hand(list(row.event.sessions.all()))),
        rounds=tuple(
            BracketRound(
                number,
                round_title(number, len(found.rounds)),
                tuple(_match(row, found, match, names, is_told=is_told) for match in matches),
            )
            for number, matches in enumerate(found.rounds, start=1)
        ),
        champion=names.get(champion, "") if champion is not None else "",
        segments=row.segments,
        seed_wins=row.seed_wins,
    )


def _match(
    row: Knockout, found: Bracket, match: Match, names: dict[int, str], *, is_told: bool
) -> BracketMatch:
    score = match.score
    total = score.total if score.margins and is_told else None
    is_typed = f"{match.round}-{match.number}" in row.matches
    return BracketMatch(
        round=match.round,
        number=match.number,
        one=_side(found, match.one, match.winner, names, total),
        other=_side(found, match.other, match.winner, names, None if total is None else -total),
        is_bye=match.bye,
        is_open=match.can_be_played and match.winner is None,
        is_level=match.is_level,
        margins=tuple(_typed(each) for each in score.margins) if is_told else (),
        extra=tuple(_typed(each) for each in score.extra) if is_told else (),
        is_given=score.given is not None,
        is_typed=is_typed,
        note=_note(match),
    )


def _side(
    found: Bracket,
    seed: int | None,
    winner: int | None,
    names: dict[int, str],
    margin: Fraction | None,
) -> BracketSide:
    entry = found.entry(seed)
    if seed is None or entry is None:
        return BracketSide()
    return BracketSide(
        entry=entry,
        seed=seed,
        name=names.get(entry, ""),
        margin="" if margin is None else figures.signed(margin),
        is_winner=winner == seed,
    )


def _note(match: Match) -> str:
    if match.bye:
        return _("bye")
    if match.is_level:
        return _("level: two more boards decide")
    if match.score.given is not None:
        return _("by word of the director")
    if match.winner is not None and not match.score.total:
        return _("level: the higher seed goes on")
    if match.score.extra:
        return _("after extra boards")
    return ""


def _typed(figure: Fraction) -> str:
    """A margin as a form takes it again."""
    return str(float(figure)).removesuffix(".0")
