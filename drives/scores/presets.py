"""The usual ways of scoring, as data; a club may also define its own."""

from dataclasses import dataclass

from drives.scores.rules import ScoreKind, Scoring
from server.translation import TranslatedField, gettext_noop


@dataclass(frozen=True, kw_only=True)
class Preset:
    """A way of scoring, with its usual number of rounds and its trumps."""

    code: str
    title: TranslatedField = TranslatedField()
    rounds: int
    scoring: Scoring
    is_marked: bool = False  # the tables record what they play (`drives.table_marks`)
    trumps: str = ""  # "turned" or "declared" at the table; empty for the house's own cycle


PRESETS: dict[str, Preset] = {
    preset.code: preset
    for preset in (
        Preset(
            code="whist",
            title=gettext_noop("Whist, 24 hands"),
            rounds=24,
            scoring=Scoring(kind=ScoreKind.TRICKS, total=13, low=0, high=13),
        ),
        Preset(
            code="drive",
            title=gettext_noop("Whist, four hands, one of each trump"),
            rounds=6,
            scoring=Scoring(kind=ScoreKind.TRICKS, hands=4, total=13, low=0, high=13),
        ),
        Preset(
            code="rubbers",
            title=gettext_noop("Rubbers: one per round, scored at its table"),
            rounds=4,
            scoring=Scoring(kind=ScoreKind.SIDE, total=0),
            is_marked=True,
        ),
        Preset(
            code="wiezen",
            title=gettext_noop("Wiezen or solo: players' points add up to zero"),
            rounds=3,
            scoring=Scoring(kind=ScoreKind.PLAYER, hands=16, total=0),
            trumps="declared",
        ),
        Preset(
            code="klaverjas",
            title=gettext_noop("Klaverjas: 162 a hand, roem in tens"),
            rounds=4,
            scoring=Scoring(
                kind=ScoreKind.SIDE, hands=12, total=162, extras=10, low=0, high=162
            ),
            trumps="declared",
        ),
        Preset(
            code="euchre",
            title=gettext_noop("Euchre: any points per side"),
            rounds=8,
            scoring=Scoring(kind=ScoreKind.SIDE, hands=8, low=0, high=4),
            trumps="turned",
        ),
        Preset(
            code="five-hundred",
            title=gettext_noop("Five Hundred: plus and minus"),
            rounds=6,
            scoring=Scoring(kind=ScoreKind.SIDE, hands=4, low=-520, high=520, step=10),
            trumps="declared",
        ),
    )
}
