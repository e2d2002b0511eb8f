"""The titles and explanations of the ways to continue after an incident."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

Words = str | Promise

WAY_TITLES: dict[str, tuple[Words, Words]] = {
    "fill": (
        gettext_lazy("Take the empty place"),
        gettext_lazy("The newcomer sits down where nobody sat; nothing else changes."),
    ),
    "fill-later": (
        gettext_lazy("Take the empty place, and make up what was missed"),
        gettext_lazy(
            "The newcomer sits down where nobody sat. After the last round the tables that "
            "could not play for want of them are played."
        ),
    ),
    "table": (
        gettext_lazy("One more table, with those who would sit out"),
        gettext_lazy(
            "In each round the newcomer plays those who would sit out; nothing else changes. "
            "Where no boards are free, the two tables share them."
        ),
    ),
    "turns": (
        gettext_lazy("Give somebody else a sit-out each round"),
        gettext_lazy("The newcomer takes over a seat in each round; who gives it up sits out."),
    ),
    "turns-across": (
        gettext_lazy("Give somebody in the other line a sit-out each round"),
        gettext_lazy(
            "The newcomer joins the other line and takes over a seat in each round; "
            "who gives it up sits out."
        ),
    ),
    "redraw": (
        gettext_lazy("A fresh movement for the rest, on fresh boards"),
        gettext_lazy(
            "The rounds that are left are drawn again for all who are here, with a table more "
            "or less where that is needed; everybody plays new boards."
        ),
    ),
    "redraw-at-hand": (
        gettext_lazy("A fresh movement for the rest, on the boards at hand"),
        gettext_lazy(
            "The rounds that are left are drawn again for all who are here, with a table more "
            "or less where that is needed; each table takes boards that nobody there has "
            "played. They follow no rule: the schedule says which come next."
        ),
    ),
    "empty": (
        gettext_lazy("Leave the place empty"),
        gettext_lazy("Whoever would have met them sits out that round."),
    ),
    "joined": (
        gettext_lazy("Join those who are left over"),
        gettext_lazy(
            "Those who would sit out in the same round make up a table where they may."
        ),
    ),
    "planned": (
        gettext_lazy("Go on as planned"),
        gettext_lazy("What happened is put right, and the next rounds stay as they were."),
    ),
    "evened": (
        gettext_lazy("Turn one table more"),
        gettext_lazy("A later table is turned too, so that the comparisons are fairer."),
    ),
    "return": (
        gettext_lazy("Back to their own places"),
        gettext_lazy("From the next round on everybody sits where the cards say."),
    ),
    "stay": (
        gettext_lazy("Stay as they are"),
        gettext_lazy("What was mistaken so far goes on like that to the end."),
    ),
    "draw": (
        gettext_lazy("The draw of a round"),
        gettext_lazy("Who plays whom follows from the scores; the list on the wall has it."),
    ),
    "swiss-in": (
        gettext_lazy("Into the next draw"),
        gettext_lazy(
            "The newcomer enters with the field's average for the rounds missed, and is drawn "
            "from the next round on. Tables that are drawn stay as they are."
        ),
    ),
    "swiss-out": (
        gettext_lazy("Out of the draws to come"),
        gettext_lazy(
            "What they played stands and counts. In a round that is drawn already their "
            "opponents sit out; to spare them that, take the draw back first."
        ),
    ),
    "made-up": (
        gettext_lazy("Make the boards up at the end"),
        gettext_lazy("After the last round the table plays the boards that it missed."),
    ),
}
CURE_TITLES: dict[str, Words] = {
    "boards": gettext_lazy("Where somebody has played the boards, the table takes others."),
    "share": gettext_lazy("Where somebody has played the boards, the table shares others."),
    "extra": gettext_lazy("Who loses a table makes it up in one round more."),
    "new": gettext_lazy(
        "Where somebody has played the boards, the table takes new ones; two tables that need "
        "new boards in the same round share them."
    ),
}


def find_way_texts(key: str) -> tuple[str, str]:
    """Return the title and the explanation of a way; raise KeyError for an unknown key."""
    if key in WAY_TITLES:
        title, text = WAY_TITLES[key]
        return str(title), str(text)
    main, _dash, cure = key.rpartition("-")
    title, text = WAY_TITLES[main]
    return f"{title}: {_find_cure_title(cure)}", f"{text} {CURE_TITLES[cure]}"


def format_way_title(key: str) -> str:
    """Return the title of a way for the history, or the key if the way no longer exists."""
    try:
        return find_way_texts(key)[0]
    except KeyError:
        return key


def _find_cure_title(cure: str) -> str:
    words = {
        "boards": _("with other boards"),
        "share": _("sharing boards"),
        "extra": _("and one round more"),
        "new": _("with new boards"),
    }
    return words[cure]
