"""URLs of scores, rulings, papers and results."""

from django.urls import URLPattern, URLResolver, include, path

from scoring.api import brackets as api_brackets
from scoring.api import changes as api_changes
from scoring.api import draws as api_draws
from scoring.api import evening as api_evening
from scoring.api import events as api_events
from scoring.api import papers as api_papers
from scoring.api import results as api_results
from scoring.api import rulings as api_rulings
from scoring.api import session_data as api_session_data
from scoring.api import stages as api_stages
from scoring.api import standings as api_standings
from scoring.api import terms as api_terms
from scoring.views import (
    assistant,
    card_pictures,
    changes,
    deal_entry,
    deals_public,
    doubts,
    draws,
    explanations,
    fields,
    grid_updates,
    knockouts,
    old_results,
    papers,
    play_entry,
    plays,
    public,
    recaps,
    rulings,
    scores,
    stages,
    standings_pictures,
    terms,
    trays,
)

# URLs below /
public_urls: list[URLPattern] = [
    path("worked-hands/", plays.show_worked_hands, name="worked_hands"),
    path("worked-hands/<slug:name>/", plays.show_worked_hand, name="worked_hand"),
    path("plays/<int:pk>/", plays.show_play_record, name="play"),
    path("old-results/", old_results.show_old_results, name="old_results"),
]

# URLs below /events/<slug>/
event_urls: list[URLPattern] = [
    path("", public.show_event, name="event"),
    path("standings/", public.show_standings, name="standings"),
    path("standings.png", standings_pictures.show_standings_picture, name="standings_picture"),
    path("entries/<int:entry_number>/", public.show_scorecard, name="scorecard"),
    path(
        "entries/<int:entry_number>/card.png",
        card_pictures.show_card_picture,
        name="card_picture",
    ),
    path(
        "entries/<int:entry_number>/explained/", explanations.show_explanation, name="explained"
    ),
    path("recap/", recaps.show_recap, name="recap"),
    path("pairings/", draws.show_pairings, name="pairings"),
    path("bracket/", knockouts.show_bracket, name="bracket"),
    path("prizes/", fields.show_awards, name="awards"),
    path("boards/", public.show_travellers, name="travellers"),
    path("boards/<int:board_number>/", public.show_board, name="traveller"),
    path("deals/", deals_public.show_deals, name="event_deals"),
    path("deals/proof.json", deals_public.download_proof, name="deals_proof"),
    path("deals/verify/", deals_public.show_verification, name="deals_verify"),
]

# URLs below /director/plays/
play_urls: list[URLPattern] = [path("new/", play_entry.record_single_play, name="play_alone")]

# URLs below /director/papers/<pk>/
paper_urls: list[URLPattern] = [path("<int:pk>/", papers.download_paper, name="paper")]

# URLs below /director/events/<slug>/
director_urls: list[URLPattern] = [
    path("scores/", scores.edit_scores, name="scores"),
    path("scores/changes/", grid_updates.list_grid_changes, name="scores_changes"),
    path("result/", scores.save_result, name="result"),
    path("result/doubt/", doubts.decide_query, name="result_doubt"),
    path("scoring/", terms.edit_terms, name="terms"),
    path("ruling/", assistant.show_assistant, name="assistant"),
    path("ruling/record/", assistant.record_advice, name="assistant_record"),
    path("rulings/", rulings.show_rulings, name="rulings"),
    path("rulings/play/", rulings.show_ruling_panel, name="ruling_panel"),
    path("rulings/make/", rulings.make_ruling, name="ruling_make"),
    path("rulings/penalty/", rulings.make_penalty, name="penalty_make"),
    path("rulings/withdraw/", rulings.withdraw_ruling, name="ruling_withdraw"),
    path(
        "entries/<int:entry_number>/explained/",
        explanations.show_director_explanation,
        name="director_explained",
    ),
    path("papers/", papers.show_papers, name="papers"),
    path("papers/status/", papers.show_papers_status, name="papers_status"),
    path("papers/order/", papers.order_one_paper, name="paper_order"),
    path("papers/size/", papers.set_paper_size, name="paper_size"),
    path("change/", changes.change_seating, name="changes"),
    path("movement/swiss/", draws.set_up_swiss, name="swiss"),
    path("rounds/", draws.manage_draws, name="draws"),
    path("stages/", stages.edit_stages, name="stages"),
    path("bracket/", knockouts.edit_bracket, name="bracket_desk"),
    path("seeds/", fields.edit_seeds, name="seeds"),
    path("prizes/", fields.edit_prizes, name="prizes"),
    path("change/<int:pk>/undo/", changes.undo_seating_change, name="change_undo"),
    path("deals/tray/", trays.show_tray, name="tray"),
    path("boards/<int:board_number>/deal/", deal_entry.enter_deal, name="deal_entry"),
    path("boards/<int:board_number>/play/", play_entry.record_board_play, name="play_of_board"),
    path("boards/<int:board_number>/play/check/", play_entry.check_play, name="play_check"),
]

