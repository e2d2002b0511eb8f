"""What can be wrong with an archive, in words fit to show a person."""

from django.utils.translation import gettext as _

from boards.whist import WhistError


class BadArchive(WhistError):
    """A file that is no archive of a club, or not a whole one; nothing of it was brought in."""

    code = "bad_archive"

    @classmethod
    def row(cls, label: str, column: str) -> "BadArchive":
        """A value that cannot stand where it stands."""
        words = _("%(table)s.%(column)s in this archive cannot be read, so it was altered.")
        return cls(words % {"table": label, "column": column})

    @classmethod
    def long(cls, label: str, column: str, text: str, longest: int) -> "BadArchive":
        """A text that an older version took and no column here holds."""
        words = _(
            "%(table)s.%(column)s: “%(text)s…” in this archive is longer than %(longest)s "
            "letters. Shorten it where the club is, and make the archive again."
        )
        shown = "".join(each if each.isprintable() else "?" for each in text[:20])
        return cls(
            words % {"table": label, "column": column, "text": shown, "longest": longest}
        )


class NotCarried(WhistError):
    """A club that cannot be written down, or brought in, as things are."""

    code = "not_carried"
