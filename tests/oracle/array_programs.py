"""Straight-line programs of whole arrays, made by chance; Python executes the same text.

All operations are such that NumPy has the same bits (numpy2.py), so that whatever is fused with whatever, the results are
compared to the last bit. A statement that Python cannot execute is not taken. A program that fails is shrunk by dropping
statements and results as long as it still fails alike.
"""

import re

import numpy as np

import array_runner
import numpy2
from array_maker import Maker
from array_runner import Case
from array_views import subscript

TYPES = ["f4", "f8", "f4", "f8", "i4", "i8", "u1", "i2", "u4", "f2", "b1", "u8", "i1", "u2"]
LARGEST = 3000  # elements of an array
BATCH = 6


class Program:
    def __init__(self, chance):
        self.make = Maker(chance)
        self.scope = numpy2.namespace()
        self.args, self.statements, self.names = [], [], []
        self.next = 0
        self.take_arguments()

    def take_arguments(self):
        make = self.make
        m, n = (make.one_of([1, 2, 3, 5, 17, 40]) for _ in range(2))
        for k in range(2 + make.below(3)):
            shape = make.one_of([(m, n), (m, n), (n,), (m, 1), (1, n), (2, m, n)])
            self.add_argument(f"x{k}", make.array(make.one_of(TYPES), shape, small=make.likely(0.5)))
        self.add_argument("s", make.values(make.one_of(["f4", "f8", "i4", "i8", "f2", "u1"]), (1,))[0])
        self.add_argument("k", np.int64(1 + make.below(3)))

    def add_argument(self, name, value):
        self.args.append((name, value))
        copied = array_runner.copy_of(value)
        self.scope[name] = copied.view(numpy2.Array) if isinstance(value, np.ndarray) else numpy2.array(value)
        if isinstance(value, np.ndarray):
            self.names.append(name)

    # --- expressions

    def array_name(self):
        recent = self.names[-4:]
        return self.make.one_of(recent if self.make.likely(0.7) else self.names)

    def value(self, depth):
        """Typed: an array, or a scalar of one."""
        make = self.make
        if depth <= 0 or make.likely(0.15):
            return "s" if make.likely(0.1) else self.array_name()
        maker = make.one_of([self.binary, self.binary, self.binary, self.unary, self.function, self.view, self.reduction,
                             self.choice, self.joined])
        return maker(depth - 1)

    def array_value(self, depth):
        """With an axis, which functions of whole arrays want."""
        for _ in range(4):
            text = self.value(depth)
            try:
                if eval(text, self.scope).ndim > 0:
                    return text
            except Exception:
                continue
        return self.array_name()

    def number(self):
        return self.make.one_of(["1", "2", "3", "0.5", "1.5", "7"])

    def binary(self, depth):
        op = self.make.one_of(["+", "-", "*", "+", "*", "/", "//", "%"])
        pick = self.make.below(6)
        if pick == 0:
            return f"({self.array_value(depth)} {op} {self.number()})"
        if pick == 1:
            return f"({self.number()} {op} {self.array_value(depth)})"
        return f"({self.value(depth)} {op} {self.value(depth)})"

    def unary(self, depth):
        x = self.array_value(depth)
        return self.make.one_of([f"(-{x})", f"abs({x})", f"np.sqrt({x})", f"np.floor({x})", f"np.square({x})", f"({x} ** 2)",
                                 f"np.astype({x}, {self.make.one_of(['f4', 'f8', 'i4', 'i8', 'u1', 'f2'])})", f"np.rint({x})"])

    def function(self, depth):
        name = self.make.one_of(["minimum", "maximum", "fmin", "fmax", "add", "multiply", "copysign"])
        return f"np.{name}({self.array_value(depth)}, {self.value(depth)})"

    def condition(self, depth):
        op = self.make.one_of(["<", "<=", ">", "==", "!=", ">="])
        return f"({self.array_value(depth)} {op} {self.make.one_of([self.value(depth), self.number()])})"

    def choice(self, depth):
        return self.make.one_of([f"np.where({self.condition(depth)}, {self.value(depth)}, {self.value(depth)})",
                                 f"np.clip({self.array_value(depth)}, 1, {self.value(0)})", self.condition(depth)])

    def view(self, depth):
        make, name = self.make, self.array_name()
        rank = self.scope[name].ndim
        axis = make.below(rank)
        return make.one_of([f"{name}.T", f"np.flip({name}, {axis})", f"{name}{subscript(make, self.scope[name].shape)}",
                            f"{name}[:, None]" if rank < 3 else f"{name}[0]", f"({name}.ravel() * 1)", f"np.roll({name}, k, axis={axis})",
                            f"{name}.reshape(-1, {self.scope[name].shape[-1]})" if rank > 1 else f"{name}[::-1]",
                            f"np.swapaxes({name}, 0, {axis})", f"{name}[k:]", f"{name}[:-k]"])

    def reduction(self, depth):
        make, x = self.make, self.array_value(depth)
        name = make.one_of(["sum", "sum", "mean", "max", "min", "prod", "argmax", "argmin", "var"])
        options = make.one_of(["", ", axis=0", ", axis=-1", ", axis=-1", ", axis=0"])
        if options and make.likely(0.5) or not options and make.likely(0.3):
            options += ", keepdims=True"
        return f"np.{name}({x}{options})"

    def joined(self, depth):
        a, b = self.array_value(depth), self.array_value(depth)
        return self.make.one_of([f"np.concatenate(({a}, {b}), axis={self.make.below(2)})", f"np.stack(({a}, {b}))",
                                 f"np.diff({a})", f"np.repeat({a}, 2, axis=0)", f"np.tile({a}, 2)"])

    # --- statements

    def fresh(self):
        self.next += 1
        return f"v{self.next}"

    def statement(self):
        maker = self.make.one_of([self.assignment] * 8 + [self.store, self.store, self.augmented, self.masked, self.loop, self.branch,
                                                          self.copy])
        return maker()

    def assignment(self):
        return f"{self.fresh()} = {self.value(3)}"

    def copy(self):
        return f"{self.fresh()} = {self.array_name()}.copy()"

    def store(self):
        """Into at least as many axes as the value has: the language drops none, where NumPy drops those of extent 1."""
        name, value = self.array_name(), self.value(2)
        place = f"{name}{subscript(self.make, self.scope[name].shape)}"
        try:
            if eval(place, self.scope).ndim >= eval(value, self.scope).ndim:
                return f"{place} = {value}"
        except Exception:
            pass
        return f"{name}[...] = {self.number()}"

    def augmented(self):
        """In place, of a type that the array's own can hold: other casts are errors, as in NumPy."""
        name, value = self.array_name(), self.value(2)
        try:
            kept = np.can_cast(numpy2.common(self.scope[name], eval(value, self.scope)), self.scope[name].dtype, "same_kind")
        except Exception:
            kept = False
        return f"{name} {self.make.one_of(['+=', '*=', '-='])} {value}" if kept else f"{name}[...] = {self.number()}"

    def masked(self):
        name = self.array_name()
        make = self.make
        return f"{name}[{name} {make.one_of(['<', '>', '=='])} {make.one_of(['1', '2', 's'])}] = {make.one_of(['0', '3', 's'])}"

    def loop(self):
        name = self.array_name()
        bounds = self.make.one_of(["3", "k", "1, 4", "2, -1, -1"])
        value = self.make.one_of([f"{name} + {self.value(1)}", f"{name} * 0.5 + i", f"np.maximum({name}, {self.value(1)})",
                                  f"{name}[::-1] + i"])
        return f"for i in range({bounds}):\n    {name} = {value}"

    def branch(self):
        name = self.fresh()
        a, b = self.value(2), self.value(2)
        return f"if np.sum({self.array_name()}) > {self.make.one_of(['0', 's', '10'])}:\n    {name} = {a}\nelse:\n    {name} = {b}"

    # --- what is taken

    def describe(self, scope):
        return {n: (v.dtype, v.ndim) for n, v in scope.items() if isinstance(v, numpy2.Array)}

    def copied(self):
        """The scope with arrays of its own, which share memory as those of the scope do."""
        return self.replay(self.statements)

    def replay(self, statements):
        scope = numpy2.namespace()
        for name, value in self.args:
            c = array_runner.copy_of(value)
            scope[name] = c.view(numpy2.Array) if isinstance(c, np.ndarray) else numpy2.array(c)
        for s in statements:
            exec(s, scope)
        return scope

    def accepts(self, statement):
        """Both branches and the body of a loop must keep the types of names, as the language wants it."""
        scope = self.replay(self.statements)
        before = self.describe(scope)
        try:
            results = [self.replay(self.statements + [s]) for s in variants(statement)]
        except Exception:
            return None
        after = [self.describe(r) for r in results]
        if any(a != after[0] for a in after):
            return None
        for name, now in after[0].items():
            value = results[0][name]
            if value.size > LARGEST or value.ndim > 3 or (name in before and before[name] != now):
                return None
            if any(np.iscomplexobj(v) or v.dtype == object for v in (value,)):
                return None
            if name not in before and value.dtype.kind == "b" and value.ndim == 0:
                return None
        return results[0]

    def grow(self, count):
        tries = 0
        while len(self.statements) < count and tries < 12 * count:
            tries += 1
            statement = self.statement()
            scope = self.accepts(statement)
            if scope is None:
                continue
            self.statements.append(statement)
            self.scope = scope
            self.names = [n for n, v in scope.items() if isinstance(v, numpy2.Array) and v.ndim > 0 and v.size > 0]

    def results(self):
        made = [n for n, v in self.scope.items() if isinstance(v, numpy2.Array) and n.startswith("v")]
        return made[-3:] or ["x0"]


