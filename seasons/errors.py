"""What can be wrong about a season, in words fit to show a person."""

from boards.whist import WhistError


class SeasonRefused(WhistError):
    """A season that cannot be taken or closed as it is."""

    code = "season_refused"
