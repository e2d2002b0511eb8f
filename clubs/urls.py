"""The URLs of the pages for club owners: members, look and archives."""

from django.urls import URLPattern, path

from clubs.archives.spec import ArchiveSpec
from clubs.views import app_manifest, archives, looks, members

# the URLs at the root of the site
public_urls: list[URLPattern] = [
    path("logos/<slug:mark>.png", looks.show_logo, name="club_logo"),
    path("app.webmanifest", app_manifest.show_app_manifest, name="app_manifest"),
    path(
        "clubs/<slug:club>/app.webmanifest",
        app_manifest.show_app_manifest,
        name="club_app_manifest",
    ),
]

# the URLs below /director/club/
member_urls: list[URLPattern] = [
    path("", members.show_members, name="members"),
    path("add/", members.create_member, name="member_add"),
    path("role/", members.update_member_role, name="member_role"),
    path("factor/", members.update_second_factor_requirement, name="member_factor"),
    path("remove/", members.delete_member, name="member_remove"),
    path("password/", members.renew_member_password, name="member_password"),
    path("look/", looks.show_club_appearance, name="club_look"),
    path("look/change/", looks.update_club_appearance, name="club_look_change"),
    path("language/", looks.choose_club_language, name="club_language"),
    path("congress/", looks.update_congress_features, name="club_congress"),
]


def build_archive_urls(
    spec: ArchiveSpec, may_import: archives.ImportPermissionCheck
) -> list[URLPattern]:
    """Return the URL patterns of the archive pages below /director/club/.

    `spec` is the archive specification of all apps. `may_import` is a function that decides
    whether a request may import a club.
    """
    view_arguments = {"spec": spec, "may_import": may_import}
    return [
        path("archives/", archives.show_archives, view_arguments, name="club_archives"),
        path(
            "archives/status/",
            archives.show_archives_status,
            view_arguments,
            name="club_archives_status",
        ),
        path(
            "archives/make/", archives.request_archive, view_arguments, name="club_archive_make"
        ),
        path(
            "archives/download/",
            archives.download_archive,
            view_arguments,
            name="club_archive_download",
        ),
        path(
            "archives/import/",
            archives.import_archive,
            view_arguments,
            name="club_archive_import",
        ),
        path("archives/moved/", archives.mark_club_moved, view_arguments, name="club_move"),
    ]
