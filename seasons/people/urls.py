"""The URLs of the public list of people, of the director's list, and of people's own pages."""

from django.urls import URLPattern, path

from clubs.archives.spec import ArchiveSpec
from seasons.people.views import me, people, person_links, records
from seasons.people.views.people import player_forget

# /players/
player_urls: list[URLPattern] = [
    path("", records.list_people, name="people"),
    path("<int:pk>/", records.show_player, name="player"),
    path("<int:pk>/grade/", me.player_grade, name="player_grade"),
    path(
        "<int:pk>/grade/<slug:event>/",
        me.player_grade_evening,
        name="player_grade_evening",
    ),
]


# /director/players/
def director_urls(spec: ArchiveSpec) -> list[URLPattern]:
    """Return the URL patterns of the director's pages about people.

    `spec` declares which database rows refer to a club.
    """
    return [
        *_director_urls,
        path("<int:pk>/forget/", player_forget(spec), name="player_forget"),
    ]


_director_urls: list[URLPattern] = [
    path("", people.list_players, name="players"),
    path("add/", people.player_add, name="player_add"),
    path("doubles/", people.edit_similar_names, name="doubles"),
    path("list/", people.people_list, name="people_list"),
    path("<int:pk>/", people.player_edit, name="player_edit"),
    path("links/", person_links.person_links, name="person_links"),
    path("links/cards/", person_links.link_cards, name="link_cards"),
    path("<int:pk>/link/", person_links.person_link, name="person_link"),
    path("<int:pk>/remove/", people.player_remove, name="player_remove"),
    path("<int:pk>/merge/", people.player_merge, name="player_merge"),
]

# /me/
me_urls: list[URLPattern] = [
    path("", me.show_own_page, name="me"),
    path("change/", me.save_own_settings, name="me_change"),
    path("grade/", me.me_grade, name="me_grade"),
    path("grade/<slug:event>/", me.me_grade_evening, name="me_grade_evening"),
    path("hide-grade/", me.me_grade_hide, name="me_grade_hide"),
    path("held/", me.download_personal_data, name="me_held"),
    path("leave/", me.forget_this_browser, name="me_leave"),
    path("calendar/", me.me_calendar, name="me_calendar"),
    path("calendar.ics", me.me_calendar_file, name="me_calendar_file"),
    path("booking/<uuid:fixture>/", me.me_booking, name="me_booking"),
    path("<str:token>/", me.open_personal_link, name="me_open"),
    path("<str:token>/calendar.ics", me.me_calendar_ics, name="me_calendar_ics"),
]
