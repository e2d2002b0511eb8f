"""Example hands that show what the contracts of a table of points are worth."""

from collections.abc import Collection, Iterator

from drives.games.contracts import TRICKS, Contract, Goal, PassedRule, PointsTable, Side
from drives.games.settling import BidHand, Settlement, settle_hand

MIN_CONTRACTS, MAX_CONTRACTS = 3, 6


def list_example_hands(table: PointsTable, changed: Collection[str]) -> list[Settlement]:
    """Settle a made and a lost hand of at least three contracts.

    The contracts with the codes in `changed` come first. Hands with a passed deal and with a
    revoke follow where the table has rules for them.
    """
    contracts = list(_choose_contracts(table, changed))
    hands = [hand for each in contracts for hand in _list_hands(each)]
    hands += _list_term_hands(table, contracts)
    return [settle_hand(table, hand) for hand in hands]


def _choose_contracts(table: PointsTable, changed: Collection[str]) -> Iterator[Contract]:
    """Yield the changed contracts, then the first ones of other kinds, then any others."""
    found = [each for each in table.played if each.code in changed][:MAX_CONTRACTS]
    kinds = {_get_kind(each) for each in found}
    for each in table.played:
        if len(found) < MIN_CONTRACTS and each not in found and _get_kind(each) not in kinds:
            found.append(each)
            kinds.add(_get_kind(each))
    others = [each for each in table.played if each not in found]
    yield from [*found, *others[: max(0, MIN_CONTRACTS - len(found))]]


def _get_kind(contract: Contract) -> tuple[bool, Goal]:
    return contract.rule.side in (Side.PAIR, Side.PAIR_OR_ALONE), contract.rule.how


def _list_hands(contract: Contract) -> Iterator[BidHand]:
    rule, wants = contract.rule, contract.rule.wants or 0
    by = (1, 3) if rule.side in (Side.PAIR, Side.PAIR_OR_ALONE) else (2,)
    if rule.how is Goal.LOSES:
        yield BidHand(contract=contract, by=by)
    elif rule.is_flat:
        yield BidHand(contract=contract, by=by, made=(True,))
        yield BidHand(contract=contract, by=by, made=(False,))
    else:
        yield BidHand(contract=contract, by=by, tricks=(min(wants + 1, TRICKS),))
        if wants:
            yield BidHand(contract=contract, by=by, tricks=(wants - 1,))


def _list_term_hands(table: PointsTable, contracts: list[Contract]) -> Iterator[BidHand]:
    with_tricks = (each for each in contracts if each.rule.how is Goal.AT_LEAST)
    first = next(with_tricks, None)
    if first is None:
        return
    by = (1, 3) if first.rule.side in (Side.PAIR, Side.PAIR_OR_ALONE) else (2,)
    tricks = (min((first.rule.wants or 0) + 1, TRICKS),)
    if table.passed is not PassedRule.REDEAL:
        yield BidHand(contract=first, by=by, tricks=tricks, passed=2)
    if table.revoke is not None:
        yield BidHand(contract=first, by=by, tricks=tricks, revokes=1)
    for times in table.times[:1]:
        yield BidHand(contract=first, by=by, tricks=tricks, times=times)
