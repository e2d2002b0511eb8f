"""Static files with hashed names, for permanent caching."""

from typing import Any

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage

# the only form of import in our scripts; Django's pattern also matches imports in comments, and
# fails for the comments of a library
IMPORT_PATTERN = (
    r"""(?m)^(?P<matched>import (?P<names>\{[^}]*\}) from "(?P<url>\.\.?/[^"]+)";)"""
)


class CollectedFilesConfig(StaticFilesConfig):
    """Django's static files app without library files that no page loads.

    Hashing and compressing these files took 0.3 of 0.6 s at a first start.
    """

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "rest_framework",  # REST framework's HTML pages, but our API only returns JSON
        *("jquery.js", "select2.full.js", "xregexp.js", "htmx-2.js"),  # we load their `.min.js`
        *("htmx-4*", "htmax-*"),
    ]


class HashedFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it has no types
    """Static files storage that also hashes the names in imports between scripts.

    Browsers cache a hashed file permanently. A changed script gets a new name, and the scripts
    that import it must use the new name.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("*.js", ((IMPORT_PATTERN, 'import %(names)s from "%(url)s";'),)),
    )
    # each pass completes at least one script in a chain of imports, so this is the maximum
    # length of a chain; Django stops when a pass changes nothing
    max_post_process_passes = 20

    def create_compressor(self, **options: Any) -> Any:
        """Return a compressor for gzip only, since brotli is too slow.

        Measured: brotli at its highest level takes 11.5 s of processor time for all files, gzip
        2.0 s.
        """
        return super().create_compressor(**options, use_brotli=False)
