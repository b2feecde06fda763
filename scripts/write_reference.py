#!/usr/bin/env python3
"""Writes the reference pages that are tables of the source: docs/diagnostics.md and docs/functions.md.

write_reference.py           writes them
write_reference.py --check   says which of them are out of date, and fails if any is
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SECTIONS = {
    1: "Text and syntax",
    2: "Signatures and options",
    3: "Names, calls and attributes",
    4: "Types and values",
    5: "Statements and functions",
    6: "Memory, and threads that work together",
    9: "Limits",
}
MODULES = {"B": "(Python)", "M": "math", "N": "numpy", "C": "cuda", "S": "cuda.shared", "L": "cuda.local",
           "K": "cuda.const", "A": "cuda.atomic", "G": "cuda.cg", "O": "operator", "X": "cmath", "J": "numba"}


def unquoted(literals):
    """The text of adjacent C string literals."""
    text = "".join(re.findall(r'"((?:[^"\\]|\\.)*)"', literals))
    return re.sub(r"\\(.)", r"\1", text)


def diagnostics():
    source = (ROOT / "src/source/diagnostics.def").read_text()
    source = re.sub(r"^\s*//.*$", "", source, flags=re.M)
    rows = re.findall(r'JITC_DIAG\(\s*(\d+),\s*k\w+,\s*k(\w+),\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)', source)
    assert len(rows) == source.count("JITC_DIAG("), "a row of diagnostics.def cannot be read"
    return [(int(code), severity.lower(), unquoted(text)) for code, severity, text in rows]


def diagnostics_page():
    lines = ["# Diagnostics", "",
             "Every message about kernel text, by its code. `{}` stands for a name or a value of your program. Codes are stable:",
             "they are never reused. `tests/cases/diagnostics` has a small program for each, with all that is printed for it;",
             "`jitc check --format=json` gives code, range and help as JSON. Made from `src/source/diagnostics.def`.", ""]
    rows = sorted(diagnostics())
    for section, title in SECTIONS.items():
        group = [row for row in rows if row[0] // 100 == section]
        if not group:
            continue
        lines += [f"## {title}", "", "| code | kind | message |", "|---|---|---|"]
        for code, severity, text in group:
            text = re.sub(r"\{:\w+\}", "{}", text).replace("{{", "{").replace("}}", "}").replace("|", "\\|")
            lines.append(f"| JT{code:04} | {severity} | {text} |")
        lines.append("")
    return "\n".join(lines)


def functions():
    """Name -> letters of the modules that have it, for the rows that this version implements."""
    source = (ROOT / "src/sema/builtins.def").read_text()
    source = re.sub(r"^\s*//.*$", "", source, flags=re.M)
    rows = re.findall(r'JITC_BUILTIN\("(\w+)",\s*"(\w+)",\s*(k\w+),\s*([^)]*)\)', source)
    assert len(rows) == source.count("JITC_BUILTIN("), "a row of builtins.def cannot be read"
    names = {}
    for modules, name, rule, _ in rows:
        if rule not in ("kFuture", "kDecorator"):
            names[name] = names.get(name, "") + modules
    return names


def functions_page():
    lines = ["# Functions and constants", "",
             "Every built-in name of this version and the modules it can come from. Names of Python and of `numpy` may be written",
             "bare (`sqrt(x)`) unless the file defines the name itself. Made from `src/sema/builtins.def`.", "",
             "| name | from |", "|---|---|"]
    for name, modules in sorted(functions().items()):
        lines.append(f"| `{name}` | {', '.join(MODULES[m] for m in MODULES if m in modules)} |")
    return "\n".join(lines) + "\n"


def main():
    pages = {"docs/diagnostics.md": diagnostics_page(), "docs/functions.md": functions_page()}
    stale = [path for path, text in pages.items() if not (ROOT / path).exists() or (ROOT / path).read_text() != text]
    if "--check" in sys.argv[1:]:
        if stale:
            sys.exit(f"out of date: {', '.join(stale)}; run scripts/write_reference.py")
        return
    for path in stale:
        (ROOT / path).write_text(pages[path])


main()
