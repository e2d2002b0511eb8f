"""The addresses of scores, papers and results."""

from django.urls import URLPattern, URLResolver, include, path

from scoring.api import evening as api_evening
from scoring.api import reading as api_reading
from scoring.api import results as api_results
from scoring.api import rulings as api_rulings
from scoring.api import standings as api_standings
from scoring.api import terms as api_terms
from scoring.views import (
    changes,
    deals_public,
    evening,
    explanations,
    files,
    hands,
    papers,
    players,
    public,
    recaps,
    rulings,
    scores,
    terms,
)

# /events/<slug>/
event_urls: list[URLPattern] = [
    path("", public.event, name="event"),
    path("standings/", public.standings, name="standings"),
    path("entries/<int:number>/", public.card, name="scorecard"),
    path("entries/<int:number>/explained/", explanations.explained, name="explained"),
    path("recap/", recaps.recap, name="recap"),
    path("boards/", public.travellers, name="travellers"),
    path("boards/<int:number>/", public.board, name="traveller"),
    path("deals/", deals_public.deals, name="event_deals"),
    path("deals/proof.json", deals_public.proof_file, name="deals_proof"),
    path("deals/verify/", deals_public.verify, name="deals_verify"),
    path("hands/", hands.hands, name="hands"),
    path("hands/boards.<slug:kind>", hands.board_file, name="board_file"),
]

# /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("", evening.event_desk, name="event_desk"),
    path("edit/", evening.event_edit, name="event_edit"),
    path("session/open/", evening.session_act, {"act": "open"}, name="session_open"),
    path("session/close/", evening.session_act, {"act": "close"}, name="session_close"),
    path("session/reopen/", evening.session_act, {"act": "reopen"}, name="session_reopen"),
    path("session/setup/", evening.session_act, {"act": "setup"}, name="session_setup"),
    path("shown/", evening.standings_shown, name="standings_shown"),
    path("scores/", scores.scores, name="scores"),
    path("result/", scores.result, name="result"),
    path("scoring/", terms.terms, name="terms"),
    path("rulings/", rulings.rulings, name="rulings"),
    path("rulings/play/", rulings.play, name="ruling_panel"),
    path("rulings/make/", rulings.make, name="ruling_make"),
    path("rulings/penalty/", rulings.penalty, name="penalty_make"),
    path("rulings/withdraw/", rulings.withdraw, name="ruling_withdraw"),
    path(
        "entries/<int:number>/explained/",
        explanations.director_explained,
        name="director_explained",
    ),
    path("papers/", papers.papers, name="papers"),
    path("papers/status/", papers.papers_status, name="papers_status"),
    path("papers/order/", papers.paper_order, name="paper_order"),
    path("change/", changes.changes, name="changes"),
    path("change/<int:pk>/undo/", changes.change_undo, name="change_undo"),
    path("standings/", evening.director_standings, name="director_standings"),
    path("export/", files.event_export, name="event_export"),
]

# /players/
player_urls: list[URLPattern] = [path("<int:pk>/", players.player, name="player")]

# /director/papers/<pk>/
paper_urls: list[URLPattern] = [path("<int:pk>/", papers.paper, name="paper")]

# /director/events/import/
import_urls: list[URLPattern] = [path("", files.event_import, name="event_import")]

# /api/events/<slug>/sessions/<number>/
api_session_urls: list[URLPattern] = [
    path("open/", api_evening.session_act, {"act": "open"}, name="api-open"),
    path("close/", api_evening.session_act, {"act": "close"}, name="api-close"),
    path("reopen/", api_evening.session_reopen, name="api-reopen"),
    path("setup/", api_evening.session_act, {"act": "setup"}, name="api-setup"),
    path("boards/", api_evening.boards, name="api-boards"),
    path("sittings/", api_reading.sittings, name="api-sittings"),
    path("results/", api_reading.results, name="api-results"),
    path("rulings/", api_rulings.rulings, name="api-rulings"),
    path("rulings/<int:pk>/withdraw/", api_rulings.withdraw, name="api-ruling-withdraw"),
    path("travellers/", api_reading.travellers_of, name="api-travellers"),
    path("travellers/<int:board>/", api_reading.traveller_of, name="api-traveller"),
    path("cards/<int:entry>/", api_reading.card, name="api-card"),
]

# /api/
api_urls: list[URLPattern | URLResolver] = [
    path("events/<slug:slug>/", api_evening.event, name="api-event"),
    path("events/<slug:slug>/standings/", api_standings.standings, name="api-standings"),
    path("events/<slug:slug>/scoring/", api_terms.scoring_of, name="api-scoring"),
    path("events/<slug:slug>/sessions/<int:number>/", include(api_session_urls)),
    path("sittings/<int:pk>/results/<int:board>/", api_results.result, name="api-result"),
    path("sittings/<int:pk>/results/<int:board>/keep/", api_results.keep, name="api-keep"),
]
