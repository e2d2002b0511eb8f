"""Static files with hashed names, for permanent caching."""

from typing import Any

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage

# The only form of import in our scripts. Django's own search for imports also looks into
# comments, and fails on those of a library's scripts.
IMPORT_PATTERN = (
    r"""(?m)^(?P<matched>import (?P<names>\{[^}]*\}) from "(?P<url>\.\.?/[^"]+)";)"""
)


class CollectedFilesConfig(StaticFilesConfig):
    """Django's static files app without the files of libraries that no page loads.

    These files took 0.3 of the 0.6 s of hashing and compressing at a first start.
    """

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "rest_framework",  # pages of an API that only returns JSON
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
    # Each round of renaming settles at least one step of a chain of imports; the search ends
    # as soon as nothing changes any more.
    max_post_process_passes = 20

    def create_compressor(self, **options: Any) -> Any:
        """Return a compressor for gzip only, since brotli takes five times as long.

        Measured: brotli at its highest level takes 11.5 seconds of processor time for all
        files, gzip 2.0.
        """
        return super().create_compressor(**options, use_brotli=False)
