"""The play forms to choose from, with their drawbacks: rests, repeated meetings, duration."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from drives.draw.bounds import compute_coincidence_bound
from drives.play_forms import PLAY_FORMS, DriveForm, SeatsKnown
from drives.scores.presets import PRESETS, Preset, find_preset_by_code

USUAL_FORMS = ("progressive", "social", "lot", "partner")
"""The codes of the four play forms that are offered first; "More" shows all others."""
MINUTES_PER_HAND = 6
MINUTES_TO_MOVE = {SeatsKnown.RESULT: 0, SeatsKnown.AHEAD: 2, SeatsKnown.ONE_ROUND: 4}
"""Minutes between rounds; where results move, the minutes of a hand include them."""


@dataclass(frozen=True, kw_only=True)
class FormOffer:
    """A play form to choose: its texts, its usual evening, and its drawbacks."""

    form: DriveForm
    rounds: int
    usual_rounds: int  # where no number of rounds is entered
    hands: int
    costs: tuple[str, ...]
    warning: str

    @property
    def code(self) -> str:
        """The value of the form field."""
        return self.form.code


def find_preset(form: DriveForm, preset: str = "") -> Preset:
    """Return the usual way of scoring of a form: single hands, or rounds of four."""
    return (
        find_preset_by_code(preset)
        or PRESETS["whist" if form.seats_known is SeatsKnown.RESULT else "drive"]
    )


def list_offers(players: int, *, rounds: int | None = None, hands: int | None = None,
           preset: str = "", house_player_count: int = 0) -> list[FormOffer]:  # fmt: skip
    """Return all forms, the usual four first, with the drawbacks for a number of players."""
    order = [*USUAL_FORMS, *(code for code in PLAY_FORMS if code not in USUAL_FORMS)]
    return [
        _build_offer(PLAY_FORMS[code], players, rounds, hands, preset, house_player_count)
        for code in order
    ]


def describe_tables(players: int, house_player_count: int = 0) -> str:
    """Return the tables and the sit-outs of each round: "26 players: 6 tables, 2 sit out …"."""
    left_over = players % 4
    if left_over and house_player_count >= 4 - left_over:
        players, left_over = players + 4 - left_over, 0
    count = {"count": players}
    player_text = ngettext("%(count)s player", "%(count)s players", players) % count
    if players < 4:
        return player_text
    tables = players // 4
    message = ngettext(
        "%(players)s: %(tables)s table, no one sits out",
        "%(players)s: %(tables)s tables, no one sits out",
        tables,
    )
    if left_over:
        message = ngettext(
            "%(players)s: %(tables)s table, %(over)s sits out each round",
            "%(players)s: %(tables)s table, %(over)s sit out each round",
            left_over,
        )
        if tables > 1:
            message = ngettext(
                "%(players)s: %(tables)s tables, %(over)s sits out each round",
                "%(players)s: %(tables)s tables, %(over)s sit out each round",
                left_over,
            )
    return message % {"players": player_text, "tables": tables, "over": left_over}


def _build_offer(
    form: DriveForm,
    players: int,
    rounds: int | None,
    hands: int | None,
    preset: str,
    house_player_count: int,
) -> FormOffer:
    usual_preset = find_preset(form, preset)
    rounds, hands = rounds or usual_preset.rounds, hands or usual_preset.scoring.hands
    costs: Sequence[str] = ()
    if players >= 4:
        costs = (
            _describe_meetings(form, players, rounds),
            _describe_rests(players, rounds, house_player_count),
            _describe_duration(form, rounds, hands),
        )
    return FormOffer(
        form=form,
        rounds=rounds,
        usual_rounds=usual_preset.rounds,
        hands=hands,
        costs=tuple(cost for cost in costs if cost),
        warning=form.find_warning(players) if players >= 4 else "",
    )


def _describe_meetings(form: DriveForm, players: int, rounds: int) -> str:
    """Return how often the same two are partners, where it is known before the draw."""
    if form.seats_known is SeatsKnown.RESULT or form.keeps_partners or form.code == "standing":
        return str(form.drawbacks)
    meetings, players_with_one_more = divmod((players - players % 4) * rounds, players)
    repeats = compute_coincidence_bound(
        [meetings + 1] * players_with_one_more + [meetings] * (players - players_with_one_more)
    )
    if not repeats:
        return _("No repeated partners.")
    message = ngettext(
        "Repeat partners: 1 (best possible).",
        "Repeat partners: %(again)s (best possible).",
        repeats,
    )
    return message % {"again": repeats}


def _describe_rests(players: int, rounds: int, house_player_count: int) -> str:
    left_over = players % 4
    if not left_over or house_player_count >= 4 - left_over:
        return _("No one sits out.")
    min_rests, players_with_one_more = divmod(left_over * rounds, players)
    if min_rests and players_with_one_more:
        message = ngettext(
            "%(over)s player sits out each round, %(least)s or %(most)s times each.",
            "%(over)s players sit out each round, %(least)s or %(most)s times each.",
            left_over,
        )
    elif min_rests:
        message = ngettext(
            "%(over)s player sits out each round, all equally often.",
            "%(over)s players sit out each round, all equally often.",
            left_over,
        )
    else:
        message = ngettext(
            "%(over)s player sits out each round, no one twice.",
            "%(over)s players sit out each round, no one twice.",
            left_over,
        )
    return message % {"over": left_over, "least": min_rests, "most": min_rests + 1}


def _describe_duration(form: DriveForm, rounds: int, hands: int) -> str:
    minutes = (
        rounds * hands * MINUTES_PER_HAND + (rounds - 1) * MINUTES_TO_MOVE[form.seats_known]
    )
    hours, minutes_left = divmod(-(-minutes // 5) * 5, 60)
    message = _("%(rounds)s × %(hands)s hands, about %(hours)s h %(minutes)s min.")
    if hands == 1:
        message = ngettext(
            "%(rounds)s hand, about %(hours)s h %(minutes)s min.",
            "%(rounds)s hands, about %(hours)s h %(minutes)s min.",
            rounds,
        )
    return message % {
        "rounds": rounds,
        "hands": hands,
        "hours": hours,
        "minutes": f"{minutes_left:02}",
    }
