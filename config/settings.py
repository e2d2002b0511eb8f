"""Django settings of Overplay, the same file for all machines.

Machines differ only in environment variables, which docs/settings.md lists. If none is set, the
settings are those of a laptop that serves plain http. A SITE_URL with https means a server
behind a proxy that terminates TLS, and enables all security settings.
"""

import os
from pathlib import Path
from typing import Any

import django_stubs_ext
from csp.constants import NONE, SELF
from kombu import Exchange, Queue

from config import environment
from server.hosts import AllowedHosts
from server.logs import drop_client_traceback
from server.version import VERSION

django_stubs_ext.monkeypatch()  # allows `ModelAdmin[Board]` at run time

BASE_DIR = Path(__file__).resolve().parent.parent
os.umask(0o077)  # new files are only readable by this account
DATA_DIR = environment.create_data_folder(os.environ, BASE_DIR / "var")
SITE_SCHEME, SITE_HOST = environment.read_site_url(os.environ)
IS_SERVER_DEPLOYMENT = SITE_SCHEME == "https"

# Secrets and hosts

DEBUG = False
SECRET_KEY = environment.load_secret_key(os.environ, DATA_DIR)
SECRET_KEY_FALLBACKS = environment.load_previous_secret_keys(os.environ, DATA_DIR)
ALLOWED_HOSTS = AllowedHosts(
    [
        *([SITE_HOST] if SITE_HOST else ["localhost", "127.0.0.1", "[::1]"]),
        *environment.read_list(os.environ, "ALLOWED_HOSTS"),
    ]
)
# Base URLs at which phones can open the site, the best one first. `manage.py serve` adds the
# laptop's addresses in the local network.
PHONE_ADDRESSES = AllowedHosts([os.environ["SITE_URL"].strip()] if SITE_HOST else [])
CSRF_TRUSTED_ORIGINS = [f"https://{SITE_HOST}"] if IS_SERVER_DEPLOYMENT else []

# Dotted path of the object through which drives reach the rubbers that their tables record
# (the interface is in `drives.table_marks`, because drives must not import rubbers)
DRIVE_TABLE_MARKS_PATH = "rubbers.drive_tables.RUBBER_TABLE_HOOKS"

# Apps: our own come first, so that their templates override those of libraries

INSTALLED_APPS = [
    "config",
    "server",
    "boards",
    "printing",
    "laws",
    "clubs",
    "tournaments",
    "drives",
    "rubbers",
    "scoring",
    "exchange",
    "hall",
    "seasons",
    "server.admin_site.ProtectedAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "server.static_files.CollectedFilesConfig",
    "rest_framework",
    "drf_spectacular",
    "django_htmx",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "csp",
]
# No middleware may access the session of a public page: such pages set no cookie and are the
# same for everyone.
MIDDLEWARE = [
    "server.page_cache.PageCacheMiddleware",
    "server.request_log.log_requests",
    "server.browser_policies.add_security_headers",
    "csp.middleware.CSPMiddleware",
    "server.refused_requests.reject_invalid_requests",
    "server.health.serve_health",
    "server.metrics.count_requests",
    "server.denied_requests.log_denied_requests",
    "server.time_zones.reset_time_zone",
    "server.languages.LanguageMiddleware",
    "server.strip_nul.strip_nul",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "server.login_wall.forbid_caching",
    "allauth.account.middleware.AccountMiddleware",
    "server.login_wall.RequireLoginMiddleware",
    "clubs.languages.DirectorLanguageMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]
ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "config.templates.UnindentingLoader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "builtins": ["server.templatetags.dates"],
            "libraries": {
                "handicaps": "seasons.ladders.page_tags",
                "published": "seasons.publishing.site.rows",
            },
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    }
]

# Storage

