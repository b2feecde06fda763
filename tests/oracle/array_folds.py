"""Cases of reductions, made by chance."""

import math

import numpy as np

from array_maker import Maker, batches, share
from array_runner import Case, Check
from numpy2 import FLOATS, NAMES


def axis_text(make, rank, several=True):
    pick = make.below(4)
    if pick == 0:
        return None
    if pick == 1 and several and rank > 1:
        return tuple(int(k) for k in make.chance.choice(rank, 2, replace=False))
    return make.below(2 * rank) - rank


def options_text(make, name, rank, dtype):
    options = []
    axis = axis_text(make, rank, "arg" not in name)
    if axis is not None:
        options.append(f"axis={axis}")
    if make.likely(0.3) and name not in ("average",):
        options.append("keepdims=True")
    if name in ("sum", "prod", "mean", "var", "std") and make.likely(0.2):
        options.append(f"dtype={make.one_of(['f4', 'f8'])}" if dtype[0] != "c" else "dtype=c16")
    if name in ("sum", "prod") and make.likely(0.2):
        options.append(f"initial={make.below(4)}")
    if name in ("var", "std", "nanvar", "nanstd") and make.likely(0.2):
        options.append("ddof=1")
    if name in ("sum", "prod", "any", "all") and make.likely(0.25):
        options.append("where=w")
    if name in ("min", "max") and dtype[0] not in "c":
        pick = make.below(5)
        if pick == 0:
            options.append("initial=1")
        if pick == 1:
            options.append("initial=1, where=w")
    return ", ".join([""] + options)


EXACT_FOLDS = ["sum", "prod", "mean", "var", "std", "min", "max", "any", "all", "argmin", "argmax", "count_nonzero", "ptp"]
NAN_FOLDS = ["nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmin", "nanmax", "nanargmin", "nanargmax"]
METHODS = ["sum", "prod", "mean", "var", "std", "min", "max", "any", "all", "argmin", "argmax"]


def fold_case(make):
    dtype = make.one_of(NAMES)
    rank = make.rank()
    name = make.one_of(EXACT_FOLDS)
    ordered = name in ("min", "max", "argmin", "argmax", "ptp")
    if dtype[0] == "c" and ordered or dtype == "b1" and name in ("ptp", "prod"):
        return None
    x = make.array(dtype, make.shape(rank, 0 if ordered else 0.05), small=make.likely(0.5))
    if dtype[0] == "f" and ordered and make.likely(0.3):
        x[make.chance.random(x.shape) < 0.2] = make.one_of([np.nan, np.inf, -0.0])
    text = options_text(make, name, rank, dtype)
    call = f"np.{name}(x{text})"
    if make.likely(0.2) and name in METHODS:
        call = f"x.{name}({text[2:]})"
    args = [("x", x)]
    if "=w" in text:
        args.append(("w", make.array("b1", x.shape)))
    return Case("reductions", args, f"    return {call}")


def nan_case(make):
    name = make.one_of(NAN_FOLDS)
    dtype = make.one_of(FLOATS + FLOATS + ["i4", "u1"])
    x = make.array(dtype, make.shape(1 + make.below(3), 0), small="prod" in name or make.likely(0.5))
    if dtype in FLOATS:
        hole = make.chance.random(x.shape) < 0.3
        if "arg" in name or name in ("nanmin", "nanmax"):  # NumPy refuses slices of NaN alone: neighbours are kept
            hole &= (np.indices(x.shape).sum(axis=0) % 2 == 1) & (min(x.shape) > 1)
        x[hole] = np.nan
    text = options_text(make, name, x.ndim, dtype)
    return Case("nan-forms", [("x", x)], f"    return np.{name}(x{text})", tolerance=nan_limit)


def nan_limit(case, wants):
    """Sums: 2 n eps of the sum of magnitudes; variances: of the mean of squares."""
    x = case.args[0][1]
    if wants[0].dtype.kind != "f":
        return [Check(w) for w in wants]
    eps = np.finfo(wants[0].dtype).eps
    wide = x.astype("g")
    text = case.body.split("return ")[1]
    scope = {"np": np, "x": wide, "f4": "f4", "f8": "f8"}
    exact = np.asarray(eval(text, scope))
    if exact.dtype.kind != "f":
        return [Check(w) for w in wants]
    finite = np.nan_to_num(np.abs(wide), posinf=0, neginf=0)
    scale = np.nansum(finite, axis=None) if "prod" not in text else np.abs(exact)
    if "var" in text or "std" in text:
        scale = np.nansum(finite * finite, axis=None) + scale
        scale = np.maximum(scale, np.abs(np.nan_to_num(exact)))
    return [Check(exact.astype(wants[0].dtype), 2 * max(x.size, 4) * eps * scale, exact)]


def reduction_cases(chance, few):
    make = Maker(chance)
    cases = []
    while len(cases) < share(few, 400):
        case = fold_case(make)
        if case is not None:
            cases.append(case)
    return batches(cases)


