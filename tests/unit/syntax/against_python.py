"""The parser against Python's own: the same texts are accepted, and with the same tree.

Usage: against_python.py PARSE_MANY [MUTATIONS [SEED]]. Texts: the snippets below, the example programs, and mutations of both
(tokens dropped, doubled, exchanged, inserted). What jitc refuses by name (JT0140 to JT0154) and its limits may differ.
"""
import ast
import io
import pathlib
import random
import re
import subprocess
import sys
import tokenize
import warnings

# Codes that a text may get although Python accepts it: what jitc has not, characters by name, large integers, limits.
OURS_ALONE = set(range(140, 155)) | {105, 108} | set(range(901, 905))

UNARY = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~", ast.Not: "not"}
BINARY = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
          ast.LShift: "<<", ast.RShift: ">>", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.MatMult: "@"}
COMPARE = {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is",
           ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in"}


class Unsupported(Exception):
    pass


def quoted(text):
    special = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}
    return '"' + "".join(special.get(c) or (f"\\x{ord(c):02x}" if ord(c) < 32 or ord(c) == 127 else c)
                         for c in text) + '"'


def float_text(value):
    if value == float("inf"):
        return "1e999"
    return repr(value)


class TreePrinter:
    """Python's tree in the words of print_ast."""

    def __init__(self):
        self.lines = []
        self.level = 0

    def node(self, text, *parts):
        self.lines.append("  " * self.level + text)
        self.level += 1
        for part in parts:
            part()
        self.level -= 1

    def expr(self, role, e):
        if e is None:
            return
        role = role + ": " if role else ""
        method = getattr(self, "expr_" + type(e).__name__, None)
        if method is None:
            raise Unsupported(type(e).__name__)
        method(role, e)

    def exprs(self, role, es):
        for e in es:
            self.expr(role, e)

    def block(self, name, stmts):
        if stmts:
            self.node(name, lambda: self.stmts(stmts))

    def stmts(self, stmts):
        for s in stmts:
            method = getattr(self, "stmt_" + type(s).__name__, None)
            if method is None:
                raise Unsupported(type(s).__name__)
            method(s)

    def params(self, args):
        if args.posonlyargs or args.vararg or args.kwonlyargs or args.kwarg:
            raise Unsupported("parameters")
        defaults = [None] * (len(args.args) - len(args.defaults)) + args.defaults
        for arg, default in zip(args.args, defaults):
            self.node("param " + arg.arg, lambda: self.expr("annotation", arg.annotation),
                      lambda: self.expr("default", default))

    def expr_Name(self, role, e):
        self.node(f"{role}Name {e.id}")

    def expr_Constant(self, role, e):
        v = e.value
        if v is None:
            self.node(f"{role}None")
        elif v is Ellipsis:
            self.node(f"{role}Ellipsis")
        elif isinstance(v, bool):
            self.node(f"{role}Bool {v}")
        elif isinstance(v, int):
            if v >= 2**64:
                raise Unsupported("large integer")
            self.node(f"{role}Int {v}")
        elif isinstance(v, float):
            self.node(f"{role}Float {float_text(v)}")
        elif isinstance(v, complex):
            self.node(f"{role}Imag {float_text(v.imag)}j")
        else:
            self.node(f"{role}String " + quoted(v.decode("latin-1") if isinstance(v, bytes) else v))

    def expr_Tuple(self, role, e):
        self.node(f"{role}Tuple", lambda: self.exprs("", e.elts))

    def expr_List(self, role, e):
        kind = "List" if isinstance(e.ctx, ast.Load) else "Tuple"
        self.node(f"{role}{kind}", lambda: self.exprs("", e.elts))

    def expr_Set(self, role, e):
        if not all(isinstance(x, ast.Constant) and isinstance(x.value, (str, bytes)) for x in e.elts):
            raise Unsupported("set")
        self.node(f"{role}Set", lambda: self.exprs("", e.elts))

    def expr_UnaryOp(self, role, e):
        self.node(f"{role}Unary {UNARY[type(e.op)]}", lambda: self.expr("", e.operand))

    def expr_BinOp(self, role, e):
        self.node(f"{role}Binary {BINARY[type(e.op)]}", lambda: self.exprs("", [e.left, e.right]))

    def expr_Compare(self, role, e):
        self.node(f"{role}Compare", lambda: self.expr("", e.left),
                  *(lambda op=op, c=c: self.expr(COMPARE[type(op)], c) for op, c in zip(e.ops, e.comparators)))

    def expr_BoolOp(self, role, e):
        self.node(f"{role}Bool {'and' if isinstance(e.op, ast.And) else 'or'}", lambda: self.exprs("", e.values))

    def expr_IfExp(self, role, e):
        self.node(f"{role}Ternary", lambda: self.expr("if", e.test), lambda: self.expr("then", e.body),
                  lambda: self.expr("else", e.orelse))

    def expr_Call(self, role, e):
        if any(k.arg is None for k in e.keywords):
            raise Unsupported("**")
        self.node(f"{role}Call", lambda: self.expr("", e.func), lambda: self.exprs("arg", e.args),
                  *(lambda k=k: self.expr(k.arg, k.value) for k in e.keywords))

    def expr_Attribute(self, role, e):
        self.node(f"{role}Attribute .{e.attr}", lambda: self.expr("", e.value))

    def expr_Subscript(self, role, e):
        self.node(f"{role}Subscript", lambda: self.expr("", e.value), lambda: self.expr("index", e.slice))

    def expr_Slice(self, role, e):
        self.node(f"{role}Slice", lambda: self.expr("lower", e.lower), lambda: self.expr("upper", e.upper),
                  lambda: self.expr("step", e.step))

    def expr_Lambda(self, role, e):
        self.node(f"{role}Lambda", lambda: self.params(e.args), lambda: self.expr("body", e.body))

    def stmt_Expr(self, s):
        self.node("Expr", lambda: self.expr("", s.value))

    def stmt_Assign(self, s):
        self.node("Assign", lambda: self.exprs("target", s.targets), lambda: self.expr("value", s.value))

    def stmt_AnnAssign(self, s):
        self.node("AnnAssign", lambda: self.expr("target", s.target), lambda: self.expr("annotation", s.annotation),
                  lambda: self.expr("value", s.value))

    def stmt_AugAssign(self, s):
        self.node(f"AugAssign {BINARY[type(s.op)]}=", lambda: self.expr("target", s.target),
                  lambda: self.expr("value", s.value))

    def stmt_If(self, s):
        self.node("If", lambda: self.expr("cond", s.test), lambda: self.block("then", s.body),
                  lambda: self.block("else", s.orelse))

    def stmt_While(self, s):
        self.node("While", lambda: self.expr("cond", s.test), lambda: self.block("body", s.body),
                  lambda: self.block("else", s.orelse))

    def stmt_For(self, s):
        self.node("For", lambda: self.expr("target", s.target), lambda: self.expr("in", s.iter),
                  lambda: self.block("body", s.body), lambda: self.block("else", s.orelse))

    def stmt_Break(self, s):
        self.node("Break")

    def stmt_Continue(self, s):
        self.node("Continue")

    def stmt_Pass(self, s):
        self.node("Pass")

    def stmt_Return(self, s):
        self.node("Return", lambda: self.expr("", s.value))

    def stmt_Assert(self, s):
        self.node("Assert", lambda: self.expr("cond", s.test), lambda: self.expr("message", s.msg))

    def stmt_Raise(self, s):
        self.node("Raise", lambda: self.expr("", s.exc))

    def stmt_Delete(self, s):
        def flat(targets):
            for t in targets:
                if isinstance(t, (ast.Tuple, ast.List)):
                    yield from flat(t.elts)
                else:
                    yield t
        self.node("Del", lambda: self.exprs("", flat(s.targets)))

    def stmt_FunctionDef(self, s):
        self.node(f"FunctionDef {s.name}", lambda: self.exprs("decorator", s.decorator_list),
                  lambda: self.params(s.args), lambda: self.expr("returns", s.returns),
                  lambda: self.block("body", s.body))

    def stmt_Import(self, s):
        self.node("Import", *(lambda n=n: self.node(f"{n.name} as {n.asname or n.name.split('.')[-1]}")
                              for n in s.names))

    def stmt_ImportFrom(self, s):
        if s.level:
            raise Unsupported("relative import")
        if s.names[0].name == "*":
            self.node(f"ImportFrom {s.module}", lambda: self.node("*"))
        else:
            self.node(f"ImportFrom {s.module}", *(lambda n=n: self.node(f"{n.name} as {n.asname or n.name}")
                                                  for n in s.names))