DATABASES = environment.build_databases(os.environ, DATA_DIR)
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
REDIS_URL = environment.read_queue_url(os.environ, "REDIS_URL")
CACHES = {
    "default": {
        "BACKEND": "django.core.cache.backends.redis.RedisCache",
        "LOCATION": REDIS_URL,
        "KEY_PREFIX": "overplay",
    }
    if REDIS_URL
    else {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"}
}
MAX_DATABASE_FILE_BYTES = environment.read_number(os.environ, "PAPERS_MB", 5) * 1024**2
CACHE_BYTES = environment.read_number(os.environ, "CACHE_MB", 64) * 1024**2  # per process
# Quotas of one club on a server: seconds of analysis and papers are per day, stored megabytes
# are a total. 0 means unlimited.
QUOTA_ANALYSIS_SECONDS = environment.read_number(
    os.environ, "QUOTA_ANALYSIS_SECONDS", 3600 if IS_SERVER_DEPLOYMENT else 0
)
QUOTA_PAPERS = environment.read_number(
    os.environ, "QUOTA_PAPERS", 2000 if IS_SERVER_DEPLOYMENT else 0
)
QUOTA_MEDIA_MB = environment.read_number(
    os.environ, "QUOTA_MEDIA_MB", 500 if IS_SERVER_DEPLOYMENT else 0
)
MEDIA_ROOT = DATA_DIR / "media"
BACKUP_DIR = environment.read_folder(os.environ, "BACKUP_DIR", DATA_DIR / "backups")
BACKUP_MAX_BYTES = environment.read_number(os.environ, "BACKUP_MAX_GB", 2) * 1024**3
BACKUP_COMMAND = os.environ.get("BACKUP_COMMAND", "").strip()
HAS_AUTOMATIC_BACKUPS = os.environ.get("BACKUP_BY_ITSELF", "").strip().lower() not in (
    "0",
    "no",
)
FILE_UPLOAD_PERMISSIONS = 0o600
DATA_UPLOAD_MAX_MEMORY_SIZE = 10 * 1024 * 1024
DATA_UPLOAD_MAX_NUMBER_FIELDS = 10_000

# Static files are collected into the data folder, and served with hashed names. The desktop
# program already contains the collected files, so it starts faster.

STATIC_URL = "/static/"
SHIPPED_STATIC_FOLDER = BASE_DIR / "collected"
STATIC_ROOT = SHIPPED_STATIC_FOLDER if SHIPPED_STATIC_FOLDER.is_dir() else DATA_DIR / "static"
STATICFILES_DIRS = [
    (folder_name, BASE_DIR / "static" / folder_name) for folder_name in ("fonts", "img", "js")
]
STATICFILES_FINDERS = [
    "config.style_sheet.JoinedStyleSheetFinder",
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
]
WHITENOISE_ALLOW_ALL_ORIGINS = False
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "server.static_files.HashedFilesStorage"},
}

# Logins

AUTHENTICATION_BACKENDS = ["django.contrib.auth.backends.ModelBackend"]
PASSWORD_HASHERS = [
    "server.logins.hashers.LimitedArgon2Hasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",  # for hashes from before version 1.2
]
AUTH_PASSWORD_VALIDATORS: list[dict[str, Any]] = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "server.logins.passwords.GuessablePasswordValidator"},
]
AUTH_USER_MODEL = "server.User"
LOGIN_URL = "/login/"
LOGIN_REDIRECT_URL = "/director/"
LOGOUT_REDIRECT_URL = "/"
PASSWORD_RESET_TIMEOUT = 30 * 60
# Second factors. allauth's rate limits are off, because `server.logins.throttle` limits wrong
# codes and passwords, with counts in the database.
ACCOUNT_ADAPTER = "config.account_adapter.ClubAccountAdapter"
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_LOGIN_METHODS = {"username"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "password1*"]
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False
MFA_ADAPTER = "server.logins.adapters.FactorAdapter"
MFA_ALLOW_UNVERIFIED_EMAIL = True  # logins without e-mail can have a second factor
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_WEBAUTHN_ALLOW_INSECURE_ORIGIN = (
    not IS_SERVER_DEPLOYMENT
)  # a laptop serves http://localhost
MFA_TOTP_ISSUER = "Overplay"
MFA_TOTP_TOLERANCE = 1  # accepts a phone whose clock is half a minute off
MFA_FORMS = {
    "authenticate": "server.logins.forms.CodeForm",
    "activate_totp": "server.logins.forms.ActivateAuthenticatorForm",
}

# E-mail about logins, if there is a mail server
MAIL_SETTINGS = environment.read_mail_settings(os.environ)
HAS_MAIL = bool(MAIL_SETTINGS)
globals().update(MAIL_SETTINGS)
SITE_URL = os.environ.get("SITE_URL", "").strip().rstrip("/")

