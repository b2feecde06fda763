"""Gives each text to ptxas for its own target: check_ptxas.py text.ptx... Ends with 77, skipped, without ptxas."""

import pathlib
import re
import shutil
import subprocess
import sys

OLDEST = 75  # that ptxas 13 takes


def main():
    ptxas = shutil.which("ptxas") or shutil.which("/usr/local/cuda/bin/ptxas")
    if ptxas is None:
        print("skipped: no ptxas")
        return 77
    failed = 0
    for path in sys.argv[1:]:
        sm = int(re.search(r"^\.target sm_(\d+)", pathlib.Path(path).read_text(), re.MULTILINE)[1])
        run = subprocess.run(
            [ptxas, f"-arch=sm_{max(sm, OLDEST)}", "-c", path, "-o", "/dev/null"], capture_output=True, text=True
        )
        if run.returncode != 0:
            print(run.stderr[:1000], end="")
            failed += 1
    print(f"{len(sys.argv) - 1} texts, {failed} refused")
    return min(failed, 1)


sys.exit(main())
