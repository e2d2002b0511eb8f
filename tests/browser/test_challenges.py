"""A score is queried on one phone, agreed on another, and corrected by the director."""

import pytest
from playwright.sync_api import expect

import scoring.services
from hall.challenges import services
from scoring.models import Result
from tests import evenings
from tests.browser.conftest import PageOpener
from tournaments.models import EntryLink

pytestmark = [pytest.mark.browser]


def test_score_query_is_agreed_and_approved(
    open_visitor_page: PageOpener, transactional_db: None
) -> None:
    session, user = evenings.play_session(boards_a_round=1)
    services.create_entry_links(event=session.event, by=user)
    scoring.services.close_session(session=session, by=user)
    result = Result.objects.get(sitting__table=1, sitting__round=1)
    assert result.ns_tricks == 2
    ns, ew = result.sitting.north.entry, result.sitting.east.entry
    addresses = {link.entry_id: link.path for link in EntryLink.objects.all()}

    claimant_page = open_visitor_page(phone=True)
    claimant_page.goto(addresses[ns.pk])
    expect(claimant_page.get_by_text("Board 1: 2")).to_be_hidden()
    claimant_page.get_by_text("Round 1").click()
    line = claimant_page.get_by_role("listitem").filter(has_text="Board 1: 2")
    line.get_by_text("Query score").click()
    line.get_by_label("We made").select_option("7")
    line.get_by_role("button", name="Ask our opponents").click()
    expect(claimant_page.get_by_text("You say 7. Waiting for your opponents.")).to_be_visible()

    opponent_page = open_visitor_page(phone=True)
    opponent_page.goto(addresses[ew.pk])
    expect(
        opponent_page.get_by_role("heading", name="Board 1: did you make 6?")
    ).to_be_visible()
    opponent_page.get_by_role("button", name="Yes, 6").click()
    expect(opponent_page.get_by_text("Both sides agree. The director decides.")).to_be_visible()

    director = open_visitor_page(user)
    director.goto(f"/director/events/{session.event.slug}/challenges/")
    director.get_by_role("button", name="Correct score").click()
    expect(director.get_by_text("No queries.")).to_be_visible()
    claimant_page.reload()
    claimant_page.get_by_text("Round 1").click()
    expect(claimant_page.get_by_text("Board 1: 7")).to_be_visible()
    assert claimant_page.context.cookies() == []
