"""The errors of exports and imports, with messages for users."""

from django.utils.translation import gettext as _

from boards.whist import WhistError


class BadArchive(WhistError):
    """An invalid archive file, of which nothing was imported."""

    code = "bad_archive"

    @classmethod
    def from_invalid_column(cls, model_label: str, column_name: str) -> "BadArchive":
        """Return the error for an invalid value in a column of a model."""
        message = _("The file is damaged: %(table)s.%(column)s can’t be read.")
        return cls(message % {"table": model_label, "column": column_name})

    @classmethod
    def from_long_text(
        cls, model_label: str, column_name: str, column_text: str, max_length: int
    ) -> "BadArchive":
        """Return the error for a text that is longer than its column allows."""
        message = _(
            "%(table)s.%(column)s: “%(text)s…” is longer than "
            "%(longest)s characters. Shorten it in the club and export "
            "again."
        )
        printable_text = "".join(
            character if character.isprintable() else "?" for character in column_text[:20]
        )
        return cls(
            message
            % {
                "table": model_label,
                "column": column_name,
                "text": printable_text,
                "longest": max_length,
            }
        )


class ArchiveRefused(WhistError):
    """A refused export or import, for a reason that the user can resolve."""

    code = "not_carried"
