"""Programs made by chance: the reference interpreter and every device must agree on them to the last bit.

usage: random_programs.py RUN_CASES [--count N] [--seed S] [--keep FOLDER]

Each program is a kernel with device functions, loops, branches and mixed types, written as a case with `agreement: on`;
the same seed makes the same programs. With --keep the cases stay, to be run and shrunk by hand.
"""

import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

INTS = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]
FLOATS = ["f2", "bf16", "f4", "f8", "f4", "f8"]
COMPLEX = ["c8", "c16"]
DTYPES = ["b1"] + INTS + FLOATS + COMPLEX
SIZE = 37  # elements of each array; no multiple of a vector
UNARY_MATH = ["sqrt", "floor", "ceil", "trunc", "sin", "cos", "exp", "log", "tanh", "atan", "cbrt", "fabs"]
CONSTANTS = {"int": ["0", "1", "2", "3", "7", "31", "100", "-1", "-5"], "float": ["0.0", "0.5", "-1.5", "3.0", "1e10", "0.1"]}


class Program:
    """Text of one kernel. Expressions are made by kind: "int", "float" or "bool"; casts keep their types apart."""

    def __init__(self, chance):
        self.chance = chance
        self.inputs = [(f"x{n}", chance.choice(DTYPES)) for n in range(chance.randint(2, 5))]
        self.outs = [(f"y{n}", chance.choice(DTYPES)) for n in range(chance.randint(1, 4))]
        self.scalars = [(f"s{n}", chance.choice(INTS + FLOATS)) for n in range(chance.randint(0, 2))]
        self.locals = {}  # name -> kind
        self.counters = []  # loop variables in scope: ints known at run time
        self.functions = []  # (name, kinds of parameters, kind of result)
        self.function_text = []
        self.depth_of_loops = 0
        self.reads_arrays = True

    # --- expressions

    def expr(self, kind, depth):
        if depth <= 0 or self.chance.random() < 0.1:
            return self.leaf(kind)
        makers = {"int": self.int_expr, "float": self.float_expr, "bool": self.bool_expr, "complex": self.complex_expr}
        return makers[kind](depth - 1)

    def number(self, depth):
        return self.expr(self.chance.choice(["int", "float"]), depth)

    def leaf(self, kind):
        choices = [n for n, k in self.locals.items() if k == kind]
        if kind == "int":
            choices += self.counters
        if self.reads_arrays:
            choices += [n for n, t in self.scalars if kind_of(t) == kind]
            arrays = [n for n, t in self.inputs if kind_of(t) == kind]
            choices += [f"{self.chance.choice(arrays)}[{self.index()}]" for _ in range(3) if arrays]
        if choices and self.chance.random() < 0.85:
            return self.chance.choice(choices)
        if kind == "bool":
            return self.chance.choice(["True", "False"])
        if kind == "complex":
            return f"{self.chance.choice(COMPLEX)}({self.chance.choice(['1j', '2', '0.5-1j', '-0.25j'])})"
        dtype = self.chance.choice(INTS if kind == "int" else FLOATS)
        constant = self.chance.choice(CONSTANTS[kind])
        return f"{dtype}({constant})"

    def index(self):
        forms = ["i", "i", "i", "-1 - i", "i - x0.size", f"(i + {self.chance.randint(0, 40)}) % x0.size"]
        forms += [f"i4({name}) % x0.size" for name, kind in self.locals.items() if kind == "int"]
        return self.chance.choice(forms)

    def int_expr(self, depth):
        c = self.chance
        pick = c.randrange(12)
        if pick < 4:
            # u8 beside a signed type is a float: one cast for both sides keeps the kind
            dtype = c.choice(INTS)
            op = c.choice(["+", "-", "*", "//", "%", "+"])
            return f"({dtype}({self.expr('int', depth)}) {op} {dtype}({self.expr('int', depth)}))"
        if pick < 6:
            dtype = c.choice(INTS)
            return f"({dtype}({self.expr('int', depth)}) {c.choice('&|^')} {dtype}({self.expr('int', depth)}))"
        if pick == 6:
            dtype = c.choice(INTS)
            return f"({dtype}({self.expr('int', depth)}) {c.choice(['<<', '>>', '**'])} {dtype}({self.unknown(depth)}))"
        if pick == 7:
            return f"{c.choice(INTS)}({self.expr(c.choice(['float', 'bool', 'int']), depth)})"
        if pick == 8:
            return f"{c.choice(['-', '~', 'abs'])}({self.expr('int', depth)})"
        if pick == 9:
            return self.call("int", depth) or self.leaf("int")
        if pick == 10:
            dtype = c.choice(INTS)
            return f"{c.choice(['min', 'max'])}({dtype}({self.expr('int', depth)}), {dtype}({self.expr('int', depth)}))"
        dtype = c.choice(INTS)
        return (f"({dtype}({self.expr('int', depth)}) if {self.expr('bool', depth)} "
                f"else {dtype}({self.expr('int', depth)}))")

    def complex_expr(self, depth):
        c = self.chance
        pick = c.randrange(8)
        if pick < 4:
            a, b = self.expr("complex", depth), self.expr(c.choice(["int", "float", "complex", "complex"]), depth)
            if c.random() < 0.5:
                a, b = b, a
            return f"({a} {c.choice('+-*/')} {b})"
        if pick == 4:
            return f"complex({self.number(depth)}, {self.number(depth)})"
        if pick == 5:
            return f"(-{self.expr('complex', depth)})" if c.random() < 0.5 else f"np.conj({self.expr('complex', depth)})"
        if pick == 6:
            return f"({self.expr('complex', depth)} if {self.expr('bool', depth)} else {self.expr('complex', depth)})"
        return f"{c.choice(COMPLEX)}({self.expr(c.choice(['complex', 'float']), depth)})"

    def float_expr(self, depth):
        c = self.chance
        pick = c.randrange(13)
        if pick == 12:
            z = self.expr("complex", depth)
            return c.choice([f"{c.choice(COMPLEX)}({z}).real", f"{c.choice(COMPLEX)}({z}).imag", f"abs({z})"])
        if pick < 5:
            # at least one side is a float: the result is one whatever the other is
            a, b = self.expr("float", depth), self.number(depth)
            if c.random() < 0.5:
                a, b = b, a
            return f"({a} {c.choice(['+', '-', '*', '/', '+', '*', '//', '%'])} {b})"
        if pick == 5:
            return f"({self.expr('float', depth)} * {self.expr('float', depth)} {c.choice('+-')} {self.number(depth)})"
        if pick == 6:
            return f"math.{c.choice(UNARY_MATH)}({self.expr('float', depth)})"
        if pick == 7:
            return f"{c.choice(FLOATS)}({self.expr(c.choice(['float', 'bool', 'int']), depth)})"
        if pick == 8:
            base = f"{c.choice(FLOATS)}({self.expr('float', depth)})"  # `1.5 if False else n` is an int
            return f"({base} ** {c.choice(['2', '3', '-1', '0', self.leaf('int'), '0.5'])})"
        if pick == 9:
            return self.call("float", depth) or self.leaf("float")
        if pick == 10:
            if c.random() < 0.2:  # the sign of a NaN is nobody's promise, that of an int is
                return f"math.copysign({self.expr('float', depth)}, f8({self.expr('int', depth)}))"
            name = c.choice(["min", "max", "np.minimum", "np.maximum", "np.fmin", "np.fmax"])
            return f"{name}({self.expr('float', depth)}, {self.expr('float', depth)})"
        return f"({self.expr('float', depth)} if {self.expr('bool', depth)} else {self.number(depth)})"

    def bool_expr(self, depth):
        c = self.chance
        pick = c.randrange(7)
        if pick < 3:
            return f"({self.number(depth)} {c.choice(['==', '!=', '<', '<=', '>', '>='])} {self.number(depth)})"
        if pick == 3:
            return f"({self.expr('bool', depth)} {c.choice(['and', 'or', '&', '|', '^'])} {self.expr('bool', depth)})"
        if pick == 4:
            return f"(not {self.number(depth)})"
        if pick == 5:
            return f"({self.number(depth)} < {self.number(depth)} <= {self.number(depth)})"
        return f"{c.choice(['math.isnan', 'math.isinf', 'math.isfinite'])}({self.expr('float', depth)})"

    def unknown(self, depth):
        """An int that is no constant: a constant negative count or exponent would be refused."""
        value = self.expr("int", depth)
        return f"i8({value}) - i" if self.reads_arrays else f"abs(i4({value})) & 63"

    def call(self, kind, depth):
        fitting = [f for f in self.functions if f[2] == kind]
        if not fitting:
            return None
        name, params, _ = self.chance.choice(fitting)
        return f"{name}({', '.join(self.expr(p, min(depth, 1)) for p in params)})"

    # --- statements

    def block(self, depth, indent):
        lines = []
        for _ in range(self.chance.randint(1, 4)):
            lines += self.statement(depth, indent)
        return lines

    def statement(self, depth, indent):
        c = self.chance
        pad = "    " * indent
        pick = c.randrange(10)
        if pick < 3:
            return [f"{pad}{self.assignment()}"]
        if pick < 5 and self.reads_arrays:
            name, dtype = c.choice(self.outs)
            op = c.choice(["=", "=", "+="]) if dtype != "b1" else "="
            value = self.expr(self.storable(dtype), 3)
            return [f"{pad}{name}[{c.choice(['i', '-1 - (x0.size - 1 - i)'])}] {op} {value}"]
        if pick == 5 and len(self.locals) > 1:
            a, b = c.sample(sorted(self.locals), 2)
            if self.locals[a] == self.locals[b]:
                return [f"{pad}{a}, {b} = {b}, {a}"]
        if pick < 8 and depth > 0:
            lines = [f"{pad}if {self.expr('bool', 2)}:"] + self.block(depth - 1, indent + 1)
            if c.random() < 0.3:
                lines += [f"{pad}elif {self.expr('bool', 2)}:"] + self.block(depth - 1, indent + 1)
            if c.random() < 0.5:
                lines += [f"{pad}else:"] + self.block(depth - 1, indent + 1)
            return lines
        if depth > 0 and self.depth_of_loops < 2:
            return self.loop(depth, indent)
        return [f"{pad}{self.assignment()}"]

    def storable(self, dtype):
        """A kind whose values can become `dtype`: complex numbers only become complex ones."""
        return self.chance.choice(KINDS + (["complex"] * 3 if dtype in COMPLEX else []))

    def assignment(self):
        c = self.chance
        name = c.choice(sorted(self.locals))
        kind = self.locals[name]
        if kind != "bool" and c.random() < 0.3:
            op = c.choice(["+=", "-=", "*="])
            if kind != "int":
                return f"{name} {op} {self.number(3)}"
            return f"{name} = i4({name} {op[0]} i4({self.expr('int', 3)}))"
        if kind == "int":
            return f"{name} = i4({self.expr('int', 3)})"
        return f"{name} = {self.expr(kind, 3)}"

    def loop(self, depth, indent):
        c = self.chance
        pad = "    " * indent
        counter = f"j{self.depth_of_loops}"
        bounds = c.choice(["3", "0, 5, 2", "4, 0, -1", "-2, 2", "i % 4", "1, i % 5", "i % 3, -3, -2"])
        self.depth_of_loops += 1
        self.counters.append(counter)
        lines = [f"{pad}for {counter} in range({bounds}):"] + self.block(depth - 1, indent + 1)
        if c.random() < 0.3:
            lines.append(f"{pad}    if {self.expr('bool', 2)}:")
            lines.append(f"{pad}        {c.choice(['break', 'continue'])}")
            lines += self.block(0, indent + 1)
        self.counters.remove(counter)
        self.depth_of_loops -= 1
        if c.random() < 0.2:
            lines += [f"{pad}else:"] + self.block(0, indent + 1)
        return lines

    # --- functions and the whole text

    def make_function(self, number):
        c = self.chance
        params = [c.choice(["int", "float"]) for _ in range(c.randint(1, 3))]
        kind = c.choice(["int", "float"])
        names = [f"p{n}" for n in range(len(params))]
        outer, self.locals, self.reads_arrays = self.locals, dict(zip(names, params)), False
        cast = "i4" if kind == "int" else c.choice(FLOATS)
        lines = [f"def f{number}({', '.join(names)}):"]
        lines += [f"    if {self.expr('bool', 2)}:", f"        return {cast}({self.expr(kind, 2)})"]
        lines += [f"    return {cast}({self.expr(kind, 3)})"]
        self.locals, self.reads_arrays = outer, True
        self.functions.append((f"f{number}", params, kind))
        self.function_text += lines + ["", ""]

    def text(self):
        c = self.chance
        for number in range(c.randint(0, 2)):
            self.make_function(number)
        body = ["    i = cuda.grid(1)", "    if i < x0.size:"]
        for number, kind in enumerate(["int", "float", "bool", "complex"] + [c.choice(KINDS) for _ in range(2)]):
            first = self.expr(kind, 1)
            body.append(f"        v{number} = {f'i4({first})' if kind == 'int' else first}")
            self.locals[f"v{number}"] = kind
        body += self.block(3, 2)
        for name, dtype in self.outs:
            body.append(f"        {name}[i] = {self.expr(self.storable(dtype), 3)}")
        arrays = [(n, f"{t}[{c.choice([':', ':', '::1'])}]") for n, t in self.inputs + self.outs]
        params = arrays + self.scalars
        option = c.choice(["", "", ", fma=False"])
        signature = ", ".join(t for _, t in params)
        head = ["import math", "import numpy as np", f"from numba import cuda, {', '.join(sorted(set(DTYPES)))}", "", ""]
        kernel = [f'@cuda.jit("void({signature})"{option})', f"def k({', '.join(n for n, _ in params)}):"]
        return "\n".join(head + self.function_text + kernel + body) + "\n"

    def case(self, check_code):
        c = self.chance
        text = self.text()
        keys = ["mode: run", "agreement: on", "grid: 3", "block: 16"]
        if not check_code:
            keys.append("check-code: off")
        for name, dtype in self.inputs + self.outs:
            values = ", ".join(value(c, dtype) for _ in range(SIZE))
            keys.append(f"arg {name}: {dtype}[{SIZE}]{{{values}}}")
        keys += [f"arg {name}: {dtype}({value(c, dtype)})" for name, dtype in self.scalars]
        return "\n".join(keys) + "\n=== text\n" + text


