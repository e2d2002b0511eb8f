"""Formats places in files of hands as words: "hand 3: fine 1: by"."""

from server.json_reader.problems import JsonPlace, Problems

HIDDEN_KEYS = ("contracts",)
"""Keys that are omitted from a place, because the names of their items are enough."""


class Problem(str):
    """A problem with its place, for clients that show them separately."""

    place: str
    detail: str

    def __new__(cls, line: str, place: str) -> "Problem":
        """Build a problem from its line, which begins with its place."""
        problem = super().__new__(cls, line)
        problem.place = place
        problem.detail = line.removeprefix(f"{place}: ")
        return problem


class WordedPlace(JsonPlace):
    """A place in a file, formatted in words: list items are named in the singular and counted
    from 1.
    """

    __slots__ = ()

    def key(self, name: str) -> "WordedPlace":
        """Return the place of a key in this object."""
        name = JsonPlace("", self.problems).key(name).path
        path = ": ".join(path_part for path_part in (self.path, name) if path_part)
        for hidden_key in HIDDEN_KEYS:
            path = path.replace(f": {hidden_key}: ", ": ")
        return WordedPlace(path, self.problems)

    def item(self, index: int) -> "WordedPlace":
        """Return the place of an item of this list, counted from 0."""
        if not self.path.endswith("s"):
            return self
        return WordedPlace(f"{self.path.removesuffix('s')} {index + 1}", self.problems)

    def report(self, message: str, **values: object) -> None:
        """Add a problem at this place."""
        problems = Problems(self.problems.error)
        JsonPlace(self.path, problems).report(message, **values)
        self.problems.append(Problem(problems[0], self.path))
