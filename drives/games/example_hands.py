"""Builds example hands that show what the contracts of a points table are worth."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from drives.games.contracts import (
    TRICKS_PER_DEAL,
    Contract,
    DeclaringSide,
    PassedDealRule,
    PointsTable,
    TrickGoal,
)
from drives.games.settling import BidHand, Settlement, settle_hand

MIN_EXAMPLE_CONTRACTS, MAX_EXAMPLE_CONTRACTS = 3, 6


def settle_example_hands(
    points_table: PointsTable, changed_codes: Collection[str]
) -> list[Settlement]:
    """Settle a made and a lost hand of at least three contracts.

    The contracts with the codes in `changed_codes` come first. Hands with passed deals, a
    revoke and doubling follow if the points table has rules for them.
    """
    contracts = _choose_contracts(points_table, changed_codes)
    hands = [hand for contract in contracts for hand in _list_hands(contract)]
    hands += _iter_special_rule_hands(points_table, contracts)
    return [settle_hand(points_table, hand) for hand in hands]


def _choose_contracts(
    points_table: PointsTable, changed_codes: Collection[str]
) -> list[Contract]:
    """Return the contracts for which examples are shown, in three steps.

    The contracts that the club has changed come first. If these are fewer than
    `MIN_EXAMPLE_CONTRACTS`, one contract of each other kind (`_classify_contract`) follows,
    then any others.
    """
    playable_contracts = points_table.playable_contracts
    chosen_contracts = [
        contract for contract in playable_contracts if contract.code in changed_codes
    ][:MAX_EXAMPLE_CONTRACTS]
    shown_contract_kinds = {_classify_contract(contract) for contract in chosen_contracts}
    for contract in playable_contracts:
        if (
            len(chosen_contracts) < MIN_EXAMPLE_CONTRACTS
            and _classify_contract(contract) not in shown_contract_kinds
        ):
            chosen_contracts.append(contract)
            shown_contract_kinds.add(_classify_contract(contract))
    other_contracts = [
        contract for contract in playable_contracts if contract not in chosen_contracts
    ]
    missing_count = max(0, MIN_EXAMPLE_CONTRACTS - len(chosen_contracts))
    return chosen_contracts + other_contracts[:missing_count]


def _classify_contract(contract: Contract) -> tuple[bool, TrickGoal]:
    """Return whether two players play the contract together, and its goal."""
    return contract.rule.side in (
        DeclaringSide.PAIR,
        DeclaringSide.PAIR_OR_ALONE,
    ), contract.rule.goal


def _list_hands(contract: Contract) -> Iterator[BidHand]:
    hand, required_tricks = _build_hand(contract), contract.rule.wants or 0
    if contract.rule.goal is TrickGoal.ALWAYS_LOSES:
        yield hand
    elif contract.rule.is_flat_rate:
        yield replace(hand, made_results=(True,))
        yield replace(hand, made_results=(False,))
    else:
        yield replace(hand, tricks=(min(required_tricks + 1, TRICKS_PER_DEAL),))
        if required_tricks:
            yield replace(hand, tricks=(required_tricks - 1,))


def _build_hand(contract: Contract) -> BidHand:
    """Return a hand with the contract's players, and without a result."""
    is_for_two_players, _goal = _classify_contract(contract)
    return BidHand(contract=contract, declarers=(1, 3) if is_for_two_players else (2,))


def _iter_special_rule_hands(
    points_table: PointsTable, contracts: Sequence[Contract]
) -> Iterator[BidHand]:
    contract = next(
        (contract for contract in contracts if contract.rule.goal is TrickGoal.AT_LEAST), None
    )
    if contract is None:
        return
    tricks = min((contract.rule.wants or 0) + 1, TRICKS_PER_DEAL)
    hand = replace(_build_hand(contract), tricks=(tricks,))
    if points_table.passed is not PassedDealRule.REDEAL:
        yield replace(hand, passed=2)
    if points_table.revoke is not None:
        yield replace(hand, revokes=1)
    for table_multiplier in points_table.times[:1]:
        yield replace(hand, table_multiple=table_multiplier)
