"""The random number generator of cpp/game/random.hpp in Python."""

WORD = 2**64 - 1


def scramble(x: int) -> int:
    """Mix 64 bits with the finaliser of SplitMix64 (Steele, Lea and Flood 2014)."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & WORD
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & WORD
    return x ^ (x >> 31)


class Random:
    """SplitMix64, with Lemire's exact method for a uniform number below a bound."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def bits32(self) -> int:
        """Return the upper half of the next 64 bits."""
        self.state = (self.state + 0x9E3779B97F4A7C15) & WORD
        return scramble(self.state) >> 32

    def below(self, bound: int) -> int:
        """Return a number from 0 to bound - 1; products in the biased range are rejected."""
        product = self.bits32() * bound
        while product % 2**32 < 2**32 % bound:
            product = self.bits32() * bound
        return product // 2**32
