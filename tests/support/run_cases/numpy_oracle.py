"""Evaluates the `=== numpy` sections of all cases in one process.

Input: a folder with jobs.json: [{script, inputs: [{name, dtype, shape, scalar, file}], outs: [name]}]; element files
are raw bytes in C order. Output: results.json in the same folder: [{error} or {outs: [{dtype, shape, file}]}].
"""

import json
import math
import pathlib
import sys

import numpy as np


def read_input(folder, spec):
    data = np.frombuffer((folder / spec["file"]).read_bytes(), dtype=np.dtype(spec["dtype"]))
    array = data.reshape(spec["shape"]).copy()
    return array[()] if spec["scalar"] else array


def write_output(folder, value, file):
    array = np.ascontiguousarray(value)
    (folder / file).write_bytes(array.tobytes())
    kind = "b" if array.dtype.kind == "b" else array.dtype.kind
    return {"dtype": f"{kind}{array.dtype.itemsize}", "shape": np.shape(value), "file": file}


def run_job(folder, number, job):
    names = {"np": np, "math": math}
    for spec in job["inputs"]:
        names[spec["name"]] = read_input(folder, spec)
    exec(compile(job["script"], "<numpy section>", "exec"), names)
    outs = [write_output(folder, names[out], f"{number}.{out}.out") for out in job["outs"]]
    return {"outs": outs}


def main():
    if hasattr(np, "_set_promotion_state"):
        np._set_promotion_state("weak")
    np.seterr(all="ignore")
    folder = pathlib.Path(sys.argv[1])
    results = []
    for number, job in enumerate(json.loads((folder / "jobs.json").read_text())):
        try:
            results.append(run_job(folder, number, job))
        except Exception as error:  # whatever the section raises is that case's failure
            results.append({"error": f"{type(error).__name__}: {error}"})
    (folder / "results.json").write_text(json.dumps(results))


main()
