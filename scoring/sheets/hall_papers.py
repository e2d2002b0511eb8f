"""Papers that show the movement: wall sheets, announcements, and guide cards of entries."""

from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.session_snapshot import SeatedTable, SessionSnapshot
from scoring.sheets.board_moves import list_shared_board_notes
from scoring.sheets.hall_values import (
    Announcement,
    PairGuide,
    PairGuideLine,
    WallCell,
    WallSheet,
)
from scoring.sheets.headings import build_heading
from scoring.sheets.next_moves import (
    explain_notes,
    find_partner_label,
    find_seat,
    format_arrow_switch_note,
    format_board_range,
    format_line_up,
    format_short_seat,
)
from scoring.sheets.terms import describe_terms
from tournaments.models import Event, Place, Section
from tournaments.movements import SYSTEMS_BY_NAME
from tournaments.movements.announcement import list_announcement_topics
from tournaments.movements.copies import format_copy_letter
from tournaments.movements.drawn_rounds import DRAWN_MOVEMENT_NAME, is_knockout


def build_wall_sheets(snapshot: SessionSnapshot) -> list[WallSheet]:
    """Return a wall sheet for each section: a grid of rounds and tables, with explanations."""
    board_set = snapshot.session.board_set
    return [
        WallSheet(
            heading=build_heading(snapshot.session, section.letter, len(snapshot.sections)),
            movement_title=_format_movement_title(section),
            table_labels=tuple(
                snapshot.format_table_label(section.letter, table_number)
                for table_number in table_numbers
            ),
            rounds=tuple(
                tuple(
                    _build_wall_cell(snapshot, section.letter, round_number, table_number)
                    for table_number in table_numbers
                )
                for round_number in range(1, section.rounds + 1)
            ),
            moves=tuple(_describe_moves(snapshot, section)),
            commitment=board_set.commitment if board_set and board_set.commitment else "",
        )
        for section in snapshot.sections
        for table_numbers in [
            [
                table_number
                for section_letter, table_number in snapshot.rounds_by_table
                if section_letter == section.letter
            ]
        ]
    ]


def build_announcements(snapshot: SessionSnapshot) -> list[Announcement]:
    """Return each section's announcement: movement, moves, and stationary pairs."""
    boards_per_round = snapshot.session.boards_a_round
    return [
        Announcement(
            heading=build_heading(snapshot.session, section.letter, len(snapshot.sections)),
            paragraphs=(
                _("We’re playing %(movement)s.")
                % {"movement": _format_movement_title(section)},
                ngettext(
                    "There are %(rounds)s rounds of %(boards)s board.",
                    "There are %(rounds)s rounds of %(boards)s boards.",
                    boards_per_round,
                )
                % {"rounds": section.planned_round_count, "boards": boards_per_round},
                *_describe_declared_trumps(snapshot.session.event),
                *_describe_second_play(snapshot.session.event),
                *_describe_points(snapshot.session.event),
                *_describe_moves(snapshot, section),
                *_describe_match_scoring(snapshot, section),
                _("Please check that the board numbers match the guide card."),
            ),
        )
        for section in snapshot.sections
    ]


def _describe_match_scoring(snapshot: SessionSnapshot, section: Section) -> list[str]:
    """Return the announcement of the scoring in a section with drawn rounds."""
    if section.movement != DRAWN_MOVEMENT_NAME:
        return []
    terms = snapshot.session.event.terms
    term_names = ("method", "tie_breaks", "by_corrected")
    terms_text = describe_terms(
        {term_name: getattr(terms, term_name) for term_name in term_names}
    )
    return [_("Scoring: %(terms)s.") % {"terms": terms_text}]


def _describe_declared_trumps(event: Event) -> list[str]:
    """Return the announcement of the trumps if no card is turned (Law IV §11)."""
    trump_texts = {
        Event.Trumps.DECLARED: _(
            "By agreement no card is turned. Each table declares "
            "trumps for each board and writes the suit next to the score."
        )
    }
    if event.has_turn_up:
        return []
    if event.has_declared_trumps and event.is_scored_in_points:
        return [
            _(
                "By agreement no card is turned. Each table declares a "
                "suit or no trump and writes it next to the score, with X if "
                "doubled."
            )
        ]
    template = _("By agreement no card is turned. Trumps are %(what)s.")
    return [
        trump_texts.get(
            Event.Trumps(event.trumps), template % {"what": event.get_trumps_display()}
        )
    ]


def _describe_second_play(event: Event) -> list[str]:
    """Return the announcement that the second play of a memory duplicate has other suits."""
    if not event.other_suits:
        return []
    return [
        _(
            "The second play is in other suits, and so is its trump. "
            "Rebuild each board from the hand record cards."
        )
    ]


def _describe_points(event: Event) -> list[str]:
    """Return the announcement of how to write results in an event that counts points."""
    if not event.is_scored_in_points:
        return []
    return [
        _(
            "Scoring is in points. Write down what each side won on the "
            "board, with its honours. A pair’s total is points won minus "
            "points lost."
        )
    ]


def build_pair_guides(snapshot: SessionSnapshot) -> list[PairGuide]:
    """Build a guide card for each occupied place: table, seat and boards in each round."""
    rounds_by_section = {section.letter: section.rounds for section in snapshot.sections}
    section_count = len(snapshot.sections)
    heading_by_section = {
        section_letter: build_heading(snapshot.session, section_letter, section_count)
        for section_letter in rounds_by_section
    }
    return [
        PairGuide(
            heading=heading_by_section[place.section.letter],
            label=snapshot.format_place_label(place),
            name=place.entry.name,
            lines=tuple(
                _build_guide_line(snapshot, place, round_number)
                for round_number in range(1, rounds_by_section[place.section.letter] + 1)
            ),
            footnote=_format_footnote(snapshot, place),
        )
        for place in snapshot.places
        if place.entry is not None
    ]


