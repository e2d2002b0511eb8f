"""The addresses of a login."""

from django.contrib.auth import views as auth
from django.urls import URLPattern, path

from server import schemes, views
from server.backups import views as backup_views
from server.jobs import views as job_views
from server.jobs.kinds import Kinds

# /
root_urls: list[URLPattern] = [
    path("robots.txt", views.robots, name="robots"),
    path("favicon.ico", views.favicon, name="favicon"),
    path("scheme/", schemes.choose, name="scheme"),
]


def account_urls(owns: views.Asked, has_all: views.Asked) -> list[URLPattern]:
    """Below /director/: `owns` and `has_all` tell of a request what its login may see."""
    return [
        path("account/", views.account, {"owns": owns, "has_all": has_all}, name="account"),
        path("account/token/", views.token, name="token"),
        path("password/", auth.PasswordChangeView.as_view(), name="password_change"),
        path(
            "password/done/", auth.PasswordChangeDoneView.as_view(), name="password_change_done"
        ),
    ]


def backup_urls(may: backup_views.May) -> list[URLPattern]:
    """Below /director/: `may` tells of a request whether it may have everything there is."""
    handed = {"may": may}
    return [
        path("backups/", backup_views.backups, handed, name="backups"),
        path("backups/status/", backup_views.status, handed, name="backups_status"),
        path("backups/make/", backup_views.make, handed, name="backup_make"),
        path("backups/download/", backup_views.download, handed, name="backup_download"),
    ]


def job_urls(kinds: Kinds, seen: job_views.Seen) -> list[URLPattern]:
    """Below /director/: `seen` tells of a request whose jobs it may see."""
    handed = {"kinds": kinds, "seen": seen}
    return [
        path("jobs/", job_views.jobs, handed, name="jobs"),
        path("jobs/retry/", job_views.retry, handed, name="job_retry"),
    ]
