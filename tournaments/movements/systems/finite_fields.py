"""Finite fields for movements: prime fields, and a few of prime powers."""

from dataclasses import dataclass
from functools import cached_property, lru_cache

Element = int


@dataclass(frozen=True)
class FiniteField:
    """The field with p ** degree elements; an element's digits in base p are its coefficients.

    The first digit is the highest power. `top` has the coefficients (1, x, x² …) of x **
    degree.
    """

    prime: int
    degree: int
    top: tuple[int, ...] = (0,)

    @staticmethod
    def exists(size: int) -> bool:
        """Return whether `of` can build a field of a size."""
        return size in _FIELD_POLYNOMIALS or _is_prime(size)

    @staticmethod
    def of(size: int) -> "FiniteField":
        """Return the field of a size for which `exists` is True."""
        return _build_field(size)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(self.prime**self.degree)

    @property
    def moduli(self) -> tuple[int, ...]:
        """The orders of the cyclic groups whose product is the additive group."""
        return (self.prime,) * self.degree

    @cached_property
    def squares(self) -> frozenset[Element]:
        """The squares of all elements except zero."""
        return frozenset(self.times(y, y) for y in range(1, self.size))

    def minus(self, a: Element, b: Element) -> Element:
        """Subtract b from a."""
        if self.degree == 1:
            return (a - b) % self.prime
        digits = zip(self._digits(a), self._digits(b), strict=True)
        return self._code([x - y for x, y in digits])

    def plus(self, a: Element, b: Element) -> Element:
        """Add two elements."""
        if self.degree == 1:
            return (a + b) % self.prime
        digits = zip(self._digits(a), self._digits(b), strict=True)
        return self._code([x + y for x, y in digits])

    def times(self, a: Element, b: Element) -> Element:
        """Multiply two elements."""
        if self.degree == 1:
            return a * b % self.prime
        product = [0] * (2 * self.degree - 1)
        for i, x in enumerate(self._digits(a)):
            for j, y in enumerate(self._digits(b)):
                product[i + j] += x * y
        while len(product) > self.degree:
            highest = product.pop()
            for power, coefficient in enumerate(self.top):
                product[len(product) - self.degree + power] += highest * coefficient
        return self._code(product)

    def _digits(self, a: Element) -> list[int]:
        """Return the coefficients, lowest power first."""
        return [a // self.prime**power % self.prime for power in range(self.degree)]

    def _code(self, coefficients: list[int]) -> Element:
        return sum(x % self.prime * self.prime**power for power, x in enumerate(coefficients))


# Irreducible polynomials: x³ = x + 1 and x⁴ = x + 1 over two elements; x² = 2 over three and
# five, x² = 3 over seven; x³ = x + 2 over three, x³ = 2 over seven.
_FIELD_POLYNOMIALS = {
    8: (2, (1, 1, 0)),
    9: (3, (2, 0)),
    16: (2, (1, 1, 0, 0)),
    25: (5, (2, 0)),
    27: (3, (2, 1, 0)),
    49: (7, (3, 0)),
    343: (7, (2, 0, 0)),
}


@lru_cache(maxsize=32)
def _build_field(size: int) -> FiniteField:
    if size in _FIELD_POLYNOMIALS:
        prime, top = _FIELD_POLYNOMIALS[size]
        return FiniteField(prime, len(top), top)
    return FiniteField(size, 1)


def _is_prime(number: int) -> bool:
    return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))