def variants(statement):
    """The statement, and where it is a branch each side of it."""
    if not statement.startswith("if "):
        return [statement]
    lines = statement.split("\n")
    return [statement, lines[1].strip(), lines[3].strip()]


def case_of(args, statements, results):
    lines = "\n".join(statements).split("\n") + [f"return {', '.join(results)}"]
    used = set(re.findall(r"\w+", " ".join(lines)))
    kept = [(n, v) for n, v in args if n in used] or args[:1]
    return Case("programs", kept, "\n".join("    " + line for line in lines), checks_args=True)


def runs_in_python(case):
    try:
        with np.errstate(all="ignore"):
            case.checks()
        return True
    except Exception:
        return False


def kind_of(message):
    text = re.sub(r"\d+", "", message.split("\n")[0])
    return "values" if "differ)" in message else text[:60]


def shrink(options, program, message):
    """The smallest program found that fails alike."""
    statements, results = list(program.statements), program.results()
    best, kind = (case_of(program.args, statements, results), message), kind_of(message)
    for _ in range(60):
        smaller = [(statements, [r]) for r in results if len(results) > 1]
        smaller += [(statements[:k] + statements[k + 1:], results) for k in range(len(statements) - 1, -1, -1)]
        trials = [(s, r, case_of(program.args, s, r)) for s, r in smaller]
        trials = [t for t in trials if runs_in_python(t[2])]
        gots = array_runner.run_texts(options.run_calls, options.device, [[t[2]] for t in trials])
        for (s, r, case), got in zip(trials, gots):
            _, fault = array_runner.compare(case, got)
            if fault is not None and kind_of(fault) == kind:
                statements, results, best = s, r, (case, fault)
                break
        else:
            return best
    return best


def run(options):
    programs, cases = [], []
    for number in range(options.programs):
        with np.errstate(all="ignore"):
            program = Program(np.random.default_rng([options.seed, number]))
            program.grow(10 + number % 11)
        programs.append(program)
        cases.append(case_of(program.args, program.statements, program.results()))
    outcome = array_runner.run(options.run_calls, options.device, [[c] for c in cases])
    faults, seen = [], set()
    of_case = {id(c): p for c, p in zip(cases, programs)}
    for case, message in outcome.faults:
        kind = kind_of(message)
        if kind in seen and kind != "values" or len(seen) > options.show or id(case) not in of_case:
            faults.append((case, message))
            continue
        with np.errstate(all="ignore"):
            faults.append(shrink(options, of_case[id(case)], message))
        seen.add(kind)
    outcome.faults = faults
    return outcome
