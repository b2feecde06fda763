"""Cases of products: matmul and its kin, einsum of expressions made by chance."""

import numpy as np

from array_maker import Maker, batches, share
from array_runner import Case, Check
from numpy2 import COMPLEX, FLOATS, INTS


def product_cases(chance, few):
    """Calls of some shapes for each function: contractions are the largest kernels there are."""
    make = Maker(chance)
    units = []
    for _ in range(share(few, 20)):
        p, q = (make.one_of(INTS + FLOATS + FLOATS + COMPLEX) for _ in range(2))
        form = make.one_of(["mk kn", "k kn", "mk k", "bmk kn", "bmk bkn", "mk bkn", "omk bkn", "k k"])
        texts = ["a @ b", "np.matmul(a, b)"]
        if "b" not in form:
            texts += ["np.dot(a, b)", "a.dot(b)"]
        text = make.one_of(texts)
        unit = []
        for _ in range(8):
            small = make.likely(0.7)
            extents = {c: int(chance.integers(0 if make.likely(0.05) else 1, 7)) for c in "mnkb"}
            extents["o"] = 1
            a, b = (make.array(t, tuple(extents[c] for c in part), small) for t, part in zip((p, q), form.split()))
            unit.append(Case("products", [("a", a), ("b", b)], f"    return {text}", tolerance=product_limit))
        units.append(unit)
    # An extent of 1 beside 0 is 0.
    empty = [("a", make.array("f4", (1, 4, 3))), ("b", make.array("f4", (0, 3, 2)))]
    units.append([Case("products", empty, "    return a @ b", tolerance=product_limit)])
    return units + batches(other_product(make) for _ in range(share(few, 80)))


def product_limit(case, wants):
    """What is exact to the last bit, but for signs of zeros; else 2 k eps of the sum of the products' magnitudes."""
    a, b = (np.asarray(v) for _, v in case.args[:2])
    if wants[0].dtype.kind not in "fc":
        return [Check(w) for w in wants]
    exact = np.matmul(a.astype("c16"), b.astype("c16"))
    wide = exact if wants[0].dtype.kind == "c" else exact.real
    scale = np.matmul(np.abs(a.astype("c16")), np.abs(b.astype("c16")))
    eps = np.finfo(wants[0].dtype).eps
    limit = 0 if is_short(a) and is_short(b) else (2 * max(a.shape[-1], 1) + 1) * eps
    return [Check(wide.astype(wants[0].dtype), limit * scale, wide)]


def is_short(values):
    """Quarters below 16: their sums of products are exact in every type but f2, and in f2 as few of them."""
    values = values.astype("c16") * 4
    return all(np.all((part == np.round(part)) & (np.abs(part) <= 64)) for part in (values.real, values.imag))


def other_product(make):
    p = make.one_of(INTS + FLOATS + COMPLEX)
    q = p if make.likely(0.5) else make.one_of(INTS + FLOATS)
    m, n, k = (1 + make.below(5) for _ in range(3))
    pick = make.below(6)
    if pick == 0:
        a, b, text = make.array(p, (m,)), make.array(q, (n,)), "np.outer(a, b)"
    elif pick == 1:
        a, b, text = make.array(p, (m, k)), make.array(q, (m, k)), "np.vecdot(a, b)"
    elif pick == 2:
        a, b, text = make.array(p, (m, n, k)), make.array(q, (n, k, 2)), "np.tensordot(a, b)"
    elif pick == 3:
        a, b, text = make.array(p, (m, n, k)), make.array(q, (k, m)), "np.tensordot(a, b, axes=((0, 2), (1, 0)))"
    elif pick == 4:
        a, b, text = make.array(p, (m, k)), make.array(q, (n, k)), "np.inner(a, b)"
    else:
        a, b, text = make.array(p, (k,)), make.array(q, (k,)), make.one_of(["np.vdot(a, b)", "np.inner(a, b)", "np.tensordot(a, b, 0)"])
    return Case("products", [("a", a), ("b", b)], f"    return {text}", tolerance=signless)


def signless(case, wants):
    """Exact values; a sum of zeros may have either sign."""
    return [Check(w, np.zeros(w.shape)) if w.dtype.kind in "fc" else Check(w) for w in wants]


def einsum_text(make):
    """(text, shapes)"""
    letters = "ijklmn"
    extents = {c: 1 + make.below(4) for c in letters}
    count = 1 + make.below(3)
    parts, shapes = [], []
    dots = make.likely(0.25)
    batch = tuple(1 + make.below(3) for _ in range(make.below(2) + 1)) if dots else ()
    for _ in range(count):
        own = "".join(make.one_of(letters[:4]) for _ in range(1 + make.below(3)))
        shape = tuple(extents[c] for c in own)
        if dots and make.likely(0.7):
            mine = batch[make.below(len(batch)):]
            where = make.below(2)
            parts.append("..." + own if where == 0 else own + "...")
            shape = mine + shape if where == 0 else shape + mine
        else:
            parts.append(own)
        shapes.append(shape)
    text = ",".join(parts)
    if make.likely(0.7):
        used = sorted({c for c in text if c in letters})
        kept = [c for c in used if make.likely(0.5)]
        make.chance.shuffle(kept)
        text += "->" + ("..." if "..." in text else "") + "".join(kept)
    return text, shapes


def einsum_cases(chance, few):
    make = Maker(chance)
    cases = []
    while len(cases) < share(few, 200):
        text, shapes = einsum_text(make)
        if max(len(s) for s in shapes) > 4:
            continue
        dtypes = [make.one_of(["i4", "i8", "u1", "f4", "f8", "f8", "c16", "f2"]) for _ in shapes]
        args = [(name, make.array(t, s)) for name, t, s in zip("abc", dtypes, shapes)]
        try:
            np.einsum(text, *[v for _, v in args])
        except ValueError:
            continue
        names = ", ".join(n for n, _ in args)
        cases.append(Case("einsum", args, f"    return np.einsum('{text}', {names})", tolerance=signless))
    return batches(cases)


GENERATORS = {"products": product_cases, "einsum": einsum_cases}
