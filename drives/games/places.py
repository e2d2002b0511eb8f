"""Formats the path of a problem in a file of hands as words, e.g. "hand 3: fine 1: by"."""

from server.json_reader.problems import JsonPath, Problems

OMITTED_PATH_KEYS = ("contracts",)
"""Keys that are omitted from a path, because the names of their items are enough."""


class MessageWithPath(str):
    """A message with its path as an attribute, for clients that show the two separately."""

    path_text: str
    detail: str

    def __new__(cls, message: str, path_text: str) -> "MessageWithPath":
        """Build a problem from a message that begins with the path."""
        problem = super().__new__(cls, message)
        problem.path_text = path_text
        problem.detail = message.removeprefix(f"{path_text}: ")
        return problem


class JsonPathInWords(JsonPath):
    """A place in a file whose path is in words, e.g. "hand 3" for the third item of "hands"."""

    __slots__ = ()

    def get_key_path(self, key: str) -> "JsonPathInWords":
        """Return the place of a key in this object."""
        key_path = JsonPath("", self.problems).get_key_path(key).path
        path = ": ".join(path_part for path_part in (self.path, key_path) if path_part)
        for omitted_key in OMITTED_PATH_KEYS:
            path = path.replace(f": {omitted_key}: ", ": ")
        return JsonPathInWords(path, self.problems)

    def get_item_path(self, index: int) -> "JsonPathInWords":
        """Return the place of an item of this list, counted from 0."""
        if not self.path.endswith("s"):
            return self
        return JsonPathInWords(f"{self.path.removesuffix('s')} {index + 1}", self.problems)

    def report(self, message: str, **values: object) -> None:
        """Add a problem at this place."""
        problems = Problems(self.problems.error_class)
        JsonPath(self.path, problems).report(message, **values)
        self.problems.append(MessageWithPath(problems[0], self.path))
