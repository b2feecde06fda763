"""Runs functions of texts on arrays by `run_calls` and compares what they return with what Python makes of the same text.

A Case is one call. Cases of one Unit share a text; where that does not compile, each case is tried in a text of its own,
and a case of several expressions in one for each, so that one fault hides nothing else. A process that ends or hangs is
one fault, and the calls behind it run in another process.
"""

import concurrent.futures
import json
import pathlib
import subprocess
import tempfile

import numpy as np

import numpy2

HEAD = "import math\nimport numpy as np\nfrom numba import jit, vectorize, " + ", ".join(numpy2.NAMES) + "\n"
HANG_SECONDS = 60


class Check:
    """One result: `want`, and how far off it may be (None: not a bit; any NaN is any NaN)."""

    def __init__(self, want, limit=None, wide=None):
        self.want = np.asarray(want)
        self.limit = limit
        self.wide = self.want if wide is None else wide

    def wrong(self, got):
        """Where `got`, an array of the same type and shape, differs."""
        want = self.want
        if want.dtype.kind not in "fc":
            return want != got
        if want.dtype.kind == "c":
            ok = same_bits(want.real, got.real) & same_bits(want.imag, got.imag)
            if self.limit is not None:  # a NaN in either part makes a NaN
                ok |= np.isnan(want) & np.isnan(got)
        else:
            ok = same_bits(want, got)
        if self.limit is not None:
            kind = "G" if want.dtype.kind == "c" else "g"
            with np.errstate(all="ignore"):
                ok |= np.abs(got.astype(kind) - np.asarray(self.wide).astype(kind)) <= self.limit
        return ~ok


def same_bits(a, b):
    return ((a == b) & (np.signbit(a) == np.signbit(b))) | (np.isnan(a) & np.isnan(b))


class Case:
    """A call of one function. `expressions` of one function may also be tried one by one."""

    def __init__(self, group, args, body=None, expressions=None, tolerance=None, returns="", checks=None, before="",
                 checks_args=False):
        self.group = group
        self.args = args  # [(name, array or NumPy scalar)]
        self.body = body
        self.expressions = expressions
        self.tolerance = tolerance  # (case, wants) -> checks
        self.returns = returns
        self.checks_given = checks
        self.before = before  # other functions that it calls
        self.checks_args = checks_args

    def definition(self, name):
        body = self.body if self.body is not None else "    return " + ",\\\n        ".join(self.expressions)
        types = ", ".join(type_text(v) for _, v in self.args)
        signature = f"{self.returns}({types})"
        return f'\n\n@jit("{signature}")\ndef {name}({", ".join(n for n, _ in self.args)}):\n{body.rstrip()}\n'

    def text(self, name="f"):
        return HEAD + self.before + self.definition(name)

    def split(self):
        if self.expressions is None or len(self.expressions) < 2:
            return None
        out = []
        for k, expression in enumerate(self.expressions):
            checks = None if self.checks_given is None else [self.checks_given[k]]
            out.append(Case(self.group, self.args, None, [expression], self.tolerance, self.returns, checks, self.before,
                            self.checks_args))
        return out

    def checks(self):
        """What the results and, where they are stored to, the arguments must be."""
        copies = [copy_of(v) for _, v in self.args]
        if self.checks_given is not None:
            return self.checks_given
        wants = numpy2.execute(self.text(), "f", [c.view(numpy2.Array) if isinstance(c, np.ndarray) else numpy2.array(c)
                                                  for c in copies])
        out = self.tolerance(self, wants) if self.tolerance else [Check(w) for w in wants]
        if self.checks_args:
            out += [Check(c) for c in copies if isinstance(c, np.ndarray)]
        return out


def type_text(value):
    name = numpy2.name_of(value.dtype)
    if not isinstance(value, np.ndarray):
        return name
    return f"{name}[{','.join([':'] * value.ndim)}]"


def memory_of(value):
    """(its bytes and those between them, the place of the first element)"""
    low, high = np.lib.array_utils.byte_bounds(value) if hasattr(np.lib, "array_utils") else np.byte_bounds(value)
    if value.size == 0:
        return b"", 0
    first = value.__array_interface__["data"][0]
    raw = (np.ctypeslib.ctypes.c_char * (high - low)).from_address(low).raw
    return raw, first - low


def copy_of(value):
    """An array of the same strides in memory of its own."""
    if not isinstance(value, np.ndarray):
        return value
    raw, offset = memory_of(value)
    return np.ndarray(value.shape, value.dtype, bytearray(raw), offset, value.strides)


