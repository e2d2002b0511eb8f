"""The variants of whist in which single players win points by contracts.

To add a game, write a module with a `Game`, and add it to `GAMES_BY_CODE`.
"""

from django.utils.translation import gettext as _

from drives.errors import UnreadableDrive
from drives.games import colour_whist, danish_whist, rikken, solo_whist, wiezen
from drives.games.contracts import Game

GAMES_BY_CODE: dict[str, Game] = {
    module.GAME.code: module.GAME
    for module in (colour_whist, wiezen, solo_whist, danish_whist, rikken)
}


def find_game(code: str) -> Game:
    """Find a game by its code; raise UnreadableDrive with the known codes."""
    if code not in GAMES_BY_CODE:
        message = _("Game “%(code)s” not found. Choose from %(codes)s.")
        raise UnreadableDrive(message % {"code": code[:40], "codes": ", ".join(GAMES_BY_CODE)})
    return GAMES_BY_CODE[code]
