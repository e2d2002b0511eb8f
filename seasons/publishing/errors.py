"""What can be wrong about a document, in words to show a person."""

from boards.whist import WhistError


class DocumentRefused(WhistError):
    """A document that is not taken, for what is here already; `newer` is its version here."""

    code = "document_refused"

    def __init__(self, words: str, newer: int = 0) -> None:
        super().__init__(words)
        self.newer = newer


class OlderDocument(DocumentRefused):
    """A newer version of it is here."""

    code = "older"


class TwoComputers(DocumentRefused):
    """Another document of the same name and version is here: two computers hold the evening."""

    code = "two_computers"
