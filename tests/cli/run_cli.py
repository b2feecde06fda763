"""run_cli.py JITC CASE [--rebase]: runs the commands of a .cli file and compares what they print, to the letter."""

import difflib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
MASKS = [
    (re.compile(r"\d+\.\d{3} ms"), "# ms"),
    (re.compile(r"^(jitc: .*\)) on .*$", re.M), r"\1 on DEVICE"),
    (re.compile(r"^( *[a-z][\w .:-]*?) +\d+\.\d{3}$", re.M), r"\1 #"),
    (re.compile(r"\d+\.\d+\.\d+ \(LLVM [\d.]+\)"), "VERSION"),
    (re.compile(r"^(cpu +)\S.*$", re.M), r"\1DEVICE"),
    (re.compile(r"[^\s'\"]+/libjitc-cudaemu\.so"), "EMULATOR"),
    (re.compile(r"more than this machine's \d+ bytes"), "more than this machine's # bytes"),
]


def mask(text):
    for pattern, replacement in MASKS:
        text = pattern.sub(replacement, text)
    return text


def sections(stdout, stderr, code):
    """The printed form of what a command did."""
    out = ""
    for name, text in (("stdout", mask(stdout)), ("stderr", mask(stderr))):
        if text:
            out += f"--- {name}\n{text}" + ("" if text.endswith("\n") else "\n\\ no newline at the end\n")
    return out + (f"--- exit {code}\n" if code else "")


def parse(case):
    """The head of the file, and a list of (comment lines, command, expected sections)."""
    head, commands, comments = "", [], ""
    for line in case.splitlines(True):
        if line.startswith("$ "):
            commands.append([comments, line[2:].rstrip("\n"), ""])
            comments = ""
        elif line.startswith("#: "):
            comments += line
        elif commands:
            commands[-1][2] += line
        else:
            head += line
    return head, [(c, command, expected.rstrip("\n") + "\n" if expected.strip() else "")
                  for c, command, expected in commands]


def run(command, folder, jitc):
    fakes = jitc.parents[1] / "tests" / "fakes"
    environment = {"PATH": f"{jitc.parent}:/usr/bin:/bin", "LC_ALL": "C.UTF-8", "HOME": str(folder), "FAKES": str(fakes),
                   "JITC_CACHE": "off"}
    if "ASAN_OPTIONS" in os.environ:
        environment["ASAN_OPTIONS"] = os.environ["ASAN_OPTIONS"]
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, errors="backslashreplace", timeout=120)
    place = {str(fakes): "FAKES", str(folder): "FOLDER"}
    outputs = [done.stdout, done.stderr]
    for path, name in place.items():
        outputs = [text.replace(path, name) for text in outputs]
    return sections(*outputs, done.returncode)


def main():
    jitc, path = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    if not jitc.is_file():
        sys.exit(f"there is no {jitc}")
    head, commands = parse(path.read_text())
    wrong, rebased = 0, head
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name) / "work"
        shutil.copytree(HERE.parent.parent / "dsl-examples", folder)
        shutil.copytree(HERE / "files", folder, dirs_exist_ok=True)
        for comment, command, expected in commands:
            got = run(command, folder, jitc)
            got = got.rstrip("\n") + "\n" if got else ""
            rebased += f"{comment}$ {command}\n{got}\n"
            if got != expected and "--rebase" not in sys.argv:
                wrong += 1
                print(f"{path.name}: $ {command}")
                print("".join(difflib.unified_diff(expected.splitlines(True), got.splitlines(True), "expected", "got")))
    if "--rebase" in sys.argv:
        path.write_text(rebased.rstrip("\n") + "\n")
    elif wrong:
        sys.exit(f"{wrong} commands print something else")


main()
