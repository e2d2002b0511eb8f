"""The errors of published documents, with messages for users."""

from boards.whist import WhistError


class DocumentRefused(WhistError):
    """A document that conflicts with data on this server; `newer` is the stored version."""

    code = "document_refused"

    def __init__(self, words: str, newer: int = 0) -> None:
        super().__init__(words)
        self.newer = newer


class OlderDocument(DocumentRefused):
    """A newer version of the document is stored."""

    code = "older"


class TwoComputers(DocumentRefused):
    """Another document with this uid and version is stored: two computers have the evening."""

    code = "two_computers"
