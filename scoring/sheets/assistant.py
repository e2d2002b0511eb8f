"""Facts from a session for the ruling assistant, which guides a director to a ruling."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from laws.book import PlayFacts
from laws.book.questions import Question, QuestionName, build_round_question
from laws.book.situation import Answers
from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.current_round import find_current_round
from scoring.sheets.order_of_play import (
    DealPlays,
    count_tables_in_play,
    has_played,
    list_deal_plays,
    list_possible_original_plays,
    list_rulable_plays,
)
from tournaments.models import Session


@dataclass(frozen=True, slots=True)
class PlayNeedingRuling:
    """The play of one board at one table that needs a ruling, with the facts for it."""

    board_number: int
    table: SeatedTable
    possible_originals: tuple[SeatedTable, ...]
    """The plays that may be the original one; only one if it is known."""
    facts: PlayFacts
    location: str  # "Board 12, round 3, table 2"
    rounds: Sequence[int] = ()
    """The rounds to choose from, if the table has the board more than once."""
    is_settled: bool = True
    """Whether the round is known."""

    @property
    def round_question(self) -> Question:
        """The assistant's question to the director: in which round was the board played?"""
        return build_round_question(self.rounds)

    def find_original_play(self, answers: Answers) -> SeatedTable:
        """Return the original play named in the answers, else the first possible one."""
        answer = answers.get(QuestionName.FIRST_TABLE, "")
        return next(
            (table for table in self.possible_originals if table.label == answer),
            self.possible_originals[0],
        )


def find_play(
    snapshot: SessionSnapshot,
    board_number: int,
    section_letter: str,
    table_number: int,
    *,
    round_number: int = 0,
) -> PlayNeedingRuling | None:
    """Find the play of a board at a table; None if that table does not play it.

    `round_number` chooses the play if the table has the board in several rounds.
    """
    deal_plays = list_deal_plays(snapshot, section_letter, board_number)
    rulable_plays = list_rulable_plays(snapshot, deal_plays, table_number, board_number)
    if not rulable_plays:
        return None
    chosen_plays = [
        seated_table for seated_table in rulable_plays if seated_table.round == round_number
    ]
    chosen_table = (chosen_plays or rulable_plays)[0]
    possible_originals = list_possible_original_plays(snapshot, deal_plays, board_number)
    is_original_play_known = len(possible_originals) == 1
    return PlayNeedingRuling(
        board_number=board_number,
        table=chosen_table,
        possible_originals=tuple(possible_originals),
        facts=PlayFacts(
            table_count=count_tables_in_play(deal_plays),
            is_original_play=possible_originals == [chosen_table]
            if is_original_play_known or chosen_table not in possible_originals
            else None,
            table_name=chosen_table.label,
            first_tables=tuple(seated_table.label for seated_table in possible_originals),
            is_overplayed=_is_overplayed(
                snapshot, deal_plays, possible_originals, board_number
            ),
        ),
        location=_("Board %(board)s, round %(round)s, table %(table)s")
        % {"board": board_number, "round": chosen_table.round, "table": chosen_table.label},
        rounds=[seated_table.round for seated_table in rulable_plays]
        if len(rulable_plays) > 1
        else (),
        is_settled=len(rulable_plays) == 1 or bool(chosen_plays),
    )


def _is_overplayed(
    snapshot: SessionSnapshot,
    deal_plays: DealPlays,
    possible_originals: DealPlays,
    board_number: int,
) -> bool:
    """Return whether a result shows that the deal was played again after the original play."""
    scored_plays = [table for table in deal_plays if has_played(snapshot, table, board_number)]
    return (
        any(table not in possible_originals for table in scored_plays) or len(scored_plays) > 1
    )


def count_begun_rounds(snapshot: SessionSnapshot) -> int:
    """Return the number of rounds that have begun, by the clock and the results."""
    current_round = find_current_round(snapshot)
    is_session_open = snapshot.session.state == Session.State.OPEN
    return (
        current_round.round_number + current_round.is_over
        if is_session_open
        else current_round.last_round_number
    )


def list_begun_rounds(
    snapshot: SessionSnapshot, table_key: str, begun_round_count: int
) -> list[tuple[int, list[int]]]:
    """List the table's rounds that have begun, each with its boards, the latest round first."""
    section_letter, _dash, table_number = table_key.partition("-")
    table_rounds = [
        seated_table
        for seated_table in snapshot.tables
        if seated_table.is_played
        and (seated_table.section, str(seated_table.table_number))
        == (section_letter, table_number)
    ]
    table_rounds.sort(key=lambda seated_table: -seated_table.round)
    return [
        (seated_table.round, sorted(seated_table.boards))
        for seated_table in table_rounds
        if seated_table.round <= begun_round_count
    ]


def list_table_choices(snapshot: SessionSnapshot) -> list[tuple[str, str]]:
    """Return the key ("A-3") and the displayed name of each table of the session."""
    table_keys = sorted(
        {
            (seated_table.section, seated_table.table_number)
            for seated_table in snapshot.tables
            if seated_table.is_played
        }
    )
    return [
        (
            f"{section_letter}-{table_number}",
            snapshot.format_table_label(section_letter, table_number),
        )
        for section_letter, table_number in table_keys
    ]
