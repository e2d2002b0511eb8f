"""The addresses of hands that are gone through again, and of plays that are written down."""

from django.urls import URLPattern, path

from scoring.views import deal_entry, hand_typing, machine, play_entry, plays, trays

# /
public_urls: list[URLPattern] = [
    path("worked-hands/", plays.worked_page, name="worked_hands"),
    path("worked-hands/<slug:name>/", plays.worked, name="worked_hand"),
    path("plays/<int:pk>/", plays.replay, name="play"),
]

# /type/<token>/
typing_urls: list[URLPattern] = [
    path("", hand_typing.typing, name="typing"),
    path("state/", hand_typing.typing_state, name="typing_state"),
    path("<int:board>/<str:seat>/", hand_typing.typing_hand, name="typing_hand"),
]

# /director/plays/
play_urls: list[URLPattern] = [path("new/", play_entry.play_alone, name="play_alone")]

# /director/events/<slug>/deals/
deals_urls: list[URLPattern] = [
    path("seal/", machine.seal, name="deals_seal"),
    path("tables/", machine.tables, name="deals_tables"),
    path("file/", machine.machine_file, name="machine_file"),
    path("tray/", trays.tray, name="tray"),
    path("helpers/", hand_typing.helpers, name="helpers"),
    path("helpers/state/", hand_typing.helpers_state, name="helpers_state"),
    path("helpers/make/", hand_typing.helpers_make, name="helpers_make"),
    path("helpers/revoke/", hand_typing.helpers_revoke, name="helpers_revoke"),
]

# /director/events/<slug>/boards/<number>/
director_urls: list[URLPattern] = [
    path("deal/", deal_entry.deal_entry, name="deal_entry"),
    path("play/", play_entry.play_of_board, name="play_of_board"),
    path("play/check/", play_entry.play_check, name="play_check"),
]
