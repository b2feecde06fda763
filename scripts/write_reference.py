#!/usr/bin/env python3
"""Writes the reference pages that are tables of the source: docs/diagnostics.md, functions.md and libdevice.md.

write_reference.py           writes them
write_reference.py --check   says which of them are out of date, and fails if any is
"""

import pathlib
import re
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECTIONS = {
    1: "Text and syntax",
    2: "Signatures and options",
    3: "Names, calls and attributes",
    4: "Types and values",
    5: "Statements and functions",
    6: "Memory, and threads that work together",
    9: "Limits",
}
MODULES = {"B": "(Python)", "M": "math", "N": "numpy", "C": "cuda", "S": "cuda.shared", "L": "cuda.local",
           "K": "cuda.const", "A": "cuda.atomic", "G": "cuda.cg", "O": "operator", "X": "cmath", "J": "numba",
           "R": "cuda.random"}

# The functions of the Python array API standard 2023.12, by the sections of its "API specification".
STANDARD = {
    "Creation": "arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones ones_like tril"
                " triu zeros zeros_like".split(),
    "Data types": "astype can_cast finfo iinfo isdtype result_type".split(),
    "Elementwise": "abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_invert bitwise_left_shift"
                   " bitwise_or bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp expm1"
                   " floor floor_divide greater greater_equal hypot imag isfinite isinf isnan less less_equal log log10"
                   " log1p log2 logaddexp logical_and logical_not logical_or logical_xor maximum minimum multiply"
                   " negative not_equal positive pow real remainder round sign signbit sin sinh sqrt square subtract tan"
                   " tanh trunc".split(),
    "Indexing": ["take"],
    "Linear algebra": "matmul matrix_transpose tensordot vecdot".split(),
    "Manipulation": "broadcast_arrays broadcast_to concat expand_dims flip moveaxis permute_dims repeat reshape roll"
                    " squeeze stack tile unstack".split(),
    "Searching": "argmax argmin nonzero searchsorted where".split(),
    "Sets": "unique_all unique_counts unique_inverse unique_values".split(),
    "Sorting": "argsort sort".split(),
    "Statistics": "cumulative_sum max mean min prod std sum var".split(),
    "Utilities": "all any".split(),
}


def unquoted(literals):
    """The text of adjacent C string literals."""
    text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))
    return re.sub(r"\\(.)", r"\1", text)


def diagnostics():
    source = (ROOT / "src/source/diagnostics.def").read_text()
    source = re.sub(r"^\s*//.*$", "", source, flags=re.M)
    rows = re.findall(r'JITC_DIAG\(\s*(\d+),\s*k\w+,\s*k(\w+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', source)
    assert len(rows) == source.count("JITC_DIAG("), "a row of diagnostics.def cannot be read"
    return [(int(code), severity.lower(), unquoted(text)) for code, severity, text in rows]


