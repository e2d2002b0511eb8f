"""The addresses of scores, papers and results."""

from django.urls import URLPattern, path

from scoring.views import evening, files, papers, public, scores

# /events/<slug>/
event_urls: list[URLPattern] = [
    path("", public.event, name="event"),
    path("standings/", public.standings, name="standings"),
    path("entries/<int:number>/", public.card, name="scorecard"),
    path("boards/", public.travellers, name="travellers"),
    path("boards/<int:number>/", public.board, name="traveller"),
]

# /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("", evening.event_desk, name="event_desk"),
    path("session/open/", evening.session_act, {"act": "open"}, name="session_open"),
    path("session/close/", evening.session_act, {"act": "close"}, name="session_close"),
    path("session/reopen/", evening.session_act, {"act": "reopen"}, name="session_reopen"),
    path("session/setup/", evening.session_act, {"act": "setup"}, name="session_setup"),
    path("shown/", evening.standings_shown, name="standings_shown"),
    path("scores/", scores.scores, name="scores"),
    path("result/", scores.result, name="result"),
    path("papers/", papers.papers, name="papers"),
    path("papers/status/", papers.papers_status, name="papers_status"),
    path("papers/order/", papers.paper_order, name="paper_order"),
    path("history/", evening.history, name="history"),
    path("export/", files.event_export, name="event_export"),
]

# /director/papers/<pk>/
paper_urls: list[URLPattern] = [path("<int:pk>/", papers.paper, name="paper")]

# /director/events/import/
import_urls: list[URLPattern] = [path("", files.event_import, name="event_import")]
