from collections.abc import Iterator
from dataclasses import fields

import pytest
from django.utils.translation import trans_real

from scoring.methods import (
    METHODS_BY_NAME,
    UnknownMethod,
    build_plain_line,
    find_method_for_contest,
)
from scoring.methods.apply_rulings import apply_rulings
from scoring.methods.explanations import build_field_average_explainer, explain_placing
from scoring.methods.ranking import rank_entries
from scoring.methods.remedies import ImpossibleRuling, PlayResult
from scoring.methods.result_line import ResultLine, build_average_line
from scoring.methods.revoke_penalty import RevokeLawReading, RevokeLimits, penalise_side
from scoring.methods.steps import EXACT_FORMATTERS, Step, render_step_with_parts
from scoring.methods.tie_breaks import TIE_BREAKS_BY_NAME, build_tie_break_functions
from server.translation import TranslatedField
from tests.scoring.methods.plays import F


def build_pair_lines() -> list[ResultLine]:
    """Return three pairs each way over two deals, with an average and a fractional trick."""
    return [
        build_plain_line(1, (1,), (4,), 8),
        build_plain_line(1, (2,), (5,), 7),
        build_plain_line(1, (3,), (6,), F(13, 2)),
        build_plain_line(2, (1,), (5,), 1),
        build_average_line(2, (2,), (6,)),
        ResultLine(2, (3,), (4,), 5, 8, is_overplay=True),
    ]


def list_steps() -> Iterator[Step]:
    lines, teams = (
        build_pair_lines(),
        [build_plain_line(1, (1,), (2,), 8), build_plain_line(1, (2,), (1,), 6)],
    )
    for method in METHODS_BY_NAME.values():
        yield method.explain_entry(teams if "teams" in method.contests else lines, 1)
    level_lines = [
        build_plain_line(1, (1,), (4,), 8),
        build_plain_line(1, (2,), (5,), 7),
        build_plain_line(1, (3,), (6,), 7),
    ]
    for whole in (False, True):
        explain_entry = build_field_average_explainer(
            level_lines, {1, 2, 3}, "pairs", has_whole_averages=whole
        )
        for entry in (1, 2):
            explanation = explain_entry(entry)
            assert explanation is not None
            yield explanation
    scores = {1: F(7), 2: F(5), 3: F(5), 4: F(5)}
    placings = rank_entries(
        scores, tie_breaks_by_name=build_tie_break_functions(["net_tricks"], lines)
    )
    for entry in scores:
        yield explain_placing(placings, entry)


def test_every_explanation_sentence_is_in_the_readers_language(use_marked_language):
    formatters = EXACT_FORMATTERS | {"deal": str}
    for step in list_steps():
        for sentence in render_step_with_parts(step, formatters):
            assert sentence.startswith("«"), sentence
            assert sentence.endswith("»"), sentence


def test_method_and_tie_break_labels_are_in_the_readers_language(use_marked_language):
    for method in METHODS_BY_NAME.values():
        lines = [
            getattr(method, field.name)
            for field in fields(method)
            if field.type is TranslatedField
        ]
        assert {line[0] for line in lines} == {"«"}
    assert {item.title[0] for item in TIE_BREAKS_BY_NAME.values()} == {"«"}


def test_reason_for_a_revoke_limit_is_translated_when_shown(use_marked_language):
    penalty = penalise_side(
        8,
        1,
        0,
        RevokeLimits(average=F(5)),
        revoke_law_reading=RevokeLawReading.NEVER_ABOVE_AVERAGE,
    )
    assert penalty.limit_message.endswith("above average on this deal. Also taken: {more}.")
    assert "«" not in penalty.limit_message


def test_error_message_is_in_the_readers_language(use_marked_language):
    with pytest.raises(UnknownMethod, match=r"^«matchpoints doesn’t work for teams events.*»$"):
        find_method_for_contest("teams", "matchpoints")
    with pytest.raises(ImpossibleRuling, match=r"^«Enter 0–13 tricks, not 14\.»$"):
        PlayResult(1, 1, (1,), (2,), 14)


def test_scoring_calls_no_translation(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail_if_called(*arguments: object) -> str:
        raise AssertionError(arguments)

    for name in ("gettext", "ngettext"):
        monkeypatch.setattr(trans_real, name, fail_if_called)
    for method in METHODS_BY_NAME.values():
        scores = method.score(build_pair_lines())
        assert rank_entries(
            scores,
            ranking_values_by_entry=method.compute_ranking_values
            and method.compute_ranking_values(build_pair_lines()),
        )
        assert method.compute_line_scores is None or method.compute_line_scores(
            build_pair_lines()
        )
    assert apply_rulings([PlayResult(1, 1, (1,), (2,), 8)], {}, is_pair_match=True)[
        0
    ].result_line
