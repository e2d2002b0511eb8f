"""Lists the types of drive to choose from, with rests, repeated meetings and duration."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from drives.draw.bounds import compute_coincidence_bound
from drives.play_forms import PLAY_FORMS, DriveForm, SeatingTime
from drives.scores.presets import PRESETS, DrivePreset, find_preset_by_code

CONTRACT_DESCRIPTIONS_BY_FORM_CODE: Mapping[str, str | Promise] = {
    "lot": gettext_lazy("Tables are drawn before each round. The same people rarely meet."),
    "social": gettext_lazy("All tables are drawn at the start. The same people rarely meet."),
    "standing": gettext_lazy("Places 1–4 meet at table 1, 5–8 at table 2, and so on."),
}
"""The types of drive for games with contracts, in which partners change from hand to hand.

The keys are their codes. The texts replace their usual descriptions, which mention partners.
"""
USUAL_FORMS = ("progressive", "social", "lot", "partner")
"""The codes of the four types of drive that are offered first; "More" shows all others."""
MINUTES_PER_HAND = 6
MOVE_MINUTES_BY_SEATING_TIME = {
    SeatingTime.AFTER_RESULT: 0,
    SeatingTime.BEFORE_PLAY: 2,
    SeatingTime.ONE_ROUND_AHEAD: 4,
}
"""The minutes that players need to move between rounds.