def _format_footnote(snapshot: SessionSnapshot, place: Place) -> str:
    """Return the text below the rounds of a guide card."""
    explanations = explain_notes(snapshot, snapshot.tables_by_place.get(place.pk, ()))
    return " ".join(
        filter(None, [*explanations, snapshot.describe_undrawn_rounds(place.section.letter)])
    )


def _describe_moves(snapshot: SessionSnapshot, section: Section) -> list[str]:
    topics = list_announcement_topics(snapshot.movements[section.letter])
    if is_knockout(section.options):
        topics[0] = _("Winners play on, as shown in the bracket.")
    return [*topics, *filter(None, [snapshot.describe_undrawn_rounds(section.letter)])]


def _format_movement_title(section: Section) -> str:
    custom_title = section.options.get("title", "")
    if section.movement == DRAWN_MOVEMENT_NAME:
        return _("Knock-out") if is_knockout(section.options) else _("Swiss")
    if custom_title or section.movement not in SYSTEMS_BY_NAME:
        return str(custom_title or _("our own movement"))
    table_count_text = ngettext("%(count)s table", "%(count)s tables", section.tables)
    return _("%(movement)s, %(tables)s") % {
        "movement": SYSTEMS_BY_NAME[section.movement].title,
        "tables": table_count_text % {"count": section.tables},
    }


def _build_wall_cell(
    snapshot: SessionSnapshot, section_letter: str, round_number: int, table_number: int
) -> WallCell:
    table_rounds = snapshot.rounds_by_table.get((section_letter, table_number), [])
    table_in_round = next(
        (seated_table for seated_table in table_rounds if seated_table.round == round_number),
        None,
    )
    if table_in_round is None:
        return WallCell("", "", "")  # the table is empty in this round
    if not table_in_round.is_played:
        return WallCell(
            ns=table_in_round.ns.short_label if table_in_round.ns.entries else "–",
            ew=table_in_round.ew.short_label if table_in_round.ew.entries else "–",
            boards="",
            note=_("sit-out"),
        )
    return WallCell(
        table_in_round.ns.short_label,
        table_in_round.ew.short_label,
        format_board_range(table_in_round.boards),
        _format_shared_boards(snapshot, section_letter, round_number, table_in_round),
    )


def _format_shared_boards(
    snapshot: SessionSnapshot, section_letter: str, round_number: int, table: SeatedTable
) -> str:
    """Return which tables share boards with a table, or which copy of the boards it uses.

    Empty if all tables play the same boards, because the sheet shows this elsewhere.
    """
    board_group, copy_number = snapshot.find_board_stack(table)
    sharing_table_numbers = snapshot.tables_by_stack[
        section_letter, round_number, (board_group, copy_number)
    ]
    other_table_labels = [
        snapshot.format_table_label(section_letter, other_table_number)
        for other_table_number in sharing_table_numbers
        if other_table_number != table.table_number
    ]
    if not other_table_labels:
        return ""
    if len(other_table_labels) > 2 and snapshot.count_board_copies(section_letter) > 1:
        return _("copy %(copy)s") % {"copy": format_copy_letter(copy_number)}
    stacks = [
        stack
        for stack_section_letter, stack_round_number, stack in snapshot.tables_by_stack
        if (stack_section_letter, stack_round_number) == (section_letter, round_number)
    ]
    if len(other_table_labels) > 2 and len(stacks) == 1:
        return ""
    template = ngettext(
        "shares with table %(table)s", "shares with tables %(table)s", len(other_table_labels)
    )
    return template % {"table": get_text_list(other_table_labels, _("and"))}


def _format_round_without_seat(
    snapshot: SessionSnapshot, place: Place, round_number: int
) -> str:
    """Return the text for a round without a seat: "sit-out"; in a knock-out "bye" or "out"."""
    if not snapshot.is_knockout(place.section.letter):
        return _("sit-out")
    earlier_tables_and_sides = (
        snapshot.seat_by_place_and_round.get((place.pk, earlier_round_number))
        for earlier_round_number in range(1, round_number)
    )
    return _("out") if any(earlier_tables_and_sides) else _("bye")


def _build_guide_line(
    snapshot: SessionSnapshot, place: Place, round_number: int
) -> PairGuideLine:
    table_and_side = snapshot.seat_by_place_and_round.get((place.pk, round_number))
    if table_and_side is None:
        return PairGuideLine(
            round_number,
            "",
            "",
            "",
            "",
            _format_round_without_seat(snapshot, place, round_number),
        )
    table, side_text = table_and_side
    if not table.is_played:
        seat_text = format_short_seat(find_seat(table, place.pk))
        return PairGuideLine(round_number, table.label, seat_text, "", "", _("sit-out"))
    own_side, other_side = (table.ns, table.ew) if side_text == "N-S" else (table.ew, table.ns)
    notes = [
        format_arrow_switch_note(snapshot, table),
        format_line_up(table),
        *list_shared_board_notes(snapshot, table),
    ]
    return PairGuideLine(
        round_number=round_number,
        table_label=table.label,
        seat_code=format_short_seat(find_seat(table, place.pk)),
        opponents=other_side.label,
        boards=format_board_range(table.boards),
        note="; ".join(note for note in notes if note),
        partner=find_partner_label(own_side, place.pk),
    )
