"""Binary floating-point formats as exact numbers: a value is a Fraction with a sign for zero, an infinity, or NAN."""

import math
from fractions import Fraction

from kernel_text import NAN


class Format:
    def __init__(self, name, width, mantissa_bits):
        self.name, self.width, self.mantissa_bits = name, width, mantissa_bits
        self.exponent_bits = width - 1 - mantissa_bits
        self.bias = (1 << (self.exponent_bits - 1)) - 1
        self.sign = 1 << (width - 1)
        self.infinity = ((1 << self.exponent_bits) - 1) << mantissa_bits
        self.canonical_nan = self.sign - 1

    def is_nan(self, bits):
        return bits & (self.sign - 1) > self.infinity

    def is_infinite(self, bits):
        return bits & (self.sign - 1) == self.infinity

    def is_subnormal(self, bits):
        return 0 < bits & (self.sign - 1) < 1 << self.mantissa_bits

    def value(self, bits):
        """Of a finite number."""
        magnitude = bits & (self.sign - 1)
        exponent = magnitude >> self.mantissa_bits
        fraction = magnitude & ((1 << self.mantissa_bits) - 1)
        if exponent:
            fraction |= 1 << self.mantissa_bits
        scale = max(exponent, 1) - self.bias - self.mantissa_bits
        number = Fraction(fraction) * Fraction(2) ** scale
        return -number if bits & self.sign else number

    def rounded(self, number, mode="rn", zero_sign=0):
        """The bits of the nearest number; `zero_sign` is that of an exact zero."""
        if number == 0:
            return self.sign if zero_sign else 0
        sign = self.sign if number < 0 else 0
        magnitude = abs(number)
        exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
        exponent -= magnitude < Fraction(2) ** exponent
        exponent = max(exponent, 1 - self.bias)
        unit = Fraction(2) ** (exponent - self.mantissa_bits)
        count = integer_of(magnitude / unit, reflected(mode) if sign else mode)
        bits = count + ((exponent + self.bias - 1) << self.mantissa_bits)
        if bits >= self.infinity:
            bits = self.infinity - (mode == "rz" or mode == ("rp" if sign else "rm"))
        return sign | bits


def reflected(mode):
    return {"rm": "rp", "rp": "rm"}.get(mode, mode)


def integer_of(number, mode):
    """The integer that the number is rounded to."""
    low = math.floor(number)
    rest = number - low
    if mode == "rn":
        return low + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and low % 2 == 1))
    if mode == "rna":
        return low + (rest >= Fraction(1, 2))
    if mode == "rm" or rest == 0:
        return low
    if mode == "rp":
        return low + 1
    return low + (number < 0)


F16, BF16 = Format("f16", 16, 10), Format("bf16", 16, 7)
F32, F64 = Format("f32", 32, 23), Format("f64", 64, 52)
FORMATS = {one.name: one for one in (F16, BF16, F32, F64)}


def nan_of(form):
    """NaN results are canonical, but for f64, of which PTX says nothing."""
    return NAN if form is F64 else form.canonical_nan


def edges(form):
    """Zeros, subnormals, the least normal number, ones, a third, extremes, infinities, quiet and signalling NaN."""
    one = form.bias << form.mantissa_bits
    magnitudes = [
        0,
        1,
        (1 << form.mantissa_bits) - 1,
        1 << form.mantissa_bits,
        one - 1,
        one,
        one + 1,
        form.rounded(Fraction(1, 3)),
        form.rounded(Fraction(3, 2)),
        form.infinity - 1,
        form.infinity,
        form.infinity | 1,
        form.infinity | 1 << (form.mantissa_bits - 1) | 1,
    ]
    return [bits | sign for bits in magnitudes for sign in (0, form.sign)]


def flush(form, bits):
    return bits & form.sign if form.is_subnormal(bits) else bits


def saturate(form, bits):
    one = form.bias << form.mantissa_bits
    if form.is_nan(bits) or bits & form.sign:
        return 0
    return min(bits, one)


def relu(form, bits):
    if form.is_nan(bits):
        return form.canonical_nan
    return 0 if bits & form.sign else bits


def add(form, a, b, mode="rn"):
    if form.is_nan(a) or form.is_nan(b):
        return nan_of(form)
    if form.is_infinite(a) or form.is_infinite(b):
        if form.is_infinite(a) and form.is_infinite(b) and a != b:
            return nan_of(form)
        return a if form.is_infinite(a) else b
    return sum_of(form, form.value(a), a, form.value(b), b, mode)


def sum_of(form, x, a, y, b, mode):
    """An exact zero of numbers of different signs is +0, or -0 towards minus infinity."""
    signs = (a & form.sign != 0, b & form.sign != 0)
    zero_sign = all(signs) if x == 0 and y == 0 and signs[0] == signs[1] else mode == "rm"
    return form.rounded(x + y, mode, zero_sign)


def mul(form, a, b, mode="rn"):
    sign = (a ^ b) & form.sign
    if form.is_nan(a) or form.is_nan(b):
        return nan_of(form)
    if form.is_infinite(a) or form.is_infinite(b):
        is_zero = (a & ~form.sign) == 0 or (b & ~form.sign) == 0
        return nan_of(form) if is_zero else sign | form.infinity
    return form.rounded(form.value(a) * form.value(b), mode, sign)


def fma(form, a, b, c, mode="rn"):
    if form.is_nan(a) or form.is_nan(b) or form.is_nan(c):
        return nan_of(form)
    if form.is_infinite(a) or form.is_infinite(b):
        return add(form, mul(form, a, b), c) if mul(form, a, b) is not NAN else NAN
    if form.is_infinite(c):
        return c
    return sum_of(form, form.value(a) * form.value(b), (a ^ b) & form.sign, form.value(c), c, mode)


def div(form, a, b, mode="rn"):
    sign = (a ^ b) & form.sign
    zero_a, zero_b = (a & ~form.sign) == 0, (b & ~form.sign) == 0
    if form.is_nan(a) or form.is_nan(b) or (zero_a and zero_b) or (form.is_infinite(a) and form.is_infinite(b)):
        return nan_of(form)
    if form.is_infinite(a) or zero_b:
        return sign | form.infinity
    if form.is_infinite(b):
        return sign
    return form.rounded(form.value(a) / form.value(b), mode, sign)


def sqrt(form, a, mode="rn"):
    if form.is_nan(a):
        return nan_of(form)
    if (a & ~form.sign) == 0:
        return a
    if a & form.sign:
        return nan_of(form)
    if form.is_infinite(a):
        return a
    return form.rounded(root_of(form.value(a)), mode)


def root_of(number):
    """With more bits than any format, and a last one that says whether anything was cut."""
    scale = 2400
    scaled = number * Fraction(2) ** scale
    root = math.isqrt(math.floor(scaled))
    exact = root * root == scaled
    return (Fraction(root) + (0 if exact else Fraction(1, 2))) / Fraction(2) ** (scale // 2)


def order_key(form, bits):
    """-0 stands below +0."""
    return -1 - (bits ^ form.sign) if bits & form.sign else bits


def minimum(form, a, b, sign=1, nan_wins=False):
    """The greater one for sign -1."""
    if form.is_nan(a) and form.is_nan(b) or nan_wins and (form.is_nan(a) or form.is_nan(b)):
        return nan_of(form)
    if form.is_nan(a) or form.is_nan(b):
        return b if form.is_nan(a) else a
    return min(a, b, key=lambda bits: sign * order_key(form, bits))
