"""The table of boards in an explained score has every number of their sentences."""

import pytest
from django.test import Client

from scoring.methods import METHODS
from scoring.methods.steps import Step, map_placeholders
from scoring.sheets.explanation_tables import COLUMN_TITLES
from scoring.sheets.explanations import build_explanation, load_explanation_data
from scoring.standings_engine import explanations, standings
from scoring.standings_engine.scores import score_event
from tests import evenings

pytestmark = pytest.mark.django_db

UNTITLED = {"others", "plays"}
"""Numbers of tables, which need no column: the list of all scores shows them too."""


def _boards(step: Step) -> list[Step]:
    found = [each for part in step.parts for each in _boards(part)]
    return found or [step] * ("deal" in map_placeholders(step.words))


def _methods() -> list[str]:
    return [key for key, each in METHODS.items() if "pairs" in each.contests]


@pytest.mark.parametrize("method", _methods())
def test_every_board_is_a_row_with_each_figure_of_its_sentence(method: str) -> None:
    session, _user = evenings.played()
    event = session.event
    event.method = method
    event.save()
    for step in _boards(
        explanations.explain_score(
            explanations.ScoreExplainers(score_event(event)), 1, reasons=[]
        )
    ):
        assert set(map_placeholders(step.words)) <= {*COLUMN_TITLES, *UNTITLED}
    sheet = build_explanation(
        load_explanation_data(event, all_results=True), event.entries.get(number=1)
    )
    [whole] = [it for it in sheet.figures if it.key == "score"]
    tables = [told for told in whole.steps if told.columns]
    assert tables
    for told in tables:
        rows = [part for part in told.parts if part.board is not None]
        assert [part.board for part in rows] == sorted(part.board or 0 for part in rows)
        assert all(len(part.cells) == len(told.columns) for part in rows)


def test_the_page_shows_the_boards_as_rows_of_a_table() -> None:
    session, _user = evenings.played()
    evenings.tell_every_result(session.event)
    standings.update_standings(session.event)
    page = Client().get(f"/events/{session.event.slug}/entries/1/explained/").content.decode()
    table = page.partition("<table>")[2].partition("</table>")[0]
    assert table.count("<tr>") == 1 + table.count('<th scope="row"') > 3
    assert "<ul></ul>" not in page
