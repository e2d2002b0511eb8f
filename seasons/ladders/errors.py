"""The exceptions of seasons, ladders and handicaps; each has a message for the user."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from boards.whist import WhistError
from seasons.ladders.rules.rule import RuleFault


def format_missing_player_error() -> str:
    """Return the error message for an undo action whose player was merged or deleted."""
    return _(
        "Can’t undo. One of these players has since been merged or removed. Undo the newer "
        "change first."
    )


class SeasonActionRefused(WhistError):
    """An action on a season, a trophy or the results e-mail is not possible."""

    code = "season_refused"


class InvalidSettingsError(WhistError):
    """The base class of errors for invalid settings, which are listed in `faults`."""

    def __init__(self, message: str, faults: Sequence[RuleFault] = ()) -> None:
        super().__init__(
            message or " ".join(f"{fault.setting}: {fault.message}" for fault in faults)
        )
        self.faults = tuple(faults)


class HandicapRefused(InvalidSettingsError):
    """The rules for handicaps, or a handicap that a director has entered, are invalid."""

    code = "handicap_refused"


class LadderRefused(InvalidSettingsError):
    """A ladder has an invalid name, rule or range of days."""

    code = "ladder_refused"
