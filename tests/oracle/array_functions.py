"""Array functions against NumPy: every operation on all types with edge values, and programs made by chance.

usage: array_functions.py RUN_CALLS [--device cpu] [--seed N] [--count PERCENT] [--only NAME] [--programs N] [--keep FOLDER]

A check is one element of one result: operation x pair of types x pair of edge values. Its type and its shape are compared
with it. The texts are executed by Python too (numpy2.py), so nothing is written twice.

Tolerances, and why:
* ints, bools, + - * / sqrt, comparisons, selections, casts, views: none. Signs of zeros count, NaNs are all the same.
* sums, products, means, variances of floats: none against the public order of summation, which numpy2.py follows;
  and in the group `sums` within 2 n eps sum(|x|), and at most twice as far from math.fsum as NumPy plus 4 ulp.
* nan-forms, logsumexp, norms, averages: 2 n eps of what is summed, for their orders and NumPy's are their own.
* contractions: the order is fused multiply-adds, which NumPy has not. Values of few bits, whose sums are exact: none but
  the sign of a zero; others: (2 k + 1) eps of the sum of the products' magnitudes.
* functions of docs/accuracy.md: the bound that stands there, against the 80-bit function.
* complex quotients and functions: 8 eps of the magnitude, of middling arguments.
"""

import argparse
import re
import sys
import time
import warnings

import numpy as np

import array_elements
import array_folds
import array_products
import array_programs
import array_runner
import array_statements
import array_views


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("run_calls")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--count", type=float, default=100, help="percent of the pairs of types and of the random cases")
    parser.add_argument("--only", help="groups whose name has this")
    parser.add_argument("--programs", type=int, default=0, help="so many random programs, and nothing else")
    parser.add_argument("--keep", help="a folder for what fails, to be run again")
    parser.add_argument("--show", type=int, default=40, help="failures that are printed")
    options = parser.parse_args()
    start = time.monotonic()
    warnings.simplefilter("ignore")  # of empty slices, which are among the cases
    outcome = run(options)
    shown = set()
    for number, (case, message) in enumerate(outcome.faults):
        key = (case.group.split()[0], kind_of(message))
        if len(shown) < options.show and key not in shown:
            array_runner.report(case, message, options.keep, number)
            shown.add(key)
    for group, (count, faults) in sorted(summary(outcome).items()):
        print(f"{group}: {count} checks, {faults} wrong calls")
    print(f"{outcome.count} checks in {outcome.calls} calls on {options.device}, {len(outcome.faults)} wrong "
          f"(seed {options.seed}, {time.monotonic() - start:.0f} s)")
    return 1 if outcome.faults else 0


def kind_of(message):
    """Faults of one kind are shown once."""
    return re.sub(r"\bf\d+|\d+", "", message.split("\n")[0])[:70]


def summary(outcome):
    out = {}
    for group, (count, faults) in outcome.by_group.items():
        row = out.setdefault(group.split()[0], [0, 0])
        row[0] += count
        row[1] += faults
    return out


def run(options):
    if options.programs:
        return array_programs.run(options)
    generators = {}
    for module in (array_elements, array_views, array_folds, array_products, array_statements):
        generators.update(module.GENERATORS)
    few = options.count / 100 if options.count < 100 else 0
    units = []
    for name, make in generators.items():
        if options.only and options.only not in name:
            continue
        chance = np.random.default_rng([options.seed, sum(map(ord, name))])
        with np.errstate(all="ignore"):
            units += [u for u in make(chance, few) if u]
    return array_runner.run(options.run_calls, options.device, units)


if __name__ == "__main__":
    sys.exit(main())