KINDS = ["int", "float", "bool"]


def kind_of(dtype):
    if dtype in FLOATS:
        return "float"
    return "bool" if dtype == "b1" else "complex" if dtype in COMPLEX else "int"


def value(chance, dtype):
    if dtype == "b1":
        return chance.choice(["True", "False"])
    if dtype in COMPLEX:
        return f"{chance.randint(-16, 16) / 8}{chance.randint(-16, 16) / 8:+}j"
    if dtype in FLOATS:
        tiny, large = ("6e-8", "65504") if dtype == "f2" else ("1e-40", "3e38")
        small = str(chance.randint(-40, 40) / 8)
        return chance.choice([small, small, small, repr(chance.uniform(-2, 2)), "nan", "inf", "-inf", "-0.0", tiny, large])
    bits = 8 * int(dtype[1])
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if dtype[0] == "i" else (0, 2**bits - 1)
    near = max(low, min(high, chance.randint(-9, 40)))
    return str(chance.choice([near, near, near, low, high, chance.randint(low, high)]))


def run_cases_of(name, make_case):
    """Writes cases as the command line asks and runs them. make_case(chance, number) gives the text of one."""
    parser = argparse.ArgumentParser()
    parser.add_argument("run_cases")
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(options.keep or temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for number in range(options.count):
            chance = random.Random(options.seed * 1_000_003 + number)
            (folder / f"{name}_{options.seed}_{number:05}.case").write_text(make_case(chance, number))
        print(f"seed {options.seed}, {options.count} programs", flush=True)
        return subprocess.run([options.run_cases, str(folder)], check=False).returncode


if __name__ == "__main__":
    sys.exit(run_cases_of("random", lambda chance, number: Program(chance).case(check_code=number % 10 == 0)))
