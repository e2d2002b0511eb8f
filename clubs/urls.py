"""The addresses of a club: who may do what, and how it looks."""

from django.urls import URLPattern, path

from clubs.views import looks, members

# /
public_urls: list[URLPattern] = [
    path("logos/<slug:mark>.png", looks.logo, name="club_logo"),
]

# /director/club/
member_urls: list[URLPattern] = [
    path("", members.members, name="members"),
    path("add/", members.member_add, name="member_add"),
    path("role/", members.member_role, name="member_role"),
    path("factor/", members.member_factor, name="member_factor"),
    path("remove/", members.member_remove, name="member_remove"),
    path("password/", members.member_password, name="member_password"),
    path("look/", looks.club_look, name="club_look"),
    path("look/change/", looks.club_look_change, name="club_look_change"),
]
