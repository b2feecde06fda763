"""NumPy's functions for math_time, which asks by lines.

The first is answered with the version; "load NAME DTYPE X Y" (files of raw elements) with "yes" or "no"; "run CALLS" with the
milliseconds of that many calls into an array that is there already."""

import sys
import time

import numpy as np

NAMES = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "asinh": "arcsinh", "acosh": "arccosh",
         "atanh": "arctanh", "pow": "power"}
OTHERS = {"remainder"}  # NumPy's is Python's %, not IEEE's


def main():
    function = arrays = out = None
    for line in sys.stdin:
        words = line.split()
        if words[0] == "load":
            name, dtype = words[1:3]
            function = None if name in OTHERS else getattr(np, NAMES.get(name, name), None)
            arrays = [np.fromfile(path, dtype) for path in words[3:]]
            out = np.empty_like(arrays[0])
            print("no" if function is None else "yes", flush=True)
            continue
        begin = time.perf_counter()
        for _ in range(int(words[1])):
            function(*arrays, out=out)
        print(1000 * (time.perf_counter() - begin), flush=True)


sys.stdin.readline()
print(np.__version__, flush=True)
with np.errstate(all="ignore"):
    main()
