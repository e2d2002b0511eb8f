"""The facts of an event for the ruling assistant: the tables, and the play in question."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from laws.book import PlayFacts
from laws.book.questions import Question, QuestionName, ask_round
from laws.book.situation import Answers
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.current_round import find_current_round
from scoring.sheets.order_of_play import (
    DealPlays,
    count_tables_in_play,
    has_played,
    list_deal_plays,
    list_due_plays,
    list_possible_originals,
)
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class PlayInQuestion:
    """One board at one table, with the facts for a ruling."""

    board: int
    table: SeatedTable
    first: tuple[SeatedTable, ...]
    """The plays that may be the original one; only one if it is known."""
    facts: PlayFacts
    play: str  # "Board 12, round 3, table 2"
    rounds: Sequence[int] = ()
    """The rounds to choose from, if the table has the board more than once."""
    is_settled: bool = True
    """Whether the round is known."""

    @property
    def round_question(self) -> Question:
        """Return the question for the round."""
        return ask_round(self.rounds)

    def find_original_play(self, answers: Answers) -> SeatedTable:
        """Return the original play, from the results or from the answers."""
        answer = answers.get(QuestionName.FIRST_TABLE, "")
        return next((table for table in self.first if table.label == answer), self.first[0])


def find_play(
    snapshot: SessionSnapshot, board: int, section: str, table: int, *, round_: int = 0
) -> PlayInQuestion | None:
    """Find the play of a board at a table; None if that table does not play it.

    `round_` chooses the play if the table has the board in several rounds.
    """
    plays = list_deal_plays(snapshot, section, board)
    due_plays = list_due_plays(snapshot, plays, table, board)
    if not due_plays:
        return None
    chosen_plays = [seated_table for seated_table in due_plays if seated_table.round == round_]
    play = (chosen_plays or due_plays)[0]
    first = list_possible_originals(snapshot, plays, board)
    is_known = len(first) == 1
    return PlayInQuestion(
        board=board,
        table=play,
        first=tuple(first),
        facts=PlayFacts(
            tables=count_tables_in_play(plays),
            is_original=first == [play] if is_known or play not in first else None,
            table_name=play.label,
            first_tables=tuple(seated_table.label for seated_table in first),
            is_overplayed=_is_overplayed(snapshot, plays, first, board),
        ),
        play=_("Board %(board)s, round %(round)s, table %(table)s")
        % {"board": board, "round": play.round, "table": play.label},
        rounds=[seated_table.round for seated_table in due_plays] if len(due_plays) > 1 else (),
        is_settled=len(due_plays) == 1 or bool(chosen_plays),
    )


def _is_overplayed(
    snapshot: SessionSnapshot, plays: DealPlays, first: DealPlays, board: int
) -> bool:
    """Return whether, by the results, a table has played the deal after the original play."""
    scored_plays = [table for table in plays if has_played(snapshot, table, board)]
    return any(table not in first for table in scored_plays) or len(scored_plays) > 1


def count_rounds_begun(snapshot: SessionSnapshot) -> int:
    """Return the number of rounds that have begun, by the clock and the results."""
    current_round = find_current_round(snapshot)
    is_open = snapshot.session.state == Session.State.OPEN
    return current_round.round + current_round.is_over if is_open else current_round.last


def list_boards_so_far(
    snapshot: SessionSnapshot, table: str, begun: int
) -> list[tuple[int, list[int]]]:
    """List the table's rounds that have begun, each with its boards, the latest round first."""
    section, _dash, number = table.partition("-")
    rounds_begun = [
        seated_table
        for seated_table in snapshot.tables
        if seated_table.is_played
        and (seated_table.section, str(seated_table.table)) == (section, number)
    ]
    rounds_begun.sort(key=lambda seated_table: -seated_table.round)
    return [
        (seated_table.round, sorted(seated_table.boards))
        for seated_table in rounds_begun
        if seated_table.round <= begun
    ]


def list_table_choices(snapshot: SessionSnapshot) -> list[tuple[str, str]]:
    """List the tables to choose from, as "A-3" with their displayed names."""
    table_keys = sorted(
        {
            (seated_table.section, seated_table.table)
            for seated_table in snapshot.tables
            if seated_table.is_played
        }
    )
    return [
        (f"{section}-{table}", snapshot.format_table_label(section, table))
        for section, table in table_keys
    ]
