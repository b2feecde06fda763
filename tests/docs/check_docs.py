"""check_docs.py JITC WHAT: proves that what README.md and docs/ show is so. WHAT is commands, kernels, cpp or links."""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def blocks(page, language):
    return [text for name, text in FENCE.findall(page.read_text()) if name == language]


failures = []


def fail(page, message):
    failures.append(f"{page.relative_to(ROOT)}: {message}")


def check_commands(jitc):
    """Every line `jitc …` of an sh block succeeds, in order, in a copy of dsl-examples. Other lines are for the reader."""
    for page in PAGES:
        with tempfile.TemporaryDirectory() as folder:
            shutil.copytree(ROOT / "dsl-examples", folder, dirs_exist_ok=True)
            environment = os.environ | {"JITC_CACHE": "on", "JITC_CACHE_DIR": f"{folder}/cache"}
            for block in blocks(page, "sh"):
                for line in block.replace("\\\n", " ").splitlines():
                    words = shlex.split(line, comments=True)
                    if words[:1] != ["jitc"]:
                        continue
                    done = subprocess.run([jitc, *words[1:]], cwd=folder, env=environment, capture_output=True, text=True)
                    if done.returncode != 0:
                        fail(page, f"`{line}` exits with {done.returncode}:\n{done.stdout}{done.stderr}")


def check_kernels(jitc):
    """Every python block is kernel text without an error, but for those that begin with `# error`: these have one."""
    for page in PAGES:
        for text in blocks(page, "python"):
            with tempfile.NamedTemporaryFile("w", suffix=".dsl") as file:
                file.write(text)
                file.flush()
                done = subprocess.run([jitc, "check", file.name], capture_output=True, text=True)
            wanted = 1 if text.startswith("# error") else 0
            if done.returncode != wanted:
                fail(page, f"exit code {done.returncode} instead of {wanted} for\n{text}{done.stdout}{done.stderr}")


def check_cpp(_):
    """Every cpp block stands in a compiled file beside this one."""
    def words(text):
        return " ".join(text.split())

    compiled = [words(file.read_text()) for file in pathlib.Path(__file__).parent.glob("*.cpp")]
    for page in PAGES:
        for text in blocks(page, "cpp"):
            if not any(words(text) in file for file in compiled):
                fail(page, f"this block is in no file of tests/docs:\n{text}")


def check_links(_):
    """Relative links lead somewhere, and README's tree has a line for each folder."""
    for page in PAGES:
        text = re.sub(r"`[^`\n]*`", "", FENCE.sub("", page.read_text()))  # a signature looks like a link
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            if not (page.parent / target).exists():
                fail(page, f"the link to {target} leads nowhere")
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith((".", "build", "install"))}
    folders |= {f"{parent}/{path.name}" for parent in ("src", "runtime") for path in (ROOT / parent).iterdir() if path.is_dir()}
    listed = set(re.findall(r"^\| `?([\w./-]+?)/?`? \|", (ROOT / "README.md").read_text(), re.M))
    missing = sorted(folders - listed - {"src", "runtime"})
    if missing:
        fail(ROOT / "README.md", f"the tree lacks {', '.join(missing)}")


def main():
    jitc, what = sys.argv[1:]
    {"commands": check_commands, "kernels": check_kernels, "cpp": check_cpp, "links": check_links}[what](jitc)
    if failures:
        sys.exit("\n".join(failures))


main()