# URLs below /api/events/<slug>/sessions/<number>/
api_session_urls: list[URLPattern] = [
    path("open/", api_evening.open_session, name="api-open"),
    path("close/", api_evening.close_session, name="api-close"),
    path("reopen/", api_evening.reopen_session, name="api-reopen"),
    path("setup/", api_evening.return_session_to_setup, name="api-setup"),
    path("boards/", api_evening.board_list, name="api-boards"),
    path("sittings/", api_session_data.sitting_list, name="api-sittings"),
    path("results/", api_session_data.result_list, name="api-results"),
    path("rulings/", api_rulings.ruling_list, name="api-rulings"),
    path("rulings/<int:pk>/withdraw/", api_rulings.withdraw_ruling, name="api-ruling-withdraw"),
    path("travellers/", api_session_data.traveller_list, name="api-travellers"),
    path("travellers/<int:board>/", api_session_data.traveller_detail, name="api-traveller"),
    path("cards/<int:entry>/", api_session_data.scorecard_detail, name="api-card"),
    path("papers/", api_papers.paper_list, name="api-papers"),
    path("papers/<int:pk>/", api_papers.paper_detail, name="api-paper"),
    path("changes/", api_changes.seating_change_list, name="api-changes"),
    path("rounds/", api_draws.round_list, name="api-rounds"),
    path("rounds/<int:round>/undo/", api_draws.undo_round_draw, name="api-round-undo"),
    path("changes/ways/", api_changes.continuation_list, name="api-change-ways"),
    path("change/<int:pk>/undo/", api_changes.undo_seating_change, name="api-change-undo"),
]

# URLs below /api/
api_urls: list[URLPattern | URLResolver] = [
    path("events/", api_events.event_list, name="api-events"),
    path("events/<slug:slug>/", api_events.event_detail, name="api-event"),
    path("events/<slug:slug>/standings/", api_standings.standings_detail, name="api-standings"),
    path("events/<slug:slug>/scoring/", api_terms.scoring_detail, name="api-scoring"),
    path("events/<slug:slug>/stage/", api_stages.stage_detail, name="api-stage"),
    path("events/<slug:slug>/stage/draw/", api_stages.draw_finals, name="api-stage-draw"),
    path(
        "events/<slug:slug>/stage/undraw/", api_stages.undo_finals_draw, name="api-stage-undraw"
    ),
    path("events/<slug:slug>/bracket/", api_brackets.bracket_detail, name="api-bracket"),
    path(
        "events/<slug:slug>/bracket/<int:round>/<int:match>/",
        api_brackets.record_match_score,
        name="api-bracket-match",
    ),
    path("events/<slug:slug>/field/", api_stages.field_detail, name="api-field"),
    path("events/<slug:slug>/prizes/", api_stages.prize_list, name="api-prizes"),
    path("events/<slug:slug>/sessions/<int:number>/", include(api_session_urls)),
    path(
        "sittings/<int:pk>/results/<int:board>/", api_results.result_detail, name="api-result"
    ),
    path(
        "sittings/<int:pk>/boards/<int:board>/",
        api_results.record_actual_board,
        name="api-board-right",
    ),
    path(
        "sittings/<int:pk>/results/<int:board>/keep/",
        api_results.accept_result,
        name="api-keep",
    ),
]
