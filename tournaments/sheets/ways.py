"""The ways to go on after a change of the evening, in words, figures and a schedule."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from boards.models import BoardSet
from tournaments.movements import Movement
from tournaments.movements.changes import Way
from tournaments.movements.consequences import Clash, Fairness
from tournaments.sheets.schedule import (
    ScheduleRound,
    Square,
    boards_text,
    ranged,
    schedule,
    spoken,
)
from tournaments.sheets.way_titles import way_words

MOST_NAMED = 12


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure before and after a change."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class ChangedSquare:
    """A square of the schedule, and whether it is the past or new."""

    square: Square | None
    kept: bool
    changed: bool


@dataclass(frozen=True, slots=True)
class ChangedRound:
    """One round of the schedule as it would be."""

    number: int
    kept: bool
    squares: tuple[ChangedSquare, ...]


@dataclass(frozen=True, slots=True)
class WaySheet:
    """One way to go on as a page shows it."""

    key: str
    title: str
    text: str
    losses: tuple[str, ...]
    gains: tuple[str, ...]
    figures: tuple[Compared, ...]
    tables: tuple[int, ...]
    rounds: tuple[ChangedRound, ...]


def way_sheet(
    way: Way,
    before: Movement,
    played: int,
    *,
    boards_a_round: int,
    board_set: BoardSet | None,
    names: Mapping[int, str],
) -> WaySheet:
    """Put one way into words; `names` say who sits at each place."""

    def called(place: int) -> str:
        label = spoken(way.movement.labels[place - 1])
        return f"{label} ({names[place]})" if place in names else label

    title, text = way_words(way.key)
    losses = [
        *_clash_words(way.clashes, boards_a_round, called),
        *_met_words(way, called),
        *_boards_words(way, boards_a_round, called),
        *_sit_out_words(way, called),
        *_new_boards_words(way, boards_a_round, board_set),
    ]
    brings = way.brings
    return WaySheet(
        key=way.key,
        title=title,
        text=text,
        losses=tuple(losses),
        gains=() if losses else (_("Nobody loses boards or opponents."),),
        figures=_figures(brings.before, brings.after),
        tables=tuple(sorted({each.table for each in way.movement.meetings})),
        rounds=_rounds(way.movement, before, played, boards_a_round),
    )


def _clash_words(
    clashes: Sequence[Clash], boards_a_round: int, called: Callable[[int], str]
) -> list[str]:
    found = []
    for clash in clashes:
        words = {
            "round": clash.round,
            "table": clash.table,
            "who": _list([called(place) for place in clash.who]),
            "boards": boards_text(clash.board_group, boards_a_round),
        }
        if clash.instead is None:
            found.append(
                _(
                    "Round %(round)s, table %(table)s: boards %(boards)s have been played "
                    "already by %(who)s. The table is left out."
                )
                % words
            )
            continue
        words["instead"] = boards_text(clash.instead, boards_a_round)
        found.append(
            _(
                "Round %(round)s, table %(table)s: boards %(boards)s have been played already "
                "by %(who)s. The table plays %(instead)s."
            )
            % words
        )
    return found


def _met_words(way: Way, called: Callable[[int], str]) -> list[str]:
    found = [
        _("%(one)s and %(other)s meet again, in rounds %(rounds)s.")
        % {
            "one": called(each.couple[0]),
            "other": called(each.couple[1]),
            "rounds": _list([str(number) for number in each.rounds]),
        }
        for each in way.brings.met_again
    ]
    lost = way.brings.no_longer_met
    if len(lost) > MOST_NAMED // 2:
        words = ngettext(
            "%(count)s couple no longer meets.", "%(count)s couples no longer meet.", len(lost)
        )
        found.append(words % {"count": len(lost)})
    else:
        found += [
            _("%(one)s and %(other)s no longer meet.")
            % {"one": called(one), "other": called(other)}
            for one, other in lost
        ]
    return found


def _boards_words(way: Way, boards_a_round: int, called: Callable[[int], str]) -> list[str]:
    found = []
    for lost in way.brings.lost_boards:
        if len(lost.places) > MOST_NAMED // 2:
            who = ngettext("%(count)s of them", "%(count)s of them", len(lost.places)) % {
                "count": len(lost.places)
            }
        else:
            who = _list([called(place) for place in lost.places])
        found.append(
            _("Boards %(boards)s can no longer be played by %(who)s.")
            % {"boards": boards_text(lost.board_group, boards_a_round), "who": who}
        )
    return found


def _sit_out_words(way: Way, called: Callable[[int], str]) -> list[str]:
    sat_out = way.brings.sit_outs
    if len(sat_out) > MOST_NAMED:
        return [_("%(count)s of them sit out a round more.") % {"count": len(sat_out)}]
    return [
        _("%(who)s: sits out round %(rounds)s.")
        % {"who": called(place), "rounds": _list([str(number) for number in rounds])}
        for place, rounds in sat_out
    ]


def _new_boards_words(way: Way, boards_a_round: int, board_set: BoardSet | None) -> list[str]:
    """Which boards are needed besides, and who deals them."""
    groups = way.brings.new_groups
    if not groups:
        return []
    first, last = (groups[0] - 1) * boards_a_round + 1, groups[-1] * boards_a_round
    if board_set is None:
        words = _("Boards %(first)s–%(last)s are needed besides, to be dealt at the tables.")
    elif last < board_set.first + board_set.size:
        words = _("Boards %(first)s–%(last)s are needed besides. They are dealt already.")
    elif board_set.source == BoardSet.Source.GENERATED:
        words = _(
            "Boards %(first)s–%(last)s are needed besides. The program deals them from the "
            "same secret as soon as you go on this way."
        )
    else:
        words = _(
            "Boards %(first)s–%(last)s are needed besides, to be dealt at the tables. Their "
            "hands can be typed in as those of the others."
        )
    return [words % {"first": first, "last": last}]


def _figures(before: Fairness, after: Fairness) -> tuple[Compared, ...]:
    met = _("%(met)s of %(all)s")
    return (
        Compared(
            _("Couples that meet"),
            met % {"met": before.met, "all": before.possible},
            met % {"met": after.met, "all": after.possible},
        ),
        Compared(
            _("Comparisons"),
            ranged(before.comparisons.least, before.comparisons.most),
            ranged(after.comparisons.least, after.comparisons.most),
        ),
        Compared(
            _("Rounds sat out"),
            ranged(before.sit_outs.least, before.sit_outs.most),
            ranged(after.sit_outs.least, after.sit_outs.most),
        ),
        Compared(_("Rounds"), str(before.rounds), str(after.rounds)),
        Compared(_("Board groups"), str(before.groups), str(after.groups)),
    )


def _rounds(
    after: Movement, before: Movement, played: int, boards_a_round: int
) -> tuple[ChangedRound, ...]:
    sheet = schedule(after, boards_a_round)
    old = {(each.round, each.table): each for each in before.meetings}
    new = {(each.round, each.table): each for each in after.meetings}

    def changed(found: ScheduleRound) -> ChangedRound:
        kept = found.number <= played
        squares = tuple(
            ChangedSquare(
                square, kept, old.get((found.number, table)) != new.get((found.number, table))
            )
            for table, square in zip(sheet.tables, found.squares, strict=True)
        )
        return ChangedRound(found.number, kept, squares)

    return tuple(changed(each) for each in sheet.rounds)


def _list(words: Sequence[str]) -> str:
    """Write words as a list: one, two and three."""
    if len(words) < 2:
        return "".join(words)
    return _("%(first)s and %(last)s") % {"first": ", ".join(words[:-1]), "last": words[-1]}
