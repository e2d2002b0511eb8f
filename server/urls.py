"""URLs of logins, backups and jobs."""

from collections.abc import Callable

from django.contrib.auth import views as auth
from django.urls import URLPattern, path
from django.views.generic import RedirectView

from server import schemes, views
from server.backups import views as backup_views
from server.jobs import views as job_views
from server.jobs.kinds import Kinds
from server.logins import factors
from server.logins import views as login_views
from server.logins.page import LoginPage, LogoutPage
from server.logins.start_link import sign_in_by_link

# /
root_urls: list[URLPattern] = [
    path("robots.txt", views.robots, name="robots"),
    path("favicon.ico", views.favicon, name="favicon"),
    path("scheme/", schemes.store_setting, name="scheme"),
]


# /: signing in; django-allauth requires its own names for some of these pages
door_urls: list[URLPattern] = [
    path("login/", LoginPage.as_view(), name="login"),
    path("login/", LoginPage.as_view(), name="account_login"),
    path("login/factor/", factors.FactorAtDoor.as_view(), name="mfa_authenticate"),
    path("login/passkey/", factors.PasskeyAtDoor.as_view(), name="mfa_login_webauthn"),
    path("login/forgotten/", login_views.forgotten, name="forgotten"),
    path("reset/<uidb64>/<token>/", login_views.ResetPage.as_view(), name="reset"),
    path("start/<str:token>/", sign_in_by_link, name="start"),
    path("logout/", LogoutPage.as_view(), name="logout"),
]


def account_urls(
    owns: views.Asked,
    has_all: views.Asked,
    clubs: login_views.Clubs,
    seen: login_views.Seen,
) -> list[URLPattern]:
    """Return the URLs below /director/.

    `owns` and `has_all` check what a request's login may see, `clubs` returns the clubs that
    its tokens may reach, `seen` whose login log it may read.
    """
    return [
        path("account/", views.account, {"owns": owns, "has_all": has_all}, name="account"),
        path("account/tokens/", login_views.own_tokens, {"clubs": clubs}, name="tokens"),
        path("account/tokens/end/", login_views.token_end, name="token_end"),
        path("account/devices/", login_views.devices, name="devices"),
        path("account/devices/end/", login_views.devices_end, name="devices_end"),
        path("account/log/", login_views.login_log, {"seen": seen}, name="login_log"),
        path(
            "account/log.csv", login_views.login_log_file, {"seen": seen}, name="login_log_file"
        ),
        path("account/mail/", login_views.own_mail, name="mail"),
        path("account/again/", factors.shown_again, name="again"),
        path("account/again/", factors.shown_again, name="account_reauthenticate"),
        path(
            "account/again/passkey/",
            factors.PasskeyAgain.as_view(),
            name="mfa_reauthenticate_webauthn",
        ),
        path("password/", login_views.PasswordPage.as_view(), name="password_change"),
        path(
            "password/done/", auth.PasswordChangeDoneView.as_view(), name="password_change_done"
        ),
    ]


def factor_urls(draw: Callable[[str], object]) -> list[URLPattern]:
    """Return the URLs below /director/account/factors/: `draw` renders a QR code."""
    back = RedirectView.as_view(pattern_name="mfa_index")
    app, codes = factors.AddApp.as_view(draw=staticmethod(draw)), factors.Codes.as_view()
    return [
        path("", factors.OwnFactors.as_view(), name="mfa_index"),
        path("app/", app, name="mfa_activate_totp"),
        path("app/remove/", factors.RemoveApp.as_view(), name="mfa_deactivate_totp"),
        path("codes/", codes, name="mfa_view_recovery_codes"),
        path("codes/new/", factors.NewCodes.as_view(), name="mfa_generate_recovery_codes"),
        path("codes.txt", factors.CodesFile.as_view(), name="mfa_download_recovery_codes"),
        path("passkeys/", back, name="mfa_list_webauthn"),
        path("passkeys/add/", factors.AddPasskey.as_view(), name="mfa_add_webauthn"),
        path(
            "passkeys/<int:pk>/remove/",
            factors.RemovePasskey.as_view(),
            name="mfa_remove_webauthn",
        ),
    ]


def backup_urls(may: backup_views.May) -> list[URLPattern]:
    """Return the URLs below /director/: `may` checks whether a request may have all data."""
    handed = {"may": may}
    return [
        path("backups/", backup_views.backups, handed, name="backups"),
        path("backups/status/", backup_views.status, handed, name="backups_status"),
        path("backups/make/", backup_views.make, handed, name="backup_make"),
        path("backups/download/", backup_views.download, handed, name="backup_download"),
    ]


def job_urls(kinds: Kinds, seen: job_views.Seen, used: job_views.Used) -> list[URLPattern]:
    """Return the URLs below /director/.

    `seen` returns whose jobs a request may see, `used` its quotas.
    """
    handed = {"kinds": kinds, "seen": seen}
    return [
        path("jobs/", job_views.jobs, {**handed, "used": used}, name="jobs"),
        path("jobs/retry/", job_views.retry, handed, name="job_retry"),
    ]
