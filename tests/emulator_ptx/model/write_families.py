"""Writes families/*.ptx that a model computes; with --check says which of them are not as the model says."""

import pathlib
import sys

import conversions
import float_families
import integers
import narrow_formats

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "families"


def main():
    is_check = sys.argv[1:] == ["--check"]
    stale = []
    for name, text in {
        **integers.FAMILIES,
        **float_families.FAMILIES,
        **conversions.FAMILIES,
        **narrow_formats.FAMILIES,
    }.items():
        path = FOLDER / f"{name}.ptx"
        if is_check:
            stale += [name] if not path.exists() or path.read_text() != text() else []
        else:
            path.write_text(text())
    print("\n".join(f"{name}.ptx is not what the model says" for name in stale), end="")
    return 1 if stale else 0


sys.exit(main())
