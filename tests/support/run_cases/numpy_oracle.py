"""Evaluates the `=== numpy` sections of all cases in one process.

Input: a folder with jobs.json: [{script, inputs: [{name, dtype, shape, scalar, file}], outs: [name]}]; element files
are raw bytes in C order. Output: results.json in the same folder: [{error} or {outs: [{dtype, shape, file}]}].
"""

import json
import math
import pathlib
import sys

import numpy as np


BF16 = np.dtype([("bf16", "<u2")])


def to_bf16(value):
    """f4 values rounded to nearest even bfloat16, which NumPy has not: a record that write_output knows."""
    bits = np.atleast_1d(np.asarray(value, np.float32)).view(np.uint32)
    rounded = (bits + np.uint32(0x7FFF) + (bits >> np.uint32(16) & np.uint32(1))) >> np.uint32(16)
    rounded = np.where((bits & np.uint32(0x7FFFFFFF)) > 0x7F800000, np.uint32(0x7FC0), rounded)
    return rounded.astype(np.uint16).view(BF16)


def read_elements(data, dtype):
    if dtype != "bf16":
        return np.frombuffer(data, dtype=np.dtype(dtype))
    return (np.frombuffer(data, dtype=np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32)


def read_input(folder, spec):
    data = read_elements((folder / spec["file"]).read_bytes(), spec["dtype"])
    array = data.reshape(spec["shape"]).copy()
    return array[()] if spec["scalar"] else array


def write_output(folder, value, file):
    array = np.ascontiguousarray(value)
    (folder / file).write_bytes(array.tobytes())
    dtype = "bf16" if array.dtype == BF16 else f"{array.dtype.kind}{array.dtype.itemsize}"
    return {"dtype": dtype, "shape": np.shape(value), "file": file}


def run_job(folder, number, job):
    names = {"np": np, "math": math, "to_bf16": to_bf16}
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
