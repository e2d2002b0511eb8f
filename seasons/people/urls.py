"""The URLs of the public list of people, of the director's list, and of people's own pages."""

from django.urls import URLPattern, path

from clubs.archives.spec import ArchiveSpec
from seasons.people.views import me, people, person_links, records
from seasons.people.views.people import build_erasure_view

# URLs below /players/
player_urls: list[URLPattern] = [
    path("", records.list_people, name="people"),
    path("<int:pk>/", records.show_player, name="player"),
    path("<int:pk>/grade/", me.show_player_grade, name="player_grade"),
    path(
        "<int:pk>/grade/<slug:event>/",
        me.show_player_grade_change,
        name="player_grade_evening",
    ),
]


# URLs below /director/players/
def build_director_urls(archive_spec: ArchiveSpec) -> list[URLPattern]:
    """Return the URL patterns of the director's pages about people.

    `archive_spec` declares which database rows refer to a club.
    """
    return [
        *_director_urls,
        path("<int:pk>/forget/", build_erasure_view(archive_spec), name="player_forget"),
    ]


_director_urls: list[URLPattern] = [
    path("", people.list_players, name="players"),
    path("add/", people.add_player, name="player_add"),
    path("doubles/", people.review_similar_names, name="doubles"),
    path("list/", people.import_people_list, name="people_list"),
    path("<int:pk>/", people.edit_player, name="player_edit"),
    path("links/", person_links.edit_person_links, name="person_links"),
    path("links/cards/", person_links.download_link_cards, name="link_cards"),
    path("<int:pk>/link/", person_links.edit_person_link, name="person_link"),
    path("<int:pk>/remove/", people.remove_player, name="player_remove"),
    path("<int:pk>/merge/", people.merge_player, name="player_merge"),
]

# URLs below /me/
me_urls: list[URLPattern] = [
    path("", me.show_own_page, name="me"),
    path("change/", me.save_own_settings, name="me_change"),
    path("grade/", me.show_own_grade, name="me_grade"),
    path("grade/<slug:event>/", me.show_own_grade_change, name="me_grade_evening"),
    path("hide-grade/", me.change_grade_visibility, name="me_grade_hide"),
    path("held/", me.download_personal_data, name="me_held"),
    path("leave/", me.forget_this_browser, name="me_leave"),
    path("calendar/", me.show_own_calendar, name="me_calendar"),
    path("calendar.ics", me.download_own_calendar, name="me_calendar_file"),
    path("booking/<uuid:fixture>/", me.show_linked_booking, name="me_booking"),
    path("<str:token>/", me.open_personal_link, name="me_open"),
    path("<str:token>/calendar.ics", me.download_subscribed_calendar, name="me_calendar_ics"),
]
