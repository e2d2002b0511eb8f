"""Finite fields for movements: prime fields, and a few of prime powers."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

Element = int


@dataclass(frozen=True)
class FiniteField:
    """The field with p ** degree elements, which are polynomials in x modulo a prime p.

    An element is a number; its digits in base p are the coefficients, highest power first.
    `reduction_polynomial` expresses x ** degree by its coefficients of 1, x, x² and so on.
    """

    prime: int
    degree: int
    reduction_polynomial: tuple[int, ...] = (0,)

    @staticmethod
    def can_build(field_size: int) -> bool:
        """Return whether `build` can build a field of a size."""
        return field_size in _FIELD_PARAMETERS_BY_SIZE or _is_prime(field_size)

    @staticmethod
    def build(field_size: int) -> "FiniteField":
        """Return the field of a size for which `can_build` is True."""
        return _build_field(field_size)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(self.prime**self.degree)

    @property
    def moduli(self) -> tuple[int, ...]:
        """The moduli of the cyclic groups whose product is the group of additions."""
        return (self.prime,) * self.degree

    @cached_property
    def squares(self) -> frozenset[Element]:
        """The squares of all elements except zero."""
        return frozenset(self.multiply(element, element) for element in range(1, self.size))

    def subtract(self, a: Element, b: Element) -> Element:
        """Subtract b from a."""
        if self.degree == 1:
            return (a - b) % self.prime
        coefficient_pairs = zip(
            self._list_coefficients(a), self._list_coefficients(b), strict=True
        )
        return self._encode_element(
            [
                a_coefficient - b_coefficient
                for a_coefficient, b_coefficient in coefficient_pairs
            ]
        )

    def add(self, a: Element, b: Element) -> Element:
        """Add two elements."""
        if self.degree == 1:
            return (a + b) % self.prime
        coefficient_pairs = zip(
            self._list_coefficients(a), self._list_coefficients(b), strict=True
        )
        return self._encode_element(
            [
                a_coefficient + b_coefficient
                for a_coefficient, b_coefficient in coefficient_pairs
            ]
        )

    def multiply(self, a: Element, b: Element) -> Element:
        """Multiply two elements."""
        if self.degree == 1:
            return a * b % self.prime
        product_coefficients = [0] * (2 * self.degree - 1)
        for a_power, a_coefficient in enumerate(self._list_coefficients(a)):
            for b_power, b_coefficient in enumerate(self._list_coefficients(b)):
                product_coefficients[a_power + b_power] += a_coefficient * b_coefficient
        while len(product_coefficients) > self.degree:
            highest_coefficient = product_coefficients.pop()
            for power, coefficient in enumerate(self.reduction_polynomial):
                product_coefficients[len(product_coefficients) - self.degree + power] += (
                    highest_coefficient * coefficient
                )
        return self._encode_element(product_coefficients)

    def _list_coefficients(self, a: Element) -> list[int]:
        """Return the coefficients of an element, lowest power first."""
        return [a // self.prime**power % self.prime for power in range(self.degree)]

    def _encode_element(self, coefficients: list[int]) -> Element:
        """Return the element with these coefficients, lowest power first."""
        return sum(
            coefficient % self.prime * self.prime**power
            for power, coefficient in enumerate(coefficients)
        )


# For each size the prime and the reduction by an irreducible polynomial: x³ = x + 1 and
# x⁴ = x + 1 over two elements; x² = 2 over three and five; x² = 3 over seven; x³ = x + 2 over
# three; x³ = 2 over seven.
_FIELD_PARAMETERS_BY_SIZE = {
    8: (2, (1, 1, 0)),
    9: (3, (2, 0)),
    16: (2, (1, 1, 0, 0)),
    25: (5, (2, 0)),
    27: (3, (2, 1, 0)),
    49: (7, (3, 0)),
    343: (7, (2, 0, 0)),
}


@lru_cache(maxsize=32)
def _build_field(field_size: int) -> FiniteField:
    if field_size in _FIELD_PARAMETERS_BY_SIZE:
        prime, reduction_polynomial = _FIELD_PARAMETERS_BY_SIZE[field_size]
        return FiniteField(prime, len(reduction_polynomial), reduction_polynomial)
    return FiniteField(field_size, 1)


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))
