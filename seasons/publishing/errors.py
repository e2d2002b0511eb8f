"""The errors of received documents, with messages for users."""

from boards.whist import WhistError


class DocumentRefused(WhistError):
    """An error that is raised if a document conflicts with data on this server.

    `newer` is the version of the stored document, or 0 if there is none.
    """

    code = "document_refused"

    def __init__(self, words: str, newer: int = 0) -> None:
        super().__init__(words)
        self.newer = newer


class OlderDocument(DocumentRefused):
    """An error that is raised if a newer version of the document is already stored."""

    code = "older"


class TwoComputers(DocumentRefused):
    """An error that is raised if another document with the same uid and version is stored.

    This happens if two computers publish the same evening.
    """

    code = "two_computers"
