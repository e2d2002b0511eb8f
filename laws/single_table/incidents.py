"""Incidents at a single table, by the moment of play."""

from laws.single_table.values import Incident, IncidentGroup
from server.translation import gettext_noop as _

INCIDENT_GROUPS = (
    IncidentGroup(
        _("Forming the table"),
        (
            Incident(
                "more-than-four",
                _("More than four people want to play"),
                _("candidates six preference first come"),
            ),
            Incident(
                "equal-cuts", _("Players cut or drew equal cards"), _("tie partners cut again")
            ),
            Incident(
                "going-out", _("Someone is waiting: who goes out?"), _("come in retire turn")
            ),
            Incident(
                "leaving",
                _("A player leaves during a rubber"),
                _("substitute quits goes breaks up table"),
            ),
        ),
    ),
    IncidentGroup(
        _("Shuffling, cutting and dealing"),
        (
            Incident(
                "cut-exposed",
                _("A card shows while shuffling or cutting"),
                _("exposed face seen"),
            ),
            Incident(
                "shuffled-after-cut", _("The dealer shuffled after the cut"), _("reshuffle")
            ),
            Incident("not-cut", _("The pack was not cut"), _("omitted cut forgot")),
            Incident(
                "deal-exposed",
                _("A card is exposed during the deal"),
                _("shown faced dealing new deal"),
            ),
            Incident("faced-in-pack", _("A card is face up in the pack"), _("faced turned")),
            Incident(
                "bad-pack",
                _("The pack is wrong or incomplete"),
                _("imperfect missing card 51 53"),
            ),
            Incident(
                "misdeal",
                _("The cards were dealt wrongly"),
                _("misdeal counts two cards at once interrupted"),
            ),
            Incident(
                "wrong-count",
                _("A player has too many or too few cards"),
                _("12 14 thirteen fourteen short surplus"),
            ),
            Incident(
                "wrong-dealer",
                _("The wrong player deals, or with the wrong pack"),
                _("out of turn partner’s deal"),
            ),
            Incident(
                "wrong-hand",
                _("A player took up another hand, or a card of the other pack"),
                _("mixed packs"),
            ),
            Incident(
                "looked-at-trump",
                _("Someone looked at the trump card during the deal"),
                _("peeped"),
            ),
        ),
    ),
    IncidentGroup(
        _("The trump card"),
        (
            Incident(
                "trump-left",
                _("The trump card was left on the table"),
                _("turn-up not taken up"),
            ),
            Incident(
                "trump-named",
                _("A player names or asks for the trump card"),
                _("what are trumps which suit"),
            ),
            Incident(
                "trump-early",
                _("The dealer took up the trump card too early"),
                _("turn-up too soon wrong card shown"),
            ),
            Incident(
                "trump-forgotten",
                _("The dealer can’t remember the trump card"),
                _("forgot turn-up"),
            ),
        ),
    ),
    IncidentGroup(
        _("Cards shown, named or thrown down"),
        (
            Incident(
                "exposed",
                _("A card was dropped or shown during play"),
                _("exposed penalty card call called face up"),
            ),
            Incident("two-at-once", _("Two cards were played at once"), _("several together")),
            Incident("named", _("A player took out or named a card"), _("detached")),
            Incident(
                "winners",
                _("A player played winners without waiting for partner"),
                _("several tricks runs leads again"),
            ),
            Incident(
                "thrown-down",
                _("Players threw down their cards"),
                _("abandoned hands laid down"),
            ),
            Incident(
                "claim",
                _("A player claims the rest, or the game"),
                _("the rest are ours I can win all"),
            ),
        ),
    ),
    IncidentGroup(
        _("Leads and plays out of turn"),
        (
            Incident(
                "lead-out-of-turn",
                _("A player led out of turn"),
                _("wrong lead false lead call a suit"),
            ),
            Incident(
                "play-out-of-turn",
                _("A player played out of turn"),
                _("third before second fourth"),
            ),
            Incident(
                "missed-trick",
                _("A player did not play to a trick"),
                _("omitted one card left over"),
            ),
            Incident(
                "extra-card",
                _("A trick has a card too many"),
                _("two cards to one trick mixed"),
            ),
        ),
    ),
    IncidentGroup(
        _("Revokes"),
        (
            Incident(
                "revoke",
                _("A player did not follow suit (revoke)"),
                _("renounce failed penalty three tricks"),
            ),
            Incident(
                "revoke-noticed",
                _("A revoke is noticed in time"),
                _("corrects renounce asked partner no more of the suit"),
            ),
            Incident(
                "revoke-proof",
                _("A revoke is claimed: may the tricks be searched?"),
                _("prove mixed cards examine"),
            ),
            Incident("revoke-late", _("A revoke is claimed late"), _("next deal cut")),
            Incident("both-revoke", _("Both sides revoked"), _("each cancel")),
        ),
    ),
    IncidentGroup(
        _("Penalties"),
        (
            Incident(
                "disobeyed",
                _("A player did not play as told"),
                _("highest lowest called suit fails to comply"),
            ),
            Incident(
                "demand",
                _("Partners discuss a penalty, or demand a wrong one"),
                _("consult choose decision final"),
            ),
        ),
    ),
    IncidentGroup(
        _("Scoring and cards"),
        (
            Incident(
                "honours-late", _("Honours were claimed late"), _("not called four honours")
            ),
            Incident("wrong-score", _("The score is wrong"), _("mistake error points marker")),
            Incident(
                "torn-card", _("A card is torn or marked"), _("new pack fresh cards damaged")
            ),
        ),
    ),
    IncidentGroup(
        _("Looking, talking and bystanders"),
        (
            Incident(
                "attention",
                _("A player calls attention to the trick"),
                _("it’s ours draws in remark"),
            ),
            Incident(
                "last-trick",
                _("A player wants to see the last trick"),
                _("look turned quitted"),
            ),
            Incident("whose-card", _("Who played which card?"), _("place draw cards")),
            Incident(
                "bystander",
                _("A bystander makes a remark, or is asked"),
                _("spectator onlooker"),
            ),
        ),
    ),
)
FREQUENT_CODES = (
    "revoke",
    "lead-out-of-turn",
    "exposed",
    "play-out-of-turn",
    "misdeal",
    "trump-left",
)
"""The codes of the most frequent incidents, which the page offers first."""
