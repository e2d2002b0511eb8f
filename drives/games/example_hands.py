"""Builds example hands that show what the contracts of a points table are worth."""

from collections.abc import Collection, Iterator

from drives.games.contracts import TRICKS, Contract, Goal, PassedRule, PointsTable, Side
from drives.games.settling import BidHand, Settlement, settle_hand

MIN_CONTRACTS, MAX_CONTRACTS = 3, 6


def list_example_hands(
    points_table: PointsTable, changed_codes: Collection[str]
) -> list[Settlement]:
    """Settle a made and a lost hand of at least three contracts.

    The contracts with the codes in `changed_codes` come first. Hands with passed deals, a
    revoke and doubling follow if the points table has rules for them.
    """
    contracts = list(_choose_contracts(points_table, changed_codes))
    hands = [hand for contract in contracts for hand in _list_hands(contract)]
    hands += _list_term_hands(points_table, contracts)
    return [settle_hand(points_table, hand) for hand in hands]


def _choose_contracts(
    points_table: PointsTable, changed_codes: Collection[str]
) -> Iterator[Contract]:
    """Yield the contracts for which examples are shown, in three steps.

    The contracts that the club has changed come first. If these are fewer than
    `MIN_CONTRACTS`, one contract of each other kind (`_get_kind`) follows, then any others.
    """
    chosen_contracts = [
        contract
        for contract in points_table.playable_contracts
        if contract.code in changed_codes
    ][:MAX_CONTRACTS]
    kinds = {_get_kind(contract) for contract in chosen_contracts}
    for contract in points_table.playable_contracts:
        if (
            len(chosen_contracts) < MIN_CONTRACTS
            and contract not in chosen_contracts
            and _get_kind(contract) not in kinds
        ):
            chosen_contracts.append(contract)
            kinds.add(_get_kind(contract))
    other_contracts = [
        contract
        for contract in points_table.playable_contracts
        if contract not in chosen_contracts
    ]
    yield from [
        *chosen_contracts,
        *other_contracts[: max(0, MIN_CONTRACTS - len(chosen_contracts))],
    ]


def _get_kind(contract: Contract) -> tuple[bool, Goal]:
    """Return whether two players play the contract together, and its goal."""
    return contract.rule.side in (Side.PAIR, Side.PAIR_OR_ALONE), contract.rule.goal


def _list_hands(contract: Contract) -> Iterator[BidHand]:
    rule, wants = contract.rule, contract.rule.wants or 0
    declarers = (1, 3) if rule.side in (Side.PAIR, Side.PAIR_OR_ALONE) else (2,)
    if rule.goal is Goal.LOSES:
        yield BidHand(contract=contract, declarers=declarers)
    elif rule.is_flat:
        yield BidHand(contract=contract, declarers=declarers, made=(True,))
        yield BidHand(contract=contract, declarers=declarers, made=(False,))
    else:
        yield BidHand(contract=contract, declarers=declarers, tricks=(min(wants + 1, TRICKS),))
        if wants:
            yield BidHand(contract=contract, declarers=declarers, tricks=(wants - 1,))


def _list_term_hands(points_table: PointsTable, contracts: list[Contract]) -> Iterator[BidHand]:
    contracts_with_tricks = (
        contract for contract in contracts if contract.rule.goal is Goal.AT_LEAST
    )
    first_contract = next(contracts_with_tricks, None)
    if first_contract is None:
        return
    declarers = (1, 3) if first_contract.rule.side in (Side.PAIR, Side.PAIR_OR_ALONE) else (2,)
    tricks = (min((first_contract.rule.wants or 0) + 1, TRICKS),)
    if points_table.passed is not PassedRule.REDEAL:
        yield BidHand(contract=first_contract, declarers=declarers, tricks=tricks, passed=2)
    if points_table.revoke is not None:
        yield BidHand(contract=first_contract, declarers=declarers, tricks=tricks, revokes=1)
    for times in points_table.times[:1]:
        yield BidHand(contract=first_contract, declarers=declarers, tricks=tricks, times=times)
