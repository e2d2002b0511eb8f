"""The predefined ways of scoring; a club may also define its own."""

from dataclasses import dataclass
from typing import Any

from drives.games import GAMES_BY_CODE
from drives.scores.rules import ScoreKind, Scoring
from server.translation import TranslatedField, gettext_noop


@dataclass(frozen=True, kw_only=True)
class DrivePreset:
    """A predefined way of scoring, with its usual rounds, trumps and type of drive."""

    code: str
    title: TranslatedField = TranslatedField()
    round_count: int
    scoring: Scoring
    is_scored_by_rubbers: bool = False  # each table records its rubbers (`drives.table_marks`)
    trumps: str = ""  # "turned" or "declared" at the table; empty: the club's own cycle
    game_code: str = ""  # the code of a game with contracts (`drives.games.GAMES_BY_CODE`)
    form_code: str = ""  # the usual type of drive
    should_avoid_table_repeats: bool = False  # the draw avoids all repeated meetings at a table

    @property
    def score(self) -> dict[str, Any]:
        """The rules of scoring as JSON data for the database and drive files."""
        scoring = self.scoring
        terms = {
            "sum": scoring.total,
            "extras": scoring.extras_step,
            "low": scoring.min_score,
            "high": scoring.max_score,
            "step": None if scoring.step == 1 else scoring.step,
            "game": self.game_code or None,
        }
        given_terms = {name: value for name, value in terms.items() if value is not None}
        return {"kind": str(scoring.kind)} | given_terms


def _build_game_preset(
    code: str,
    title: str,
    game_code: str,
    round_count: int,
    hand_count: int,
    *,
    play_form: str,
    trumps: str,
) -> DrivePreset:
    """Build the preset of a game with contracts, whose points add up to 0."""
    return DrivePreset(
        code=code,
        title=title,
        round_count=round_count,
        scoring=Scoring(kind=ScoreKind.PLAYER, hands_per_round=hand_count, total=0),
        trumps=trumps,
        game_code=game_code,
        form_code=play_form,
        should_avoid_table_repeats=True,
    )


PRESETS: dict[str, DrivePreset] = {
    preset.code: preset
    for preset in (
        DrivePreset(
            code="whist",
            title=gettext_noop("Whist, 24 hands"),
            round_count=24,
            scoring=Scoring(kind=ScoreKind.TRICKS, total=13, min_score=0, max_score=13),
        ),
        DrivePreset(
            code="drive",
            title=gettext_noop("Whist, four hands, one in each trump suit"),
            round_count=6,
            scoring=Scoring(
                kind=ScoreKind.TRICKS, hands_per_round=4, total=13, min_score=0, max_score=13
            ),
        ),
        DrivePreset(
            code="rubbers",
            title=gettext_noop("Rubbers: one per round, scored at its table"),
            round_count=4,
            scoring=Scoring(kind=ScoreKind.SIDE, total=0),
            is_scored_by_rubbers=True,
        ),
        DrivePreset(
            code="wiezen",
            title=gettext_noop("Wiezen or solo: players’ points add up to zero"),
            round_count=3,
            scoring=Scoring(kind=ScoreKind.PLAYER, hands_per_round=16, total=0),
            trumps="declared",
        ),
        DrivePreset(
            code="klaverjas",
            title=gettext_noop("Klaverjas: 162 a hand, roem in tens"),
            round_count=4,
            scoring=Scoring(
                kind=ScoreKind.SIDE,
                hands_per_round=12,
                total=162,
                extras_step=10,
                min_score=0,
                max_score=162,
            ),
            trumps="declared",
        ),
        DrivePreset(
            code="euchre",
            title=gettext_noop("Euchre: any points per side"),
            round_count=8,
            scoring=Scoring(kind=ScoreKind.SIDE, hands_per_round=8, min_score=0, max_score=4),
            trumps="turned",
        ),
        DrivePreset(
            code="five-hundred",
            title=gettext_noop("Five Hundred: plus and minus"),
            round_count=6,
            scoring=Scoring(
                kind=ScoreKind.SIDE, hands_per_round=4, min_score=-520, max_score=520, step=10
            ),
            trumps="declared",
        ),
        _build_game_preset(
            "wiezen-evening",
            gettext_noop("Wiezen by contracts, 5 rounds of 8 hands"),
            *("wiezen", 5, 8),
            play_form="lot",
            trumps="turned",
        ),
        _build_game_preset(
            "wiezen-championship",
            gettext_noop("Wiezen championship by contracts, 3 rounds of 16 hands"),
            *("wiezen", 3, 16),
            play_form="lot",
            trumps="turned",
        ),
        _build_game_preset(
            "colour-whist",
            gettext_noop("Colour whist by contracts, 3 rounds of 8 hands"),
            *("colour-whist", 3, 8),
            play_form="lot",
            trumps="declared",
        ),
        _build_game_preset(
            "solo-whist",
            gettext_noop("Solo whist by contracts, 6 rounds of 4 hands"),
            *("solo-whist", 6, 4),
            play_form="social",
            trumps="turned",
        ),
        _build_game_preset(
            "danish-whist",
            gettext_noop("Danish whist by contracts, 2 rounds of 12 hands"),
            *("danish-whist", 2, 12),
            play_form="lot",
            trumps="declared",
        ),
        _build_game_preset(
            "rikken",
            gettext_noop("Rikken by contracts, 2 rounds of 20 hands"),
            *("rikken", 2, 20),
            play_form="lot",
            trumps="declared",
        ),
    )
}


def list_presets() -> list[DrivePreset]:
    """Return all predefined ways of scoring, including one for each game without a preset."""
    game_codes_with_preset = {preset.game_code for preset in PRESETS.values()}
    games_without_preset = [
        game for code, game in GAMES_BY_CODE.items() if code not in game_codes_with_preset
    ]
    return [
        *PRESETS.values(),
        *(
            _build_game_preset(
                game.code, game.title, game.code, *(3, 8), play_form="lot", trumps="declared"
            )
            for game in games_without_preset
        ),
    ]


def find_preset_by_code(code: str) -> DrivePreset | None:
    """Return the way of scoring with a code, or None."""
    return next((preset for preset in list_presets() if preset.code == code), None)
