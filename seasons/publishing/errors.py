"""The errors of received documents, with messages for users."""

from boards.whist import WhistError


class DocumentRefused(WhistError):
    """The error for a document that conflicts with data on this server.

    `newer_version` is the version of the stored document, or 0 if there is none.
    """

    code = "document_refused"

    def __init__(self, message: str, newer_version: int = 0) -> None:
        super().__init__(message)
        self.newer_version = newer_version


class OlderDocument(DocumentRefused):
    """The error for a document of which a newer version is already stored."""

    code = "older"


class TwoComputers(DocumentRefused):
    """The error for a document whose uid and version are those of a different stored document.

    This happens if two computers publish the same evening.
    """

    code = "two_computers"
