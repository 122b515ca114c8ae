"""Draws that are the same on every machine: a seed in, numbers out (SplitMix64)."""

from collections.abc import Iterable

_WORD = 2**64 - 1


class Draws:
    """Numbers that look random and depend on the seed alone; not for cards."""

    def __init__(self, *seed: int) -> None:
        self._state = 0
        for part in seed:
            self._state = (self._word() ^ part) & _WORD

    def below(self, limit: int) -> int:
        """A number from 0 up to, not with, a limit that is small beside 2**64."""
        return self._word() * limit >> 64

    def sample(self, values: Iterable[int], size: int) -> tuple[int, ...]:
        """So many different ones of the values, in any order."""
        left = list(values)
        return tuple(left.pop(self.below(len(left))) for _ in range(size))

    def _word(self) -> int:
        self._state = (self._state + 0x9E3779B97F4A7C15) & _WORD
        word = self._state
        word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9 & _WORD
        word = (word ^ word >> 27) * 0x94D049BB133111EB & _WORD
        return word ^ word >> 31
