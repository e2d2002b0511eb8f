"""The errors of received documents, with messages for users."""

from boards.whist import WhistError


class DocumentRefused(WhistError):
    """A document conflicts with data on this server.

    `newer_version` is the version of the stored document, or 0 if there is none.
    """

    code = "document_refused"

    def __init__(self, message: str, newer_version: int = 0) -> None:
        super().__init__(message)
        self.newer_version = newer_version


class OutdatedDocument(DocumentRefused):
    """A newer version of the document is already stored."""

    code = "older"


class ConflictingDocument(DocumentRefused):
    """A different document with the same uid and version is already stored.

    This happens if two computers publish the same evening.
    """

    code = "two_computers"