def nan_cases(chance, few):
    make = Maker(chance)
    return batches(nan_case(make) for _ in range(share(few, 120)))


def sum_limit(case, wants):
    """Not further from the exact sum than 2 n eps sum(|x|), nor than twice NumPy's pairwise sum and 4 ulp."""
    x = np.asarray(case.args[0][1])
    lines = x.reshape(-1, x.shape[-1]) if "axis=-1" in case.body else x.reshape(1, -1)
    if "axis=0" in case.body:
        lines = np.ascontiguousarray(x.T)
    exact = np.array([math.fsum(float(v) for v in line) for line in lines])
    theirs = np.array([float(np.sum(np.ascontiguousarray(line))) for line in lines])
    eps = float(np.finfo(x.dtype).eps)
    magnitude = np.array([math.fsum(abs(float(v)) for v in line) for line in lines])
    proven = 2 * lines.shape[1] * eps * magnitude
    rounded = exact.astype(x.dtype)
    beside = 2 * np.abs(theirs - exact) + 4 * np.spacing(np.abs(rounded)).astype("f8")
    # NumPy may be exact by luck where others are not: what is left of its own bound, log2(n) / 2 roundings of the sum.
    typical = eps * np.maximum(1, np.log2(lines.shape[1]) / 2) * np.sqrt(np.sum(lines.astype("f8") ** 2, axis=1))
    shape = wants[0].shape
    return [Check(rounded.reshape(shape), np.minimum(proven, np.maximum(beside, typical)).reshape(shape), exact.reshape(shape))]


def sum_cases(chance, few):
    """Of many elements. f2 is summed in f4."""
    make = Maker(chance)
    cases = []
    for dtype in ["f4", "f8", "f2"]:
        for n in [1, 2, 15, 16, 17, 255, 1000, 4095, 4096, 4097, 20000]:
            if few and n > 5000:
                continue
            for body in ["np.sum(x)", "np.sum(x, axis=-1)", "np.sum(x, axis=0)"]:
                shape = {"np.sum(x)": (n,), "np.sum(x, axis=-1)": (3, n), "np.sum(x, axis=0)": (n, 3)}[body]
                x = make.laid_out(make.one_of([chance.normal(0, 1, shape), chance.random(shape)]).astype(dtype))
                cases.append(Case("sums", [("x", x)], f"    return {body}", tolerance=sum_limit))
                cases.append(Case("trees", [("x", x)], f"    return {body}"))
    return batches(cases)


def other_fold_cases(chance, few):
    """logsumexp, norm, average, against f8: 2 n eps of the sum, and the bounds of exp and log."""
    make = Maker(chance)
    x = make.array("f8", (3, 4))
    cases = [Case("other-folds", [("x", x)], "    return np.linalg.norm(x)",
                  checks=[Check(np.linalg.norm(x), 24 * np.finfo("f8").eps * np.linalg.norm(x))])]
    for _ in range(share(few, 120)):
        dtype = make.one_of(["f4", "f8", "i4", "f2"])
        x = make.array(dtype, make.shape(2, 0), small=False)
        w = abs(make.array(dtype, x.shape)) + 1
        name = make.one_of(["logsumexp", "norm", "norm1", "norminf", "average", "trace"])
        axis = make.one_of([None, 0, 1])
        comma = "" if axis is None else f", axis={axis}"
        y = x.astype("f8")
        if name == "logsumexp":
            text, want = f"logsumexp(x{comma})", np.log(np.sum(np.exp(y), axis=axis))
        elif name == "norm":
            text, want = f"np.norm(x{comma})", np.sqrt(np.sum(y * y, axis=axis))
        elif name == "norm1" and axis is not None:
            text, want = f"np.norm(x, 1{comma})", np.sum(np.abs(y), axis=axis)
        elif name == "norminf" and axis is not None:
            text, want = f"np.norm(x, np.inf{comma})", np.max(np.abs(y), axis=axis)
        elif name == "trace":
            text, want = "np.trace(x)", np.trace(y)
        else:
            text, want = f"np.average(x{comma}, weights=w)", np.average(y, axis=axis, weights=w.astype("f8"))
        result = np.dtype(dtype) if dtype[0] == "f" else np.dtype("i8" if name == "trace" else "f8")
        want = np.asarray(want)
        limit = 32 * np.finfo(result).eps * (np.max(np.abs(y)) + np.abs(want) + 1) if result.kind == "f" else None
        args = [("x", x)] + ([("w", w)] if "weights" in text else [])
        cases.append(Case("other-folds", args, f"    return {text.replace('logsumexp', 'np.logsumexp')}",
                          checks=[Check(want.astype(result), limit, want)]))
    return batches(cases)


GENERATORS = {"reductions": reduction_cases, "nan_forms": nan_cases, "sums": sum_cases, "other_folds": other_fold_cases}
