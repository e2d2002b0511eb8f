"""Places in the files of hands, in words: "hand 3: fine 1: by"."""

from server.json_reader.problems import JsonPlace, Problems

HIDDEN_KEYS = ("contracts",)
"""Keys whose name adds nothing to the names of their items."""


class Problem(str):
    """A problem with its place, for clients that show them separately."""

    place: str
    detail: str

    def __new__(cls, line: str, place: str) -> "Problem":
        """Build a problem from its line, which begins with its place."""
        found = super().__new__(cls, line)
        found.place = place
        found.detail = line.removeprefix(f"{place}: ")
        return found


class WordedPlace(JsonPlace):
    """A place whose path is read aloud: items are counted from 1, by their singular."""

    __slots__ = ()

    def key(self, name: str) -> "WordedPlace":
        """Return the place of a key in this object."""
        name = JsonPlace("", self.problems).key(name).path
        path = ": ".join(each for each in (self.path, name) if each)
        for hidden in HIDDEN_KEYS:
            path = path.replace(f": {hidden}: ", ": ")
        return WordedPlace(path, self.problems)

    def item(self, number: int) -> "WordedPlace":
        """Return the place of an item of this list, counted from 0."""
        if not self.path.endswith("s"):
            return self
        return WordedPlace(f"{self.path.removesuffix('s')} {number + 1}", self.problems)

    def report(self, message: str, **values: object) -> None:
        """Add a problem at this place."""
        found = Problems(self.problems.error)
        JsonPlace(self.path, found).report(message, **values)
        self.problems.append(Problem(found[0], self.path))