# Browser security

CONTENT_SECURITY_POLICY: dict[str, Any] = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_AGE = 60 * 60 * 24 * 30
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_SERVER_DEPLOYMENT
if (
    IS_SERVER_DEPLOYMENT
):  # browsers accept cookies with this prefix only from this host, over https
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = "__Host-sessionid", "__Host-csrftoken"
CSRF_COOKIE_HTTPONLY = True
MESSAGE_STORAGE = "server.cookie_names.MessageStorage"
if IS_SERVER_DEPLOYMENT:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 60 * 60 * 24 * 365
    SECURE_HSTS_INCLUDE_SUBDOMAINS = True
    SECURE_HSTS_PRELOAD = True

# Language and time: stored in UTC, shown in the club's time zone

USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGES = environment.list_languages(LOCALE_PATHS[0])
LANGUAGE_CODE = environment.read_language(os.environ, LANGUAGES)
LANGUAGE_COOKIE_NAME = "__Host-language" if IS_SERVER_DEPLOYMENT else "language"
FORMAT_MODULE_PATH = "config.formats"

# Background jobs. The laptop's queue is in the memory of the process that `serve` starts.

CELERY_BROKER_URL = (
    environment.read_queue_url(os.environ, "CELERY_BROKER_URL")
    or REDIS_URL
    or "memory://localhost/"
)
CELERY_BROKER_TRANSPORT_OPTIONS = (
    {"polling_interval": 0.01}
    if CELERY_BROKER_URL.startswith("memory:")
    else {"visibility_timeout": 600, "socket_connect_timeout": 2}
    if CELERY_BROKER_URL.startswith("redis")
    else {}
)
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None  # a worker waits for its broker without a limit
CELERY_TASK_DEFAULT_QUEUE = "now"
CELERY_TASK_QUEUES = [
    Queue(name, Exchange(name), routing_key=name) for name in ("now", "later")
]
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_ACCEPT_CONTENT = ["json"]

# The REST API

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "clubs.api.tokens.ClubTokenAuth",
        "server.api.tokens.SessionAuth",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_PARSER_CLASSES": ["server.api.bodies.StorableJSONParser"],
    "DEFAULT_PAGINATION_CLASS": "rest_framework.pagination.PageNumberPagination",
    "PAGE_SIZE": 100,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "config.errors.build_api_error",
    "TEST_REQUEST_DEFAULT_FORMAT": "json",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Overplay",
    "DESCRIPTION": "Duplicate whist: events, entries, boards, results and standings.",
    "VERSION": VERSION,
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PUBLIC": True,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "COMPONENT_SPLIT_REQUEST": True,
}

# The log. The formatters replace hands of cards, and secrets in URLs, by placeholders.

LOG_FORMAT = environment.read_log_format(os.environ)
LOG_FORMATTERS = {
    "plain": "server.logs.RedactingFormatter",
    "json": "server.request_log.JsonFormatter",
}
NEW_VERSION_URL = environment.read_version_url(os.environ)
METRICS_TOKEN = environment.read_metrics_token(os.environ)
RESULT_ENTRY_VIEW_NAMES = {
    "result",
    "api-result",
    "table",
}  # views that enter results, for the metrics
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "discreet": {
            "()": LOG_FORMATTERS[LOG_FORMAT],
            "secret_folders": ["t", "e", "d", "me", "b", "type", "invite", "reset", "mail/off"],
        }
    },
    "filters": {"client": {"()": lambda: drop_client_traceback}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "discreet",
            "filters": ["client"],
        },
        "logins": {"class": "logging.StreamHandler"},
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        "django.request": {"level": "ERROR"},  # no warning for each response 404
        "overplay.logins": {
            "handlers": ["logins"],
            "level": "INFO" if IS_SERVER_DEPLOYMENT else "CRITICAL",
            "propagate": False,
        },
        "overplay.rights": {
            "handlers": ["logins"],
            "level": "INFO" if IS_SERVER_DEPLOYMENT else "CRITICAL",
            "propagate": False,
        },
        "overplay.requests": {"level": "INFO" if LOG_FORMAT == "json" else "ERROR"},
        "waitress.queue": {"level": "ERROR"},  # no warning when many phones connect at once
    },
}
