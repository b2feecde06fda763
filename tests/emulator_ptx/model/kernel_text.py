"""Writes the PTX text of a family: kernels that apply instructions to the operands of a table's row, and the tables."""

import itertools

WIDTH = {"b16": 16, "b32": 32, "b64": 64, "f16": 16, "bf16": 16, "f32": 32, "f64": 64, "pred": 1}
NAN = "nan"


class Between:
    """A result that PTX gives by its distance from the exact one: any value from `low` to `high`."""

    def __init__(self, low, high):
        self.low, self.high = low, high


class Step:
    """Statements with {a} {b} {c} {e} for operands and {d} {d1} for results, and the function of the operands."""

    def __init__(self, code, results, function):
        self.code, self.results, self.function = code, results.split(), function


def register_type(column):
    return "pred" if column == "pred" else f"b{WIDTH[column]}"


def load(name, column, offset):
    if column != "pred":
        return [f"ld.global.{register_type(column)} %{name}, [%in+{offset}];"]
    return [f"ld.global.b32 %word, [%in+{offset}];", f"setp.ne.b32 %{name}, %word, 0;"]


def store(name, column, offset):
    if column != "pred":
        return [f"st.global.{register_type(column)} [%out+{offset}], %{name};"]
    return [f"selp.b32 %word, 1, 0, %{name};", f"st.global.b32 [%out+{offset}], %word;"]


def value_text(value, column):
    if value is NAN:
        return NAN
    if isinstance(value, Between):
        return f"{value_text(value.low, column)}..{value_text(value.high, column)}"
    return f"{value & ((1 << WIDTH[column]) - 1):#x}"


def row_text(operands, inputs, steps):
    words = [value_text(value, column) for value, column in zip(operands, inputs)] + ["->"]
    for step in steps:
        values = step.function(*operands)
        values = values if isinstance(values, tuple) else (values,)
        words += [value_text(value, column) for value, column in zip(values, step.results, strict=True)]
    return "//   " + " ".join(words)


def kernel(name, inputs, steps, rows):
    """`inputs` are the types of the operands; a row has a value for each."""
    inputs, rows = inputs.split(), list(rows)
    names = "abce"[: len(inputs)]
    results = [(f"d{i}", column) for i, column in enumerate(itertools.chain(*(step.results for step in steps)))]
    lines = [f".visible .entry {name}(.param .u64 in, .param .u64 out)", "{"]
    body = [".reg .b64 %in, %out;", ".reg .b32 %row, %word;"]
    body += [f".reg .{register_type(column)} %{one};" for one, column in zip(names, inputs)]
    body += [f".reg .{register_type(column)} %{one};" for one, column in results]
    body += ["mov.u32 %row, %tid.x;"]
    for pointer, count in (("in", len(inputs)), ("out", len(results))):
        body += [f"ld.param.u64 %{pointer}, [{pointer}];", f"mad.wide.u32 %{pointer}, %row, {8 * count}, %{pointer};"]
    for i, (one, column) in enumerate(zip(names, inputs)):
        body += load(one, column, 8 * i)
    first = 0
    for step in steps:
        places = {one: f"%{one}" for one in names}
        for i in range(len(step.results)):
            places["d" + (str(i) if i else "")] = f"%d{first + i}"
        body += [line.strip() for line in step.code.format(**places).strip().splitlines()]
        first += len(step.results)
    for i, (one, column) in enumerate(results):
        body += store(one, column, 8 * i)
    lines += ["  " + line for line in body + ["ret;"]] + ["}"]
    lines += [f"// table {name}: {' '.join(inputs)} -> {' '.join(column for _, column in results)}"]
    lines += [row_text(row, inputs, steps) for row in rows]
    return "\n".join(lines) + "\n"


def family_text(title, kernels, version="8.0", target="sm_90"):
    head = [f"// {title}", "// Written by model/write_families.py from the manual's definitions."]
    head += [f".version {version}", f".target {target}", ".address_size 64"]
    return "\n".join(head) + "\n\n" + "\n".join(kernels)