# --- jobs


class Job:
    """The files of one process."""

    def __init__(self, folder, device):
        self.folder, self.device = pathlib.Path(folder), device
        self.texts, self.calls, self.buffers, self.known = [], [], [], {}

    def buffer(self, raw):
        if raw not in self.known:
            self.known[raw] = len(self.buffers)
            self.buffers.append(f"b{len(self.buffers)}")
            (self.folder / self.buffers[-1]).write_bytes(raw)
        return self.known[raw]

    def describe(self, value, own):
        if isinstance(value, np.ndarray):
            raw, offset = memory_of(value)
            if own:  # memory that is written to
                self.known.pop(raw, None)
            index = self.buffer(raw)
            if own:
                self.known.pop(raw)
            return {"buffer": index, "dtype": numpy2.name_of(value.dtype), "shape": list(value.shape),
                    "strides": list(value.strides), "offset": offset}
        raw = value.tobytes()
        half = len(raw) // 2 if value.dtype.kind == "c" else len(raw)
        return {"dtype": numpy2.name_of(value.dtype), "bits": int.from_bytes(raw[:half], "little"),
                "imag_bits": int.from_bytes(raw[half:], "little")}

    def add(self, text, function, case):
        if not self.texts or self.texts[-1] != text:
            self.texts.append(text)
        args = [self.describe(v, case.checks_args) for _, v in case.args]
        call = {"text": len(self.texts) - 1, "function": function, "args": args}
        if case.checks_args:
            call["after"] = [{"buffer": a["buffer"], "file": f"after{len(self.calls)}.{k}"}
                             for k, a in enumerate(args) if "buffer" in a]
        self.calls.append(call)

    def run(self, run_calls):
        """One result for each call: arrays, or an error."""
        (self.folder / "jobs.json").write_text(json.dumps(
            {"device": self.device, "texts": self.texts, "buffers": self.buffers, "calls": self.calls}))
        lines = self.folder / "results.jsonl"
        lines.write_text("")
        while (done := len(lines.read_text().splitlines())) < len(self.calls):
            fault = self.process(run_calls, done)
            now = len(lines.read_text().splitlines())
            if now < len(self.calls):
                with lines.open("a") as out:
                    out.write(json.dumps({"error": f"the process ended: {fault}"}) + "\n")
        data = (self.folder / "results.bin").read_bytes() if (self.folder / "results.bin").exists() else b""
        return [self.result(call, json.loads(line), data) for call, line in zip(self.calls, lines.read_text().splitlines())]

    def process(self, run_calls, first):
        """Until it ends, or no call ends any more."""
        lines = self.folder / "results.jsonl"
        child = subprocess.Popen([run_calls, str(self.folder), str(first)], stderr=subprocess.PIPE, text=True)
        size = -1
        while True:
            try:
                _, error = child.communicate(timeout=HANG_SECONDS)
                return f"status {child.returncode}, {error[-600:]}"
            except subprocess.TimeoutExpired:
                if lines.stat().st_size == size:
                    child.kill()
                    child.communicate()
                    return f"nothing for {HANG_SECONDS} s"
                size = lines.stat().st_size

    def result(self, call, got, data):
        if "error" in got:
            return got["error"]
        out = []
        for have in got["results"]:
            count = int(np.prod(have["shape"], dtype=int))
            dtype = "?" if have["dtype"] == "b1" else have["dtype"]
            out.append(np.frombuffer(data, dtype, count, have["offset"]).reshape(have["shape"]))
        after = iter(call.get("after", []))
        for arg in call["args"] if "after" in call else []:
            if "buffer" in arg:
                raw = (self.folder / next(after)["file"]).read_bytes()
                dtype = "?" if arg["dtype"] == "b1" else arg["dtype"]
                out.append(np.ndarray(arg["shape"], dtype, bytearray(raw), arg["offset"], arg["strides"]))
        return out


def run_texts(run_calls, device, units):
    """units: lists of cases that share a text. The results of each case."""
    with tempfile.TemporaryDirectory() as folder:
        job = Job(folder, device)
        for cases in units:
            text = HEAD + "".join(dict.fromkeys(c.before for c in cases))
            names = {}  # of definitions: calls of one share it
            for case in cases:
                names.setdefault(case.definition("f"), f"f{len(names)}")
            text += "".join(definition.replace("def f(", f"def {name}(") for definition, name in names.items())
            for case in cases:
                job.add(text, names[case.definition("f")], case)
        return job.run(run_calls)


