"""Choices by chance, and arrays of any strides, for the cases of operations of whole arrays."""

import numpy as np


BATCH = 8  # cases of one text


class Maker:
    """Choices, and arrays of any strides whose sums are exact: few bits each."""

    def __init__(self, chance):
        self.chance = chance

    def one_of(self, items):
        return items[int(self.chance.integers(len(items)))]

    def below(self, n):
        return int(self.chance.integers(n))

    def likely(self, p):
        return self.chance.random() < p

    def rank(self):
        return 4 if self.likely(0.02) else 1 + self.below(3)

    def shape(self, rank, empty=0.04):
        return tuple(0 if self.likely(empty) else int(self.chance.integers(1, 6)) for _ in range(rank))

    def values(self, dtype, shape, small=True):
        """small: eighths, and ints that do not overflow when a few are multiplied."""
        if dtype == "b1":
            return self.chance.random(shape) < 0.5
        if dtype[0] in "iu":
            low = 0 if dtype[0] == "u" else -4
            return self.chance.integers(low, 5, shape).astype(dtype)
        parts = [self.chance.integers(-8, 9, shape) / 4 if small else self.chance.normal(0, 2, shape) for _ in range(2)]
        return (parts[0] + 1j * parts[1] if dtype[0] == "c" else parts[0]).astype(dtype)

    def array(self, dtype, shape, small=True):
        return self.laid_out(self.values(dtype, shape, small))

    def laid_out(self, values):
        """The values as a view: other orders of axes, steps, negative steps, places."""
        if values.ndim == 0 or self.likely(0.4):
            return np.ascontiguousarray(values)
        order = self.chance.permutation(values.ndim)
        steps = [self.one_of([1, 1, 2, -1, -2]) for _ in range(values.ndim)]
        padded = [max(1, values.shape[k] * abs(steps[k])) for k in order]
        base = np.zeros(int(np.prod(padded)) + 1, values.dtype)[self.below(2):][:int(np.prod(padded))]
        view = base.reshape(padded).transpose(np.argsort(order))
        view = view[tuple(slice(None, None, s) for s in steps)][tuple(slice(0, n) for n in values.shape)]
        view[...] = values
        return view


def batches(cases):
    cases = list(cases)
    return [cases[k:k + BATCH] for k in range(0, len(cases), BATCH)]


def share(few, count):
    return max(4, int(count * few)) if few else count
