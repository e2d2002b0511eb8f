"""Static files with hashed names."""

from typing import Any

from django.contrib.staticfiles.apps import StaticFilesConfig
from whitenoise.storage import CompressedManifestStaticFilesStorage

# The only form of import in our scripts. Django's own search for imports also looks into
# comments, and fails on those of a library's scripts.
IMPORT = r"""(?m)^(?P<matched>import (?P<names>\{[^}]*\}) from "(?P<url>\.\.?/[^"]+)";)"""


class CollectedFiles(StaticFilesConfig):
    """Django's static files without those of libraries that no page loads.

    They are most of what is hashed and packed at a first start: 0.3 of 0.6 s.
    """

    ignore_patterns = [
        *StaticFilesConfig.ignore_patterns,
        "rest_framework",  # pages of an API that only returns JSON
        *("jquery.js", "select2.full.js", "xregexp.js", "htmx-2.js"),  # we load their `.min.js`
        *("htmx-4*", "htmax-*"),
    ]


class HashedFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # it has no types
    """Hashed names also for scripts that other scripts import.

    Browsers cache a hashed file permanently, so a changed script needs a new name, and its
    importers must request that name.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("*.js", ((IMPORT, 'import %(names)s from "%(url)s";'),)),
    )
    # Each round of renaming settles at least one step of a chain of imports; the search ends
    # as soon as nothing changes any more.
    max_post_process_passes = 20

    def create_compressor(self, **options: Any) -> Any:
        """Compress with gzip only: brotli would make a start five times as long.

        Measured: 11.5 seconds of processor time for all files at brotli's highest level, gzip
        2.0.
        """
        return super().create_compressor(**options, use_brotli=False)
