"""Programs made by chance whose threads work together: the reference interpreter and every device must agree on them.

usage: random_block_programs.py RUN_CASES [--count N] [--seed S] [--keep FOLDER]

The kernels of random_programs.py with shared, local and constant arrays, barriers, atomics and warp operations. A body is
a row of phases. In a phase some arrays are read by all threads, the others are written by each thread in its own slot or
by one atomic operation that commutes; a barrier ends it. So no result depends on the order of the threads.
"""

import sys

from random_programs import DTYPES, FLOATS, KINDS, Program, kind_of, run_cases_of, value

BLOCK = 40  # one warp and a quarter
SIZE = 2 * BLOCK
WORDS = ["i4", "u4", "i8", "u8", "f4", "f8"]
MASK = "0xFFFFFFFF"
COMMUTATIVE = ["add", "and_", "or_", "xor", "max", "min"]


class Shared:
    """An array of the block, with one element for each thread: m[40] or m[5, 8]."""

    def __init__(self, chance, number):
        self.name = f"m{number}"
        self.dtype = chance.choice(DTYPES)
        self.flat = chance.random() < 0.7
        self.is_view = not self.flat and chance.random() < 0.5

    def declaration(self):
        shape = str(BLOCK) if self.flat else f"({BLOCK // 8}, 8)"
        return f"    {self.name} = cuda.shared.array({shape}, {self.dtype})"

    def at(self, position):
        """The element of the thread with this number, which is not negative."""
        if self.flat:
            return f"{self.name}[({position}) % {BLOCK}]"
        if self.is_view:
            return f"{self.name}[({position}) // 8 % {BLOCK // 8}][({position}) % 8]"
        return f"{self.name}[({position}) // 8 % {BLOCK // 8}, ({position}) % 8]"

    def own(self, reverse):
        return self.at(f"{BLOCK - 1} - t" if reverse else "t")


