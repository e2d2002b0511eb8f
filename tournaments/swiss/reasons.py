"""Sentences that explain a draw: the opponents and their sides, and the sit-out."""

from collections import Counter
from collections.abc import Iterable
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.movements.formatting import join_names
from tournaments.swiss.field import (
    DrawField,
    DrawMethod,
    DrawnRound,
    Entry,
    EntryId,
    OddRule,
    SeatPreference,
    get_id_sort_key,
)
from tournaments.swiss.later_rounds import count_rounds_to_protect
from tournaments.swiss.matching import Edge
from tournaments.swiss.objective import CostLevel
from tournaments.swiss.round_choice import RoundChooser, find_first_difference

MAX_NAMED_CANDIDATES = 3  # the maximum number of sentences about other candidates


def capitalise(text: str) -> str:
    """Return a text with a capital first letter; the rest is unchanged."""
    return text[:1].upper() + text[1:]


def _format_rounds(drawn_rounds: Iterable[DrawnRound]) -> str:
    """Return rounds as text by their numbers, with the session if it is an earlier one."""
    message = _("%(round)s of session %(session)s")
    return join_names(
        [
            str(drawn_round.number)
            if drawn_round.session_number is None
            else message % {"round": drawn_round.number, "session": drawn_round.session_number}
            for drawn_round in drawn_rounds
        ]
    )


