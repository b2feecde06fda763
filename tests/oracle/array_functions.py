"""Array functions against NumPy: every operation on all types with edge values, and programs made by chance.

usage: array_functions.py RUN_CALLS [--device cpu] [--seed N] [--count PERCENT] [--only NAME] [--programs N] [--keep FOLDER]

A check is one element of one result: operation x pair of types x pair of edge values. Its type and its shape are compared
with it. The texts are executed by Python too (numpy2.py), so nothing is written twice.

Tolerances, and why:
* ints, bools, + - * / sqrt, comparisons, selections, casts, views: none. Signs of zeros count, NaNs are all the same.
* sums, products, means, contractions of floats: none against the public order of summation, which numpy2.py follows;
  and in the group `sums` within 2 n eps sum(|x|), and at most twice as far from math.fsum as NumPy plus 4 ulp.
* functions of docs/math-accuracy.md: the bound that stands there, against the 80-bit function.
* complex quotients and functions: 8 eps of the magnitude, of middling arguments.
"""

import argparse
import sys
import time

import numpy as np

import array_runner


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
    outcome = run(options)
    shown = set()
    for number, (case, message) in enumerate(outcome.faults):
        key = (case.group.split()[0], message[:60])
        if len(shown) < options.show and key not in shown:
            array_runner.report(case, message, options.keep, number)
            shown.add(key)
    for group, (count, faults) in sorted(summary(outcome).items()):
        print(f"{group}: {count} checks, {faults} wrong calls")
    print(f"{outcome.count} checks in {outcome.calls} calls on {options.device}, {len(outcome.faults)} wrong "
          f"(seed {options.seed}, {time.monotonic() - start:.0f} s)")
    return 1 if outcome.faults else 0


def summary(outcome):
    out = {}
    for group, (count, faults) in outcome.by_group.items():
        row = out.setdefault(group.split()[0], [0, 0])
        row[0] += count
        row[1] += faults
    return out


def run(options):
    if options.programs:
        import array_programs

        return array_programs.run(options)
    import array_elements

    generators = dict(array_elements.GENERATORS)
    try:
        import array_wholes

        generators.update(array_wholes.GENERATORS)
    except ImportError:
        pass
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
