"""The table of boards in an explained score has every number of their sentences."""

import pytest
from django.test import Client

from scoring.methods import METHODS_BY_NAME
from scoring.methods.steps import Step, map_placeholders
from scoring.sheets.explanation_tables import COLUMN_TITLES
from scoring.sheets.explanations import build_explanation, load_explanation_data
from scoring.standings_engine import explanations, standings
from scoring.standings_engine.scores import score_event
from tests import evenings

pytestmark = pytest.mark.django_db

UNTITLED_COLUMNS = {"others", "plays"}
"""Numbers of tables, which need no column: the list of all scores shows them too."""


def list_board_steps(step: Step) -> list[Step]:
    board_steps = [board_step for part in step.parts for board_step in list_board_steps(part)]
    return board_steps or [step] * ("deal" in map_placeholders(step.sentence))


def list_pair_methods() -> list[str]:
    return [key for key, method in METHODS_BY_NAME.items() if "pairs" in method.contests]


@pytest.mark.parametrize("method", list_pair_methods())
def test_board_rows_contain_all_numbers_of_their_explanations(method: str) -> None:
    session, _user = evenings.play_session()
    event = session.event
    event.method = method
    event.save()
    for step in list_board_steps(
        explanations.explain_score(
            explanations.ScoreExplainers(score_event(event)), 1, penalty_reasons=[]
        )
    ):
        assert set(map_placeholders(step.sentence)) <= {*COLUMN_TITLES, *UNTITLED_COLUMNS}
    sheet = build_explanation(
        load_explanation_data(event, should_include_hidden_results=True),
        event.entries.get(number=1),
    )
    [whole] = [
        explained_number
        for explained_number in sheet.explained_numbers
        if explained_number.key == "score"
    ]
    tables = [step for step in whole.steps if step.columns]
    assert tables
    for table in tables:
        rows = [part for part in table.parts if part.board is not None]
        assert [row.board for row in rows] == sorted(row.board or 0 for row in rows)
        assert all(len(row.cells) == len(table.columns) for row in rows)


def test_explanation_page_shows_boards_as_table_rows() -> None:
    session, _user = evenings.play_session()
    evenings.show_growing_totals(session.event)
    standings.update_standings(session.event)
    page = Client().get(f"/events/{session.event.slug}/entries/1/explained/").content.decode()
    table = page.partition("<table>")[2].partition("</table>")[0]
    assert table.count("<tr>") == 1 + table.count('<th scope="row"') > 3
    assert "<ul></ul>" not in page