class DrawReasons:
    """The explanations of one draw; if `is_by_seeds` is True, the seeds decided the matches."""

    def __init__(
        self,
        draw_field: DrawField,
        pairs: Iterable[tuple[EntryId, EntryId]],
        *,
        is_by_seeds: bool = False,
    ) -> None:
        self.draw_field = draw_field
        self.is_by_seeds = is_by_seeds
        self.opponent_by_entry: dict[EntryId, EntryId] = {}
        for ns_id, ew_id in pairs:
            self.opponent_by_entry[ns_id], self.opponent_by_entry[ew_id] = ew_id, ns_id
        self.entry_by_id: dict[EntryId, Entry] = {
            entry.id: entry for entry in draw_field.present_entries
        }

    def explain_match(self, ns: EntryId, ew: EntryId) -> str:
        """Explain why two entries meet, and how their sides were assigned."""
        sentences = [self._describe_meeting(ns, ew)]
        if not self.is_by_seeds:
            sentences += [
                self._describe_repeat(ns, ew),
                self._describe_kept_apart_entries(ns, ew),
            ]
            sentences += [self._explain_distant_opponent(ns, ew), self._describe_sides(ns, ew)]
        return " ".join(capitalise(sentence) for sentence in sentences if sentence)

    def explain_sit_out(self, id_: EntryId) -> str:
        """Explain why an entry sits out."""
        sentences = [self._describe_sit_out(id_)]
        if not (self.is_by_seeds or self._is_drawn_by_lot):
            sentences += [
                self._explain_other_sit_out(other_id)
                for other_id in self._list_lower_scoring_entries(id_)[:MAX_NAMED_CANDIDATES]
            ]
        return " ".join(capitalise(sentence) for sentence in sentences)

    @property
    def _is_drawn_by_lot(self) -> bool:
        return self.draw_field.is_by_lot or self.draw_field.method is DrawMethod.RANDOM

    @property
    def _has_three_way_match(self) -> bool:
        return (
            self.draw_field.odd_rule is OddRule.THREE_WAY
            and len(self.draw_field.present_entries) % 2 == 1
        )

    def _describe_sit_out(self, id_: EntryId) -> str:
        sit_out_count = self.draw_field.sit_out_count_by_entry[id_]
        placeholders = {"who": self._format_entry(id_), "times": sit_out_count}
        if self.is_by_seeds:
            return _("%(who)s sits out (lowest seed).") % placeholders
        if sit_out_count:
            return self._format_repeated_sit_out(sit_out_count) % placeholders
        if self._is_drawn_by_lot:
            return _("%(who)s sits out (random draw).") % placeholders
        if self._list_lower_scoring_entries(id_):
            return _("%(who)s sits out.") % placeholders
        other_entries = (entry for entry in self.draw_field.present_entries if entry.id != id_)
        if any(self.draw_field.sit_out_count_by_entry[entry.id] for entry in other_entries):
            return _("%(who)s sits out: lowest of those who haven’t yet.") % placeholders
        return (
            _("%(who)s sits out: no one is lower, and no one has sat out yet.") % placeholders
        )

    def _format_repeated_sit_out(self, sit_out_count: int) -> str:
        if any(
            self.draw_field.sit_out_count_by_entry[entry.id] < sit_out_count
            for entry in self.draw_field.present_entries
        ):
            return ngettext(
                "%(who)s sits out again after %(times)s time, to avoid more repeat matches.",
                "%(who)s sits out again after %(times)s times, to avoid more repeat matches.",
                sit_out_count,
            )
        return ngettext(
            "%(who)s sits out again after %(times)s time: no one has sat out less often.",
            "%(who)s sits out again after %(times)s times: no one has sat out less often.",
            sit_out_count,
        )

    def _list_lower_scoring_entries(self, id_: EntryId) -> list[EntryId]:
        """Return the lower-scoring entries with as many sit-outs, the lowest first."""
        own_score, sit_out_count = (
            self.entry_by_id[id_].cents,
            self.draw_field.sit_out_count_by_entry[id_],
        )
        lower_scoring_entries = (
            entry
            for entry in self.draw_field.present_entries
            if entry.cents < own_score
            and self.draw_field.sit_out_count_by_entry[entry.id] == sit_out_count
        )
        return [
            entry.id
            for entry in sorted(
                lower_scoring_entries,
                key=lambda lower_entry: (lower_entry.cents, get_id_sort_key(lower_entry.id)),
            )
        ]

    def _explain_other_sit_out(self, other_id: EntryId) -> str:
        """Explain the disadvantage of the best draw in which another entry sits out."""
        placeholders = {"other": self._format_rank(other_id)}
        best_round = self._round_chooser.find_best_round(sit_out_id=other_id)
        drawn_costs, other_costs = map(
            self._round_chooser.compute_costs, (self._drawn_edges, best_round)
        )
        cost_level = find_first_difference(drawn_costs, other_costs)
        if cost_level == CostLevel.EARLIER_MEETINGS and drawn_costs < other_costs:
            return _("If %(other)s sat out, there would be more repeat matches.") % placeholders
        is_without_repeats = not (
            drawn_costs[CostLevel.EARLIER_MEETINGS] or drawn_costs[CostLevel.EARLIER_SIT_OUTS]
        )
        drawn_protected_round_count, other_protected_round_count = map(
            self._round_chooser.count_protected_rounds, (self._drawn_edges, best_round)
        )
        if is_without_repeats and drawn_protected_round_count > other_protected_round_count:
            return (
                _("If %(other)s sat out, a later round would have more repeat matches.")
                % placeholders
            )
        if cost_level == CostLevel.AVOIDED_MATCH and drawn_costs < other_costs:
            return (
                _("If %(other)s sat out, more who must be kept apart would meet.")
                % placeholders
            )
        if cost_level == CostLevel.STATIONARY_CONFLICT and drawn_costs < other_costs:
            return _("If %(other)s sat out, more stationary pairs would meet.") % placeholders
        return ""

    @cached_property
    def _round_chooser(self) -> RoundChooser:
        return RoundChooser(self.draw_field)

    @cached_property
    def _index_by_id(self) -> dict[EntryId, int]:
        return {entry.id: index for index, entry in enumerate(self.draw_field.present_entries)}

    @cached_property
    def _drawn_edges(self) -> list[Edge]:
        """The edges of the explained draw, by the indexes of the entries."""
        edges = {
            self._get_edge(entry_id, opponent_id)
            for entry_id, opponent_id in self.opponent_by_entry.items()
        }
        sit_out_indexes = [
            index
            for id_, index in self._index_by_id.items()
            if id_ not in self.opponent_by_entry
        ]
        return [
            *edges,
            *((index, self._round_chooser.entry_count) for index in sit_out_indexes),
        ]

    def _get_edge(self, id_: EntryId, other_id: EntryId) -> Edge:
        lower_index, higher_index = sorted(
            (self._index_by_id[id_], self._index_by_id[other_id])
        )
        return lower_index, higher_index

    def _describe_meeting(self, ns: EntryId, ew: EntryId) -> str:
        first_id, second_id = sorted(
            (ns, ew), key=lambda id_: (self.draw_field.rank_by_entry[id_], get_id_sort_key(id_))
        )
        if self.is_by_seeds:
            message = _("%(one)s plays %(other)s (by seeds).")
        elif self._is_drawn_by_lot:
            message = _("%(one)s plays %(other)s (random draw).")
        else:
            message = _("%(one)s plays %(other)s.")
        return message % {
            "one": self._format_entry(first_id),
            "other": self._format_entry(second_id),
        }

    def _describe_repeat(self, ns: EntryId, ew: EntryId) -> str:
        meeting_rounds = self.draw_field.rounds_by_pairing.get(frozenset((ns, ew)), [])
        if not meeting_rounds:
            return ""
        if self.draw_field.method is DrawMethod.DANISH:
            message = _("They met in round %(rounds)s, which doesn’t count here.")
        elif self._has_three_way_match:
            message = _("They met in round %(rounds)s. No draw found has fewer repeat matches.")
        else:
            message = _(
                "They met in round %(rounds)s. Every possible draw has at "
                "least this many repeat matches."
            )
        return message % {"rounds": _format_rounds(meeting_rounds)}

    def _describe_kept_apart_entries(self, ns: EntryId, ew: EntryId) -> str:
        if frozenset((ns, ew)) not in self.draw_field.separated_pairings:
            return ""
        return _("They should be kept apart, but other draws have more repeats or sit-outs.")

    def _explain_distant_opponent(self, ns: EntryId, ew: EntryId) -> str:
        """Explain why the higher-ranked entry does not play one with a closer score."""
        if self._is_drawn_by_lot:
            return ""
        higher_id, lower_id = sorted(
            (ns, ew), key=lambda id_: (self.draw_field.rank_by_entry[id_], get_id_sort_key(id_))
        )
        drawn_distance = abs(
            self.entry_by_id[higher_id].cents - self.entry_by_id[lower_id].cents
        )
        closer_opponent_ids = sorted(
            (
                entry.id
                for entry in self.draw_field.present_entries
                if entry.id not in (higher_id, lower_id)
                and self.draw_field.rank_by_entry[entry.id]
                >= self.draw_field.rank_by_entry[higher_id]
                and abs(entry.cents - self.entry_by_id[higher_id].cents) < drawn_distance
            ),
            key=lambda id_: (self.draw_field.rank_by_entry[id_], get_id_sort_key(id_)),
        )
        sentences = [
            self._explain_missed_match(higher_id, closer_opponent_id)
            for closer_opponent_id in closer_opponent_ids[:3]
        ]
        return " ".join(capitalise(sentence) for sentence in sentences if sentence)

    def _explain_missed_match(self, higher_id: EntryId, closer_opponent_id: EntryId) -> str:
        placeholders = {
            "one": self._format_rank(higher_id),
            "other": self._format_rank(closer_opponent_id),
        }
        meeting_rounds = self.draw_field.rounds_by_pairing.get(
            frozenset((higher_id, closer_opponent_id)), []
        )
        if meeting_rounds and self.draw_field.method is not DrawMethod.DANISH:
            placeholders["rounds"] = _format_rounds(meeting_rounds)
            return _("%(one)s and %(other)s met in round %(rounds)s.") % placeholders
        if frozenset((higher_id, closer_opponent_id)) in self.draw_field.separated_pairings:
            return _("%(one)s and %(other)s are kept apart.") % placeholders
        if (
            self.entry_by_id[higher_id].seat
            is self.entry_by_id[closer_opponent_id].seat
            is SeatPreference.STAYS
        ):
            return _("%(one)s and %(other)s are both stationary.") % placeholders
        rival_id = self.opponent_by_entry.get(closer_opponent_id)
        if rival_id is None:
            if self._has_three_way_match:
                return _("%(other)s plays a match of three.") % placeholders
            return _("%(other)s sits out.") % placeholders
        return self._explain_exchange(higher_id, closer_opponent_id, rival_id)

    def _explain_exchange(
        self, higher_id: EntryId, closer_opponent_id: EntryId, rival_id: EntryId
    ) -> str:
        """Explain the disadvantage of a draw that exchanges the opponents of two entries."""
        opponent_id = self.opponent_by_entry[higher_id]
        placeholders = {
            "other": self._format_rank(closer_opponent_id),
            "rival": self._format_rank(rival_id),
            "left": self._format_rank(opponent_id),
        }
        drawn_edges = [
            self._get_edge(higher_id, opponent_id),
            self._get_edge(closer_opponent_id, rival_id),
        ]
        other_edges = [
            self._get_edge(higher_id, closer_opponent_id),
            self._get_edge(opponent_id, rival_id),
        ]
        drawn_costs, other_costs = map(
            self._round_chooser.compute_costs, (drawn_edges, other_edges)
        )
        cost_level = find_first_difference(drawn_costs, other_costs)
        if other_costs < drawn_costs:
            has_rounds_to_protect = count_rounds_to_protect(self.draw_field) > 0
            message = _("%(other)s plays %(rival)s, so that later rounds need no repeat.")
            return message % placeholders if has_rounds_to_protect else ""
        messages_by_level = {
            CostLevel.EARLIER_MEETINGS: _(
                "%(other)s plays %(rival)s: %(rival)s and %(left)s have met."
            ),
            CostLevel.AVOIDED_MATCH: _(
                "%(other)s plays %(rival)s: %(rival)s and %(left)s are kept apart."
            ),
            CostLevel.STATIONARY_CONFLICT: _(
                "%(other)s plays %(rival)s: %(rival)s and %(left)s are stationary."
            ),
            CostLevel.SCORES: _(
                "%(other)s plays %(rival)s: the two matches are closer together."
            ),
            CostLevel.SIDE_WISHES: _(
                "%(other)s plays %(rival)s, so that more sit North-South as they prefer."
            ),
            CostLevel.SIDE_BALANCE: _(
                "%(other)s plays %(rival)s, so that sides are more even."
            ),
            CostLevel.LOT: _("%(other)s plays %(rival)s (random draw between equals)."),
        }
        return (
            messages_by_level[CostLevel.LOT if cost_level is None else CostLevel(cost_level)]
            % placeholders
        )

    def _describe_sides(self, ns: EntryId, ew: EntryId) -> str:
        ns_balance, ew_balance = (
            self.draw_field.side_balance_by_entry[ns],
            self.draw_field.side_balance_by_entry[ew],
        )
        placeholders = {"ns": self._format_rank(ns), "ew": self._format_rank(ew)}
        is_team_contest = self.draw_field.kind == "teams"
        if self.entry_by_id[ns].seat is SeatPreference.STAYS:
            return (
                _("%(ns)s at home.")
                if is_team_contest
                else _("%(ns)s is stationary North-South.")
            ) % placeholders
        if self.entry_by_id[ns].seat is SeatPreference.NORTH_SOUTH and ns_balance >= ew_balance:
            return _("%(ns)s North-South, as preferred.") % placeholders
        if ns_balance >= ew_balance:
            return _("Sides drawn at random.") if ns_balance == ew_balance else ""
        messages = (
            (
                _("%(ew)s away, after more home than away matches."),
                _("%(ns)s at home, after more away than home matches."),
            )
            if is_team_contest
            else (
                _("%(ew)s East-West, after more rounds North-South."),
                _("%(ns)s North-South, after more rounds East-West."),
            )
        )
        return messages[ew_balance <= 0] % placeholders

    def _format_entry(self, id_: EntryId) -> str:
        """Return an entry's rank and score as text; in a first round, its name or number."""
        if self.draw_field.is_by_lot:
            return str(self.entry_by_id[id_].name or id_)
        score = self.entry_by_id[id_].cents
        sign = "−" if score < 0 else ""
        return f"{self._format_rank(id_)} ({sign}{abs(score) // 100}.{abs(score) % 100:02d})"

    def _format_rank(self, id_: EntryId) -> str:
        """Return an entry's rank as text, or its name or number if others have the same rank.

        The text is "place 4", because "no. 4" on a score slip is the number of an entry.
        """
        rank = self.draw_field.rank_by_entry[id_]
        if self._entry_counts_by_rank[rank] > 1:
            return str(self.entry_by_id[id_].name or id_)
        return _("place %(rank)s") % {"rank": rank}

    @cached_property
    def _entry_counts_by_rank(self) -> Counter[int]:
        return Counter(self.draw_field.rank_by_entry.values())
