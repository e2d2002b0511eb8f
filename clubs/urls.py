"""The URLs of a club: its logins, its look and its archives."""

from django.urls import URLPattern, path

from clubs.archives.known import ArchiveSchema
from clubs.views import archives, looks, members

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


def archive_urls(known: ArchiveSchema, may: archives.May) -> list[URLPattern]:
    """Return the URLs below /director/club/ for archives.

    `known` is the archive schema of all apps, and `may` decides who may import a club.
    """
    handed = {"known": known, "may": may}
    return [
        path("archives/", archives.club_archives, handed, name="club_archives"),
        path(
            "archives/status/",
            archives.club_archives_status,
            handed,
            name="club_archives_status",
        ),
        path("archives/make/", archives.club_archive_make, handed, name="club_archive_make"),
        path(
            "archives/download/",
            archives.club_archive_download,
            handed,
            name="club_archive_download",
        ),
        path(
            "archives/import/", archives.club_archive_import, handed, name="club_archive_import"
        ),
        path("archives/moved/", archives.club_move, handed, name="club_move"),
    ]