class BlockProgram(Program):
    def __init__(self, chance):
        super().__init__(chance)
        self.shared = [Shared(chance, n) for n in range(chance.randint(1, 4))]
        self.readable = []
        self.counters_type = chance.choice(["i4", "u4", "i8", "u8"])
        self.returns = chance.random() < 0.3
        self.all_live = True  # so far: no thread has ended

    # --- expressions

    def leaf(self, kind):
        arrays = [s for s in self.readable if kind_of(s.dtype) == kind] if self.reads_arrays else []
        if arrays and self.chance.random() < 0.4:
            return self.chance.choice(arrays).at(self.place())
        if self.reads_arrays and kind == "int" and self.chance.random() < 0.15:
            return self.chance.choice(["TABLE[t % 5]", "local[t % 3]", "t", "cuda.laneid", "cuda.blockDim.x"])
        return super().leaf(kind)

    def place(self):
        ints = [f"abs(i4({name}) % {BLOCK})" for name, kind in self.locals.items() if kind == "int"]
        return self.chance.choice([f"t + {self.chance.randint(0, 60)}", f"{BLOCK - 1} - t", "t * 3", *ints])

    def word(self, dtype):
        kind = kind_of(dtype)
        return f"{dtype}({self.expr(kind, 2)})"

    def uniform(self):
        """An int that all threads of the block agree on, read before the phase in which it may change."""
        c = self.chance
        choices = ["cuda.blockIdx.x", str(c.randint(0, 5)), "t // 64", "u"]
        choices += [f"i4({name})" for name, dtype in self.scalars if kind_of(dtype) == "int"]
        choices += [f"i4({s.at(str(c.randint(0, BLOCK - 1)))})" for s in self.shared if kind_of(s.dtype) == "int"]
        return c.choice(choices)

    # --- phases

    def phase(self, depth, indent):
        c = self.chance
        pad = "    " * indent
        written = [s for s in self.shared if c.random() < 0.5]
        self.readable = [s for s in self.shared if s not in written]
        lines = []
        for _ in range(c.randint(1, 3)):
            lines += c.choice([self.statement, self.warp_line])(1, indent)
        for shared in written:
            lines += self.write(shared, indent)
        if c.random() < 0.4:
            op = c.randrange(len(COMMUTATIVE))
            index = f"{op * 8} + abs(i4({self.expr('int', 1)})) % 8"
            lines.append(f"{pad}cuda.atomic.{COMMUTATIVE[op]}(counts, {index}, {self.word(self.counters_type)})")
        self.readable = []
        lines += self.meeting(indent)
        if depth > 0 and c.random() < 0.5:
            lines += self.nested(depth, indent)
        if self.returns and indent == 1 and c.random() < 0.2:
            lines += [f"{pad}if (t * 7 + {c.randint(0, 9)}) % 11 == 3:", f"{pad}    return"]
            self.all_live = False
        return lines

    def write(self, shared, indent):
        c = self.chance
        pad = "    " * indent
        name, dtype = shared.name, shared.dtype
        own = shared.own(c.random() < 0.3)
        kind = kind_of(dtype)
        if dtype in ("i4", "u4", "i8", "u8") and shared.flat and c.random() < 0.3:
            op = c.choice(COMMUTATIVE)
            index = f"abs(i4({self.expr('int', 1)}) % {BLOCK})"
            return [f"{pad}cuda.atomic.{op}({name}, {index}, {self.word(dtype)})" for _ in range(c.randint(1, 2))]
        if dtype in WORDS and c.random() < 0.3:
            op = c.choice(["add", "sub", "max", "min", "nanmax", "nanmin"])
            index = "t" if shared.flat else "(t // 8, t % 8)"
            target, cast = ("v1", "f8") if kind == "float" else ("v0", "i4")
            return [f"{pad}{target} = {cast}(cuda.atomic.{op}({name}, {index}, {self.word(dtype)}))"]
        if shared.flat and c.random() < 0.2:
            return [f"{pad}put({name}, t, {self.word(dtype)})"]
        lines = [f"{own} = {self.word(dtype)}"]
        if dtype != "b1" and c.random() < 0.4:
            lines.append(f"{own} += {self.word(dtype)}")
        if c.random() < 0.4:
            return [f"{pad}if {self.expr('bool', 2)}:"] + [f"{pad}    {line}" for line in lines]
        return [pad + line for line in lines]

    def meeting(self, indent):
        c = self.chance
        pad = "    " * indent
        if c.random() < 0.25:
            test = f"i4({self.expr('bool', 1)})"
            return [f"{pad}u += cuda.syncthreads_{c.choice(['count', 'and', 'or'])}({test})"]
        return [f"{pad}cuda.syncthreads()"]

    def warp_line(self, _, indent):
        c = self.chance
        pad = "    " * indent
        kind = c.choice(["shfl", "shfl", "vote", "ballot", "match", "sync"])
        if kind == "shfl":
            op = c.choice(["shfl_sync", "shfl_up_sync", "shfl_down_sync", "shfl_xor_sync"])
            target, dtype = c.choice([("v0", "i4"), ("v1", c.choice(FLOATS))])
            cast = "f8" if target == "v1" else "i4"
            # What a GPU gives for a lane that has ended, or is not there, is its own affair: nobody looks at it.
            return [f"{pad}got = cuda.{op}({MASK}, {self.word(dtype)}, {c.choice(['3', '16', 't % 7'])})",
                    f"{pad}if t < {BLOCK // 32 * 32 if self.all_live else 0}:", f"{pad}    {target} = {cast}(got)"]
        if kind == "vote":
            return [f"{pad}v2 = cuda.{c.choice(['all_sync', 'any_sync', 'eq_sync'])}({MASK}, {self.expr('bool', 2)})"]
        if kind == "ballot":
            return [f"{pad}v0 = i4(cuda.ballot_sync({MASK}, {self.expr('bool', 2)}))"]
        if kind == "match":
            return [f"{pad}v0 = i4(cuda.match_any_sync({MASK}, i4({self.expr('int', 2)}) % 3))"]
        return [f"{pad}cuda.syncwarp()", f"{pad}local[t % 3] = {self.word('i4')}"]

    def nested(self, depth, indent):
        """A branch or a loop in which all threads stay together."""
        c = self.chance
        pad = "    " * indent
        lines = [f"{pad}u = i4({self.uniform()}) % 4", f"{pad}cuda.syncthreads()"]
        if c.random() < 0.5:
            lines += [f"{pad}if u {c.choice(['>', '<', '==', '!='])} {c.randint(0, 2)}:"]
            lines += self.phase(depth - 1, indent + 1)
            if c.random() < 0.5:
                lines += [f"{pad}else:"] + self.phase(depth - 1, indent + 1)
            return lines
        counter = f"q{depth}"
        lines += [f"{pad}for {counter} in range({c.choice(['u', '2', '1 + u'])}):"]
        lines += self.phase(depth - 1, indent + 1)
        if c.random() < 0.3:
            lines += [f"{pad}    if {counter} == {c.randint(0, 2)}:", f"{pad}        {c.choice(['break', 'continue'])}"]
            lines += self.phase(0, indent + 1)
        return lines

    # --- the whole text

    def text(self):
        c = self.chance
        for number in range(c.randint(0, 2)):
            self.make_function(number)
        body = ["    i = cuda.grid(1)", "    t = cuda.threadIdx.x", "    u = 1", "    local = cuda.local.array(3, i4)"]
        body += [shared.declaration() for shared in self.shared]
        body += ["    for j in range(3):", "        local[j] = j * t"]
        body += [f"    {shared.own(False)} = t" for shared in self.shared]
        for number, kind in enumerate(["int", "float", "bool"]):
            first = self.expr(kind, 1)
            cast = {"int": "i4", "float": "f8", "bool": "bool"}[kind]
            body.append(f"    v{number} = {cast}({first})")
            self.locals[f"v{number}"] = kind
        body.append("    cuda.syncthreads()")
        for _ in range(c.randint(2, 4)):
            body += self.phase(2, 1)
        self.readable = self.shared
        for name, _ in self.outs:
            body.append(f"    {name}[i] = {self.expr(c.choice(KINDS), 3)}")
        params = [(n, f"{t}[:]") for n, t in self.inputs + self.outs + [("counts", self.counters_type)]] + self.scalars
        signature = ", ".join(t for _, t in params)
        head = ["import math", "import numpy as np", f"from numba import cuda, {', '.join(DTYPES)}", "",
                "TABLE = np.array([3, -1, 4, 1, 5], dtype=np.int32)", "", ""]
        put = ["def put(a, at, new):", "    a[at] = new", "", ""]
        kernel = [f'@cuda.jit("void({signature})")', f"def k({', '.join(n for n, _ in params)}):"]
        return "\n".join(head + put + self.function_text + kernel + body) + "\n"

    def case(self, check_code):
        c = self.chance
        text = self.text()
        keys = ["mode: run", "agreement: on", "grid: 2", f"block: {BLOCK}"]
        if not check_code or "match_" in text:  # sm_50 has none
            keys.append("check-code: off")
        for name, dtype in self.inputs + self.outs:
            values = ", ".join(value(c, dtype) for _ in range(SIZE))
            keys.append(f"arg {name}: {dtype}[{SIZE}]{{{values}}}")
        keys.append(f"arg counts: ones:{self.counters_type}[{len(COMMUTATIVE) * 8}]")
        keys += [f"arg {name}: {dtype}({value(c, dtype)})" for name, dtype in self.scalars]
        return "\n".join(keys) + "\n=== text\n" + text


if __name__ == "__main__":
    sys.exit(run_cases_of("block", lambda chance, number: BlockProgram(chance).case(check_code=number % 10 == 0)))
