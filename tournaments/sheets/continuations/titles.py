"""The titles and explanations of the ways to continue after an incident."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

LazyText = str | Promise

CONTINUATION_TEXTS: dict[str, tuple[LazyText, LazyText]] = {
    "fill": (
        gettext_lazy("Use the empty place"),
        gettext_lazy("The newcomer takes the empty place. Nothing else changes."),
    ),
    "fill-later": (
        gettext_lazy("Use the empty place, and make up missed boards"),
        gettext_lazy(
            "The newcomer takes the empty place and makes up the missed rounds after the "
            "last round."
        ),
    ),
    "table": (
        gettext_lazy("Add a table with those sitting out"),
        gettext_lazy(
            "The newcomer plays those who would sit out. Nothing else "
            "changes. If no boards are free, two tables share."
        ),
    ),
    "turns": (
        gettext_lazy("Seat them, with sit-outs shared"),
        gettext_lazy(
            "The newcomer takes over a seat each round. A different pair sits out each round."
        ),
    ),
    "turns-across": (
        gettext_lazy("Seat them in the other line, with sit-outs shared"),
        gettext_lazy(
            "The newcomer joins the other line and takes over a seat "
            "each round. A different pair sits out each round."
        ),
    ),
    "redraw": (
        gettext_lazy("New movement with new boards"),
        gettext_lazy(
            "The remaining rounds are redrawn for everyone here. "
            "Everyone plays new boards. There may be a table more or "
            "fewer."
        ),
    ),
    "redraw-at-hand": (
        gettext_lazy("New movement with the same boards"),
        gettext_lazy(
            "The remaining rounds are redrawn for everyone here. Tables "
            "take boards no one there has played, as the schedule shows. "
            "There may be a table more or fewer."
        ),
    ),
    "empty": (
        gettext_lazy("Leave the place empty"),
        gettext_lazy("Their opponents sit out that round."),
    ),
    "joined": (
        gettext_lazy("Join those left over"),
        gettext_lazy("Those due to sit out in the same round play each other where they can."),
    ),
    "planned": (
        gettext_lazy("Continue as planned"),
        gettext_lazy("Played rounds are corrected. The remaining rounds don’t change."),
    ),
    "evened": (
        gettext_lazy("Turn another table"),
        gettext_lazy("A later table is turned too, so that the comparisons are fairer."),
    ),
    "return": (
        gettext_lazy("Return to their own places"),
        gettext_lazy("From the next round everyone sits where the guide cards show."),
    ),
    "stay": (
        gettext_lazy("Stay as they are"),
        gettext_lazy("Continue with the mistake until the end."),
    ),
    "draw": (
        gettext_lazy("Draw a round"),
        gettext_lazy("Each round is drawn from the scores. See the list on the wall."),
    ),
    "swiss-in": (
        gettext_lazy("Join the next draw"),
        gettext_lazy(
            "The newcomer gets the field’s average for missed rounds and joins the next "
            "draw. Tables already drawn don’t change."
        ),
    ),
    "swiss-out": (
        gettext_lazy("Leave later draws"),
        gettext_lazy(
            "Their scores count. In a round already drawn their "
            "opponents sit out. To avoid that, undo the draw first."
        ),
    ),
    "made-up": (
        gettext_lazy("Make up the boards at the end"),
        gettext_lazy("After the last round the table plays its missed boards."),
    ),
}
CONTINUATION_BUTTON_LABELS: dict[str, LazyText] = {
    "fill": gettext_lazy("Use empty place"),
    "fill-later": gettext_lazy("Make up boards"),
    "table": gettext_lazy("Add a table"),
    "turns": gettext_lazy("Share the sit-outs"),
    "turns-across": gettext_lazy("Use other line"),
    "redraw": gettext_lazy("Redraw, new boards"),
    "redraw-at-hand": gettext_lazy("Redraw, same boards"),
    "empty": gettext_lazy("Leave place empty"),
    "joined": gettext_lazy("Join those left"),
}
"""The buttons of the ways after a late arrival or a withdrawal."""
REMEDY_TEXTS: dict[str, LazyText] = {
    "boards": gettext_lazy("If someone has played the boards, the table takes others."),
    "share": gettext_lazy(
        "If someone has played the boards, the table shares another table’s boards."
    ),
    "extra": gettext_lazy("Missed tables are made up in an extra round."),
    "new": gettext_lazy(
        "If someone has played the boards, the table takes new ones. "
        "Two such tables in one round share them."
    ),
}


def get_continuation_texts(continuation_key: str) -> tuple[str, str]:
    """Return the title and the explanation of a way; raise KeyError for an unknown key."""
    if continuation_key in CONTINUATION_TEXTS:
        title, explanation = CONTINUATION_TEXTS[continuation_key]
        return str(title), str(explanation)
    base_continuation_key, _dash, remedy = continuation_key.rpartition("-")
    title, explanation = CONTINUATION_TEXTS[base_continuation_key]
    return f"{title}: {_find_remedy_title(remedy)}", f"{explanation} {REMEDY_TEXTS[remedy]}"


def get_continuation_button_text(continuation_key: str) -> str:
    """Return the text of a way's button."""
    return (
        str(CONTINUATION_BUTTON_LABELS[continuation_key])
        if continuation_key in CONTINUATION_BUTTON_LABELS
        else _("Use this option")
    )


def format_continuation_title(continuation_key: str) -> str:
    """Return the title of a chosen way to continue, or its key if the way no longer exists."""
    try:
        return get_continuation_texts(continuation_key)[0]
    except KeyError:
        return continuation_key


def _find_remedy_title(remedy: str) -> str:
    titles_by_remedy = {
        "boards": _("with other boards"),
        "share": _("sharing boards"),
        "extra": _("with an extra round"),
        "new": _("with new boards"),
    }
    return titles_by_remedy[remedy]
