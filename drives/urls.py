"""The addresses of drives."""

from django.urls import URLPattern, path

from drives.views import beginning, closing, desk, entry, history, papers, people, public

# /drives/
public_urls: list[URLPattern] = [
    path("", public.drives, name="drives"),
    path("card/<str:token>/", public.drive_card, name="drive_card"),
    path("<slug:slug>/", public.drive, name="drive"),
    path("<slug:slug>/screen/", public.drive_screen, name="drive_screen"),
    path("<slug:slug>/screen/now/", public.drive_screen_now, name="drive_screen_now"),
]

# /director/drives/
director_urls: list[URLPattern] = [
    path("new/", beginning.drive_new, name="drive_new"),
    path("new/costs/", beginning.drive_costs, name="drive_costs"),
    path("<slug:slug>/", desk.drive_desk, name="drive_desk"),
    path("<slug:slug>/now/", desk.drive_now, name="drive_now"),
    path("<slug:slug>/next/", desk.drive_next, name="drive_next"),
    path("<slug:slug>/terms/", desk.drive_terms, name="drive_terms"),
    path("<slug:slug>/rounds/", desk.drive_rounds, name="drive_rounds"),
    path("<slug:slug>/sheets/", entry.drive_sheets, name="drive_sheets"),
    path("<slug:slug>/totals/", entry.drive_totals, name="drive_totals"),
    path("<slug:slug>/totals/again/", entry.drive_again, name="drive_again"),
    path("<slug:slug>/players/", people.drive_players, name="drive_players"),
    *(
        path(
            f"<slug:slug>/players/{act}/",
            people.drive_player_act,
            {"act": act},
            name=f"drive_player_{act}",
        )
        for act in people.ACTS
    ),
    path("<slug:slug>/papers/", papers.drive_papers, name="drive_papers"),
    path("<slug:slug>/papers/codes/", papers.drive_codes, name="drive_codes"),
    path("<slug:slug>/papers/print/", papers.drive_print, name="drive_print"),
    path("<slug:slug>/closing/", closing.drive_closing, name="drive_closing"),
    path("<slug:slug>/prizes/", closing.drive_prizes, name="drive_prizes"),
    path("<slug:slug>/prizes/show/", closing.drive_presenter, name="drive_presenter"),
    *(
        path(
            f"<slug:slug>/closing/{act}/", closing.drive_end, {"act": act}, name=f"drive_{act}"
        )
        for act in ("close", "reopen", "cut")
    ),
    path("<slug:slug>/history/", history.drive_history, name="drive_history"),
    path("<slug:slug>/history/undo/", history.drive_undo, name="drive_undo"),
]