def has_known_difference(text):
    """CPython compares the tabs of an indentation that a backslash joins with those of another line."""
    return re.search(r"^\s*\t\s*\\$", text, re.MULTILINE) is not None


def python_answer(text):
    """The printed tree; None when Python refuses the text; Unsupported when jitc does by design."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    printer = TreePrinter()
    try:
        printer.stmts(tree.body)
    except Unsupported as e:
        return e
    return "".join(line + "\n" for line in printer.lines)


def our_answers(parse_many, texts):
    blobs = [t.encode("utf-8") for t in texts]
    data = b"".join(b"%d\n%s" % (len(b), b) for b in blobs)
    done = subprocess.run([parse_many], input=data, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{parse_many} ended with {done.returncode}: {done.stderr.decode()}")
    out = io.BytesIO(done.stdout)
    answers = []
    for _ in blobs:
        answers.append(out.read(int(out.readline())).decode("utf-8", "replace"))
    return answers


def difference(text, ours):
    """What is wrong with our answer, or None."""
    python = python_answer(text)
    if ours.startswith("ok\n"):
        if python is None:
            return "Python refuses it, jitc accepts it"
        if isinstance(python, Unsupported):
            return f"jitc accepts what it does not support: {python}"
        return None if ours[3:] == python else f"different trees\n--- Python\n{python}--- jitc\n{ours[3:]}"
    codes = {int(line.split()[0]) for line in ours.splitlines()[1:]}
    if python is not None and not codes <= OURS_ALONE:
        return f"Python accepts it, jitc refuses it: {ours}"
    if isinstance(python, str) and not codes & OURS_ALONE:
        return f"jitc refuses it without a reason: {ours}"
    return None


def tokens_of(text):
    try:
        return [t for t in tokenize.generate_tokens(io.StringIO(text).readline)]
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return []


EXTRA = ["(", ")", "[", "]", "{", "}", ",", ":", ";", ".", "=", "==", "+", "-", "*", "**", "~", "not", "and", "in",
         "is", "if", "else", "for", "lambda", "1", "2.5", "x", "'s'", "\n", "    ", " ", "\t", "\\\n", "@", "->",
         ":=", "def", "return", "...", "None", "0x", "_", "#", "'", '"""', "elif", "while", "pass", "import", "as",
         "from", "del", "+=", "r", "1_0", "e5", "j", "match", "case", "\f", "é", "async", "yield", "%", "<", "!="]


