"""URLs of logins, backups and jobs."""

from collections.abc import Callable

from django.contrib.auth import views as auth
from django.urls import URLPattern, path
from django.views.generic import RedirectView

from server import display_settings, views
from server.backups import views as backup_views
from server.jobs import views as job_views
from server.jobs.kinds import JobKindsByCode
from server.logins import factors
from server.logins import views as login_views
from server.logins.login_page import LoginPage, LogoutPage
from server.logins.start_link import sign_in_with_link
from server.stop_page import show_shutdown_page

# URLs of the site's root
root_urls: list[URLPattern] = [
    path("robots.txt", views.serve_robots_file, name="robots"),
    path("service-worker.js", views.serve_service_worker, name="service_worker"),
    path("favicon.ico", views.redirect_favicon, name="favicon"),
    path("scheme/", display_settings.store_display_setting, name="scheme"),
]


# URLs of the sign-in pages; django-allauth requires its own names for some of them
sign_in_urls: list[URLPattern] = [
    path("login/", LoginPage.as_view(), name="login"),
    path("login/", LoginPage.as_view(), name="account_login"),
    path("login/factor/", factors.SecondFactorPage.as_view(), name="mfa_authenticate"),
    path("login/passkey/", factors.PasskeySignInPage.as_view(), name="mfa_login_webauthn"),
    path("login/forgotten/", login_views.request_password_reset, name="forgotten"),
    path("reset/<uidb64>/<token>/", login_views.PasswordResetPage.as_view(), name="reset"),
    path("start/<str:token>/", sign_in_with_link, name="start"),
    path("logout/", LogoutPage.as_view(), name="logout"),
]


def build_account_urls(
    is_owner: views.RequestCheck,
    can_access_all_data: views.RequestCheck,
    has_congress_features: views.RequestCheck,
    find_reachable_clubs: login_views.ReachableClubsFinder,
    find_visible_logins: login_views.VisibleLoginsFinder,
) -> list[URLPattern]:
    """Return the account URLs below /director/.

    The arguments are functions of a request. `is_owner` returns whether its user manages
    logins, `can_access_all_data` whether the user may access all data, and
    `has_congress_features` whether a club of the user has congress features.
    `find_reachable_clubs` returns the clubs that the user's tokens may access, and
    `find_visible_logins` the logins whose log the user may read.
    """
    permission_checks = {
        "is_owner": is_owner,
        "can_access_all_data": can_access_all_data,
        "has_congress_features": has_congress_features,
    }
    return [
        path("account/", views.show_account, permission_checks, name="account"),
        path(
            "stop/",
            show_shutdown_page,
            {"can_access_all_data": can_access_all_data},
            name="stop",
        ),
        path(
            "account/tokens/",
            login_views.show_tokens,
            {"find_reachable_clubs": find_reachable_clubs},
            name="tokens",
        ),
        path("account/tokens/end/", login_views.revoke_token, name="token_end"),
        path("account/devices/", login_views.show_devices, name="devices"),
        path("account/devices/end/", login_views.end_sessions, name="devices_end"),
        path(
            "account/log/",
            login_views.show_login_log,
            {"find_visible_logins": find_visible_logins},
            name="login_log",
        ),
        path(
            "account/log.csv",
            login_views.download_login_log,
            {"find_visible_logins": find_visible_logins},
            name="login_log_file",
        ),
        path("account/mail/", login_views.edit_mail_address, name="mail"),
        path("account/again/", factors.redirect_after_reauthentication, name="again"),
        path(
            "account/again/",
            factors.redirect_after_reauthentication,
            name="account_reauthenticate",
        ),
        path(
            "account/again/passkey/",
            factors.PasskeyReauthenticationPage.as_view(),
            name="mfa_reauthenticate_webauthn",
        ),
        path("password/", login_views.PasswordPage.as_view(), name="password_change"),
        path(
            "password/done/", auth.PasswordChangeDoneView.as_view(), name="password_change_done"
        ),
    ]


def build_factor_urls(build_qr_rows: Callable[[str], object]) -> list[URLPattern]:
    """Return the URLs below /director/account/factors/.

    `build_qr_rows` returns the QR code of a text as rows of squares.
    """
    index_redirect = RedirectView.as_view(pattern_name="mfa_index")
    add_app_view, recovery_codes_view = (
        factors.AddAuthenticatorPage.as_view(build_qr_rows=staticmethod(build_qr_rows)),
        factors.RecoveryCodesPage.as_view(),
    )
    return [
        path("", factors.OwnFactorsPage.as_view(), name="mfa_index"),
        path("app/", add_app_view, name="mfa_activate_totp"),
        path(
            "app/remove/", factors.RemoveAuthenticatorPage.as_view(), name="mfa_deactivate_totp"
        ),
        path("codes/", recovery_codes_view, name="mfa_view_recovery_codes"),
        path(
            "codes/new/",
            factors.NewRecoveryCodesPage.as_view(),
            name="mfa_generate_recovery_codes",
        ),
        path(
            "codes.txt", factors.RecoveryCodesFile.as_view(), name="mfa_download_recovery_codes"
        ),
        path("passkeys/", index_redirect, name="mfa_list_webauthn"),
        path("passkeys/add/", factors.AddPasskeyPage.as_view(), name="mfa_add_webauthn"),
        path(
            "passkeys/<int:pk>/remove/",
            factors.RemovePasskeyPage.as_view(),
            name="mfa_remove_webauthn",
        ),
    ]


def build_backup_urls(has_permission: backup_views.BackupPermission) -> list[URLPattern]:
    """Return the backup URLs below /director/.

    `has_permission` returns whether a request may access all data.
    """
    view_arguments = {"has_permission": has_permission}
    return [
        path("backups/", backup_views.show_backups, view_arguments, name="backups"),
        path(
            "backups/status/",
            backup_views.show_backup_list,
            view_arguments,
            name="backups_status",
        ),
        path("backups/make/", backup_views.request_backup, view_arguments, name="backup_make"),
        path(
            "backups/download/",
            backup_views.download_backup,
            view_arguments,
            name="backup_download",
        ),
    ]


def build_job_urls(
    job_kinds: JobKindsByCode,
    find_visible_clubs: job_views.VisibleClubsFinder,
    load_quota_use: job_views.QuotaUseLoader,
) -> list[URLPattern]:
    """Return the job URLs below /director/.

    `find_visible_clubs` returns the clubs whose jobs a request may see, and `load_quota_use`
    the use of their quotas.
    """
    view_arguments = {"kinds": job_kinds, "find_visible_clubs": find_visible_clubs}
    return [
        path(
            "jobs/",
            job_views.show_jobs,
            {**view_arguments, "load_quota_use": load_quota_use},
            name="jobs",
        ),
        path("jobs/retry/", job_views.retry_failed_job, view_arguments, name="job_retry"),
    ]