# --- comparison


class Outcome:
    def __init__(self):
        self.count = 0  # elements compared
        self.calls = 0
        self.faults = []  # (case, message)
        self.by_group = {}

    def add(self, case, count, message):
        self.count += count
        self.calls += 1
        per_group = self.by_group.setdefault(case.group, [0, 0])
        per_group[0] += count
        if message is not None:
            per_group[1] += 1
            self.faults.append((case, message))

    def merge(self, other):
        self.count += other.count
        self.calls += other.calls
        self.faults += other.faults
        for group, (count, faults) in other.by_group.items():
            mine = self.by_group.setdefault(group, [0, 0])
            mine[0] += count
            mine[1] += faults


def compare(case, got):
    """(elements compared, message or None)"""
    try:
        with np.errstate(all="ignore"):  # each thread has a state of its own
            checks = case.checks()
    except Exception as error:  # a fault of the test's own text
        return 0, f"Python cannot run the text: {error!r}"
    if isinstance(got, str):
        return 0, got
    if len(got) != len(checks):
        return 0, f"{len(got)} results, not {len(checks)}"
    count = 0
    for k, (check, have) in enumerate(zip(checks, got)):
        label = case.expressions[k] if case.expressions and k < len(case.expressions) else f"result {k}"
        if have.dtype != check.want.dtype or have.shape != check.want.shape:
            return count, (f"{label} is {numpy2.name_of(have.dtype)}{list(have.shape)}, "
                           f"not {numpy2.name_of(check.want.dtype)}{list(check.want.shape)}")
        wrong = np.asarray(check.wrong(have))
        count += check.want.size
        if wrong.any():
            return count, difference(case, label, check, have, wrong)
    return count, None


def difference(case, label, check, got, wrong):
    at = tuple(int(i[0]) for i in np.nonzero(np.atleast_1d(wrong)))
    at = at if got.ndim else ()
    values = []
    for name, v in case.args:
        if isinstance(v, np.ndarray) and v.ndim <= len(at) and v.ndim > 0 and case.expressions:
            try:
                element = np.broadcast_to(v, got.shape)[at]
                values.append(f"{name}{list(at)} = {element!r}")
            except ValueError:
                pass
    beside = f" with {', '.join(values)}" if values else ""
    return (f"{label}: at {list(at)} is {got[at]!r}, expected {check.want[at]!r}{beside} "
            f"({int(wrong.sum())} of {got.size} differ)")


def outcome_of(run_calls, device, units):
    """Runs units; those that do not compile once more in pieces."""
    out = Outcome()
    results = iter(run_texts(run_calls, device, units))
    again = []
    for cases in units:
        for case in cases:
            got = next(results)
            pieces = case.split()
            if isinstance(got, str) and (pieces or len(cases) > 1):
                again += [[c] for c in (pieces or [case])]
            else:
                out.add(case, *compare(case, got))
    if again:
        out.merge(outcome_of(run_calls, device, again))
    return out


def run(run_calls, device, units, jobs=2):
    """All units, in some processes beside one another."""
    size = max(1, -(-len(units) // (jobs * 8)))  # small: some take longer than others
    parts = [units[k:k + size] for k in range(0, len(units), size)]
    out = Outcome()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for part in pool.map(lambda p: outcome_of(run_calls, device, p), parts):
            out.merge(part)
    return out


# --- reports


def value_text(v):
    if not isinstance(v, np.ndarray):
        return f"np.{v.dtype.name}({v.item()!r})"
    steps = "" if v.flags.c_contiguous else f"  # strides {v.strides}"
    return f"np.array({v.tolist()!r}, '{numpy2.name_of(v.dtype)}').reshape{v.shape}{steps}"


def report(case, message, keep=None, number=0):
    print(f"--- {case.group}: {message}")
    print(case.text().split("\n", 3)[3].strip("\n"))
    for name, v in case.args:
        text = value_text(v)
        print(f"    {name} = {text if len(text) < 700 else text[:700] + ' …'}")
    if keep is not None:
        folder = pathlib.Path(keep)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{number}.dsl").write_text(case.text())
        command = f"jitc run {folder}/{number}.dsl f"
        for name, v in case.args:
            if isinstance(v, np.ndarray):
                np.save(folder / f"{number}.{name}.npy", v)
                command += f" --arg {name}={folder}/{number}.{name}.npy"
            else:
                command += f" --arg {name}={v.item()!r}"
        print(f"    {command} --out out={folder}/{number}.out.npy")