def diagnostics_page():
    lines = ["# Diagnostics", "",
             "Every message about kernel text, by its code. `{}` stands for a name or a value of your program. Codes are stable:",
             "they are never reused. `tests/cases/diagnostics` has a small program for each, with all that is printed for it;",
             "`jitc check --format=json` gives code, range and help as JSON. Made from `src/source/diagnostics.def`.", ""]
    rows = sorted(diagnostics())
    for section, title in SECTIONS.items():
        group = [row for row in rows if row[0] // 100 == section]
        if not group:
            continue
        lines += [f"## {title}", "", "| code | kind | message |", "|---|---|---|"]
        for code, severity, text in group:
            text = re.sub(r"\{:\w+\}", "{}", text).replace("{{", "{").replace("}}", "}").replace("|", "\\|")
            lines.append(f"| JT{code:04} | {severity} | {text} |")
        lines.append("")
    return "\n".join(lines)


def builtins():
    """The rows of builtins.def that this version implements: (group, modules, name, rule)."""
    source = (ROOT / "src/sema/builtins.def").read_text()
    row = r'^JITC_BUILTIN\("(\w+)",\s*"(\w+)",\s*(k\w+),\s*[^)]*\)'
    rows, group = [], ""
    for line in source.splitlines():
        if title := re.fullmatch(r"// --- (.*) ---", line):
            group = title[1]
        elif found := re.match(row, line):
            rows.append((group, *found.groups()))
    assert len(rows) == source.count("\nJITC_BUILTIN("), "a row of builtins.def cannot be read"
    return [row for row in rows if row[3] not in ("kFuture", "kDecorator")]


def of_arrays(rows):
    """Group -> names of its functions of whole arrays, those that the file level or numbers have as well among them."""
    groups = {}
    for group, modules, name, rule in rows:
        if rule == "kArrayFn":
            groups.setdefault(group.partition(": ")[2], []).append(name)
        elif rule == "kArrayMaker":
            groups.setdefault("new ones and views", []).append(name)
        elif rule == "kMinMax" and "B" in modules:
            groups.setdefault("reductions", []).append(name)
    return {group: groups[group] for group in ("new ones and views", "elements", "reductions", "products")}


def paragraph(title, names):
    text = f"**{title[0].upper()}{title[1:]}.** " + ", ".join(f"`{name}`" for name in names)
    return textwrap.fill(text, 120, break_on_hyphens=False) + "\n"


def array_section(rows):
    lines = ["## Of whole arrays", "",
             "[Array functions](array-functions.md) have these besides, under `numpy` or bare. All functions of numbers in the table",
             "below take arrays there, element by element.", ""]
    return lines + [paragraph(title, sorted(names)) for title, names in of_arrays(rows).items()]


def standard_section(rows):
    """How much of the array API standard there is, by name."""
    have = {name for _, modules, name, _ in rows if "N" in modules}
    standard = sum(STANDARD.values(), [])
    missing = [name for name in standard if name not in have]
    lines = ["## The array API standard", "",
             f"Of the {len(standard)} functions of the Python array API standard 2023.12, without its extensions `linalg` and `fft`,",
             f"**{len(standard) - len(missing)}** have their names here. By the sections of the standard:", "",
             "| section | there | not there |", "|---|---|---|"]
    for section, names in STANDARD.items():
        absent = [name for name in names if name not in have]
        text = ", ".join(f"`{name}`" for name in absent)
        lines.append(f"| {section} | {len(names) - len(absent)} of {len(names)} | {text} |")
    return lines + [""]


def functions_page():
    rows = builtins()
    modules = {}
    for _, letters, name, _ in rows:
        modules[name] = modules.get(name, "") + letters
    lines = ["# Functions and constants", "",
             "Every built-in name of this version and the modules it can come from. Names of Python and of `numpy` may be written",
             "bare (`sqrt(x)`) unless the file defines the name itself. Made from `src/sema/builtins.def`.", ""]
    lines += array_section(rows) + standard_section(rows)
    lines += ["## CUDA's C functions", "",
              f"The {len(libdevice())} functions of `numba.cuda.libdevice` have a page of their own: [libdevice.md](libdevice.md).", ""]
    lines += ["## All names", "", "| name | from |", "|---|---|"]
    for name, letters in sorted(modules.items()):
        lines.append(f"| `{name}` | {', '.join(MODULES[m] for m in MODULES if m in letters)} |")
    return "\n".join(lines) + "\n"


def libdevice():
    """The rows of libdevice.def: (name, result types, parameter types, how it is served, by what, and by what second)."""
    source = (ROOT / "src/sema/libdevice.def").read_text()
    rows = re.findall(r'^JITC_LIBDEVICE\("(\w+)",\s*"([\w ]+)",\s*"([\w ]+)",\s*k(\w+),\s*([\w:]+), ([\w:]+)\)$', source, re.M)
    assert len(rows) == source.count("\nJITC_LIBDEVICE("), "a row of libdevice.def cannot be read"
    return rows


def math_names():
    """The identifier of each function of the math library -> its name."""
    text = "".join((ROOT / "src/math" / name).read_text() for name in ("math.def", "typed.def"))
    return dict(re.findall(r'^JITC_(?:TYPED_)?MATH\((\w+),\s*"(\w+)"', text, re.M))


def served_by(how, functions, math):
    """Text for the reader: functions of src/math in code, operations in words."""
    names = [name.partition("::")[2] for name in functions if name != "0"]
    if how in ("Math", "Pair"):
        return ", ".join(f"`{math[name]}`" for name in names)
    if how in ("Unary", "Binary"):
        return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", names[0][1:]).lower()
    return {"Fma": "fma", "Convert": "conversion"}[how]


LIBDEVICE_HEAD = """# libdevice

`from numba.cuda import libdevice`, or `cuda.libdevice` with `from numba import cuda`: CUDA's C functions with exact types, in kernels,
ufuncs and array functions, on GPUs and on the CPU. None of them needs NVIDIA's library: they are served by `src/math` and by
operations of the language, with the same bits everywhere.

```python
from numba import cuda
from numba.cuda import libdevice


@cuda.jit("void(f4[:], f4[:], f4[:])")
def bounds(x, low, high):
    i = cuda.grid(1)
    if i < x.size:
        low[i] = libdevice.fmul_rd(x[i], x[i])    # rounded down, and up: the square lies between
        high[i] = libdevice.fmul_ru(x[i], x[i])
```

Arguments are cast to the declared types as Numba casts them; there are no unsigned ones, so `umax` compares the bits of two `i4` as
unsigned numbers. What C returns through pointers comes in a tuple: `sine, cosine = libdevice.sincos(x)`.

- Floats to integers saturate, and NaN gives 0, as everywhere in the language; CUDA leaves them undefined.
- `_rd`, `_ru`, `_rz` and `_rn` have every bit right, subnormal and overflowing results included. Nothing fuses with `fadd_rn` and its like.
- `fast_*` are the accurate functions: approximations of the hardware would have bits of their own.
- `jn` and `yn` of a negative order are NaN, as CUDA's. `fmin` and `fmax` of two zeros give the second.
- `remquo` gives the quotient modulo 2**31 with its sign.
- Which bits a NaN has is no promise: `float_as_int` and `float2half_rn` of a NaN may give others on other targets.

## The user's own libdevice

Who wants NVIDIA's numbers, or its speed, names the library of an installed CUDA toolkit, and the math functions of GPUs come from
there:

    jitc compile kernels.dsl --target sm_90 --math libdevice:/usr/local/cuda/nvvm/libdevice/libdevice.10.bc -o kernels.ptx

`jitc run`, `inspect` and `check` take the option too, programs `CompileOptions::math`. These functions change, those named
`math.`, `np.` and `libdevice.` alike, and with them what f2 and bf16 make of f4: sin, cos, tan, their inverses and hyperbolic
ones, atan2, exp, exp2, exp10, expm1, log, log2, log10, log1p, pow, cbrt, rcbrt, hypot, erf, erfc, erfcx, erfinv, erfcinv,
normcdf, normcdfinv, gamma, lgamma, sinpi, cospi, j0, j1, jn, y0, y1, yn. All others stay: the exact ones, and `rsqrt`, have the same
or better bits, and what libdevice lacks (functions of complex numbers, `logaddexp`, Python's `//`, `%` and `round`) is ours. So are all functions on
the CPU: then GPU and CPU no longer agree to the last bit. `fastmath=True` means the same instructions as ever.

Subnormal numbers are kept and square roots rounded correctly, as nvcc does without `--use_fast_math`. Products and sums of the library's
code are not fused, as nowhere in the PTX that jitc makes; a test holds 27 functions on the emulated GPU to the errors that NVIDIA
states ([accuracy.md](accuracy.md)). The file is read and checked once for each `compile`; the kernel takes from it what it calls, and
nothing of it has to be there later. Any libdevice that LLVM 19 reads will do; that of CUDA 13.0 is tested.

## Names

Errors of the functions are in [accuracy.md](accuracy.md). Made from `src/sema/libdevice.def`.

| name | parameters | result | served by |
|---|---|---|---|
"""


def libdevice_page():
    declared = {"u2": "i2", "u4": "i4", "u8": "i8"}
    math = math_names()

    def types(text):
        return ", ".join(declared.get(name, name) for name in text.split())

    lines = [f"| `{name}` | {types(params)} | {types(results)} | {served_by(how, (first, second), math)} |"
             for name, results, params, how, first, second in libdevice()]
    return LIBDEVICE_HEAD + "\n".join(lines) + "\n"


def main():
    pages = {"docs/diagnostics.md": diagnostics_page(), "docs/functions.md": functions_page(),
             "docs/libdevice.md": libdevice_page()}
    stale = [path for path, text in pages.items() if not (ROOT / path).exists() or (ROOT / path).read_text() != text]
    if "--check" in sys.argv[1:]:
        if stale:
            sys.exit(f"out of date: {', '.join(stale)}; run scripts/write_reference.py")
        return
    for path in stale:
        (ROOT / path).write_text(pages[path])


main()
