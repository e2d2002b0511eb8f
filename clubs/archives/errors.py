"""Errors of archives, with messages for users."""

from django.utils.translation import gettext as _

from boards.whist import WhistError


class BadArchive(WhistError):
    """A file that is not a complete archive of a club; nothing of it was imported."""

    code = "bad_archive"

    @classmethod
    def from_value(cls, label: str, column: str) -> "BadArchive":
        """Return the error of a value that is not valid in its column."""
        words = _("%(table)s.%(column)s in this archive cannot be read, so it was altered.")
        return cls(words % {"table": label, "column": column})

    @classmethod
    def from_long_text(cls, label: str, column: str, text: str, longest: int) -> "BadArchive":
        """Return the error of a text that is too long for its column in this version."""
        words = _(
            "%(table)s.%(column)s: “%(text)s…” in this archive is longer than %(longest)s "
            "letters. Shorten it where the club is, and make the archive again."
        )
        shown = "".join(each if each.isprintable() else "?" for each in text[:20])
        return cls(
            words % {"table": label, "column": column, "text": shown, "longest": longest}
        )


class ArchiveRefused(WhistError):
    """A club that cannot be exported or imported at present."""

    code = "not_carried"