def mutate(rng, text, words):
    """One to three edits at the borders of words or anywhere."""
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(text) + 1)
        end = min(len(text), at + rng.choice([0, 1, 1, 2, 5, 12]))
        kind = rng.randrange(4)
        if kind == 0:
            text = text[:at] + text[end:]
        elif kind == 1:
            text = text[:at] + rng.choice(EXTRA) + text[at:]
        elif kind == 2:
            text = text[:at] + rng.choice(words) + text[end:]
        else:
            text = text[:end] + text[at:end] + text[end:]
    return text


def main():
    warnings.simplefilter("ignore")
    parse_many = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
    here = pathlib.Path(__file__).resolve().parent
    snippets = (here / "snippets.txt").read_text(encoding="utf-8").split("\n%%\n")
    examples = [p.read_text() for p in sorted((here / "../../../dsl-examples").glob("*.dsl"))]
    rng = random.Random(int(sys.argv[3]) if len(sys.argv) > 3 else 0)
    corpus = snippets + examples
    words = sorted({t.string for text in corpus for t in tokens_of(text) if t.string.strip()})
    mutations = (mutate(rng, rng.choice(corpus), words) for _ in range(count))
    texts = corpus + [text for text in mutations if not has_known_difference(text)]
    failures = 0
    for number, (text, ours) in enumerate(zip(texts, our_answers(parse_many, texts))):
        problem = difference(text, ours)
        if number < len(snippets) and python_answer(text) is None:
            problem = "a snippet that Python refuses"
        if problem:
            failures += 1
            print(f"=== text {number}: {problem}\n{text!r}\n")
    print(f"{len(texts)} texts, {failures} differences")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