If results decide who moves, `MINUTES_PER_HAND` includes the time for moves.
"""


@dataclass(frozen=True, kw_only=True)
class PlayFormOffer:
    """A type of drive to choose, with its texts and the length of the evening."""

    form: DriveForm
    blurb: str
    round_count: int
    default_round_count: int  # used if no number of rounds is entered
    hand_count: int
    drawbacks: tuple[str, ...]
    warning: str

    @property
    def code(self) -> str:
        """The code of the type of drive, which the HTML form posts."""
        return self.form.code


def find_preset(play_form: DriveForm, preset_code: str = "") -> DrivePreset:
    """Return the preset with a code, or else the usual preset of a type of drive."""
    return (
        find_preset_by_code(preset_code)
        or PRESETS["whist" if play_form.seating_time is SeatingTime.AFTER_RESULT else "drive"]
    )


def list_play_forms(
    player_count: int,
    *,
    round_count: int | None = None,
    hand_count: int | None = None,
    preset_code: str = "",
    house_player_count: int = 0,
    has_contracts: bool = False,
    chosen_code: str = "",
) -> list[PlayFormOffer]:
    """Return all types of drive, the usual four first, with drawbacks for `player_count`.

    House players fill empty seats, so that fewer players sit out. For a game with contracts,
    only the types in `CONTRACT_DESCRIPTIONS_BY_FORM_CODE` are returned, and the type with the
    code `chosen_code`.
    """
    play_form_codes: Iterable[str] = [
        *USUAL_FORMS,
        *(play_form_code for play_form_code in PLAY_FORMS if play_form_code not in USUAL_FORMS),
    ]
    if has_contracts:
        chosen_codes = [chosen_code] if chosen_code in PLAY_FORMS else []
        play_form_codes = dict.fromkeys([*CONTRACT_DESCRIPTIONS_BY_FORM_CODE, *chosen_codes])
    return [
        _build_play_form_offer(
            PLAY_FORMS[play_form_code],
            player_count,
            round_count,
            hand_count,
            preset_code,
            house_player_count,
            has_contracts=has_contracts,
        )
        for play_form_code in play_form_codes
    ]


def describe_tables(player_count: int, house_player_count: int = 0) -> str:
    """Return the tables and sit-outs as text, e.g. "26 players: 6 tables, 2 sit out …"."""
    left_over_player_count = player_count % 4
    if left_over_player_count and house_player_count >= 4 - left_over_player_count:
        player_count, left_over_player_count = player_count + 4 - left_over_player_count, 0
    message_values = {"count": player_count}
    player_text = (
        ngettext("%(count)s player", "%(count)s players", player_count) % message_values
    )
    if player_count < 4:
        return player_text
    table_count = player_count // 4
    message = ngettext(
        "%(players)s: %(tables)s table, no one sits out",
        "%(players)s: %(tables)s tables, no one sits out",
        table_count,
    )
    if left_over_player_count:
        message = ngettext(
            "%(players)s: %(tables)s table, %(over)s sits out each round",
            "%(players)s: %(tables)s table, %(over)s sit out each round",
            left_over_player_count,
        )
        if table_count > 1:
            message = ngettext(
                "%(players)s: %(tables)s tables, %(over)s sits out each round",
                "%(players)s: %(tables)s tables, %(over)s sit out each round",
                left_over_player_count,
            )
    return message % {
        "players": player_text,
        "tables": table_count,
        "over": left_over_player_count,
    }


def _build_play_form_offer(
    play_form: DriveForm,
    player_count: int,
    round_count: int | None,
    hand_count: int | None,
    preset_code: str,
    house_player_count: int,
    *,
    has_contracts: bool,
) -> PlayFormOffer:
    base_preset = find_preset(play_form, preset_code)
    round_count, hand_count = (
        round_count or base_preset.round_count,
        hand_count or base_preset.scoring.hands_per_round,
    )
    drawbacks: Sequence[str] = ()
    if player_count >= 4:
        drawbacks = (
            str(play_form.drawbacks)
            if has_contracts
            else _describe_meetings(play_form, player_count, round_count),
            _describe_rests(player_count, round_count, house_player_count),
            _describe_duration(play_form, round_count, hand_count),
        )
    return PlayFormOffer(
        form=play_form,
        blurb=str(
            CONTRACT_DESCRIPTIONS_BY_FORM_CODE.get(play_form.code, play_form.blurb)
            if has_contracts
            else play_form.blurb
        ),
        round_count=round_count,
        default_round_count=base_preset.round_count,
        hand_count=hand_count,
        drawbacks=tuple(drawback for drawback in drawbacks if drawback),
        warning=play_form.format_warning(player_count) if player_count >= 4 else "",
    )


def _describe_meetings(play_form: DriveForm, player_count: int, round_count: int) -> str:
    """Return a text about repeated partnerships, with the lowest possible number if known."""
    if (
        play_form.seating_time is SeatingTime.AFTER_RESULT
        or play_form.has_fixed_partners
        or play_form.code == "standing"
    ):
        return str(play_form.drawbacks)
    meetings_per_player, extra_meeting_player_count = divmod(
        (player_count - player_count % 4) * round_count, player_count
    )
    min_repeat_count = compute_coincidence_bound(
        [meetings_per_player + 1] * extra_meeting_player_count
        + [meetings_per_player] * (player_count - extra_meeting_player_count)
    )
    if not min_repeat_count:
        return _("No repeated partners.")
    message = ngettext(
        "Repeat partners: 1 (best possible).",
        "Repeat partners: %(again)s (best possible).",
        min_repeat_count,
    )
    return message % {"again": min_repeat_count}


def _describe_rests(player_count: int, round_count: int, house_player_count: int) -> str:
    left_over_player_count = player_count % 4
    if not left_over_player_count or house_player_count >= 4 - left_over_player_count:
        return _("No one sits out.")
    min_rest_count, extra_rest_player_count = divmod(
        left_over_player_count * round_count, player_count
    )
    if min_rest_count and extra_rest_player_count:
        message = ngettext(
            "%(over)s player sits out each round, %(least)s or %(most)s times each.",
            "%(over)s players sit out each round, %(least)s or %(most)s times each.",
            left_over_player_count,
        )
    elif min_rest_count:
        message = ngettext(
            "%(over)s player sits out each round, all equally often.",
            "%(over)s players sit out each round, all equally often.",
            left_over_player_count,
        )
    else:
        message = ngettext(
            "%(over)s player sits out each round, no one twice.",
            "%(over)s players sit out each round, no one twice.",
            left_over_player_count,
        )
    return message % {
        "over": left_over_player_count,
        "least": min_rest_count,
        "most": min_rest_count + 1,
    }


def _describe_duration(play_form: DriveForm, round_count: int, hand_count: int) -> str:
    minutes = (
        round_count * hand_count * MINUTES_PER_HAND
        + (round_count - 1) * MOVE_MINUTES_BY_SEATING_TIME[play_form.seating_time]
    )
    hours, remaining_minutes = divmod(-(-minutes // 5) * 5, 60)
    message = _("%(rounds)s × %(hands)s hands, about %(hours)s h %(minutes)s min.")
    if hand_count == 1:
        message = ngettext(
            "%(rounds)s hand, about %(hours)s h %(minutes)s min.",
            "%(rounds)s hands, about %(hours)s h %(minutes)s min.",
            round_count,
        )
    return message % {
        "rounds": round_count,
        "hands": hand_count,
        "hours": hours,
        "minutes": f"{remaining_minutes:02}",
    }
