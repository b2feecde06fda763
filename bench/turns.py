"""Peers in this process and a program of ours that answers lines take turns; what comes out is a table and a file."""

import json
import statistics
import subprocess
import time


class Program:
    """A benchmark program that answers each line with one: array_calls, array_functions."""

    def __init__(self, *command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().strip()
        if not answer:
            raise RuntimeError(f"no answer to {line!r}")
        return answer

    def ms(self, line):
        return float(self.ask(line))

    def quit(self):
        self.process.communicate("quit\n")


def peer_functions(makers):
    """What each maker makes, by the peer's name; peers that this Python lacks are left out."""
    out = {}
    for name, make in makers.items():
        try:
            out[name] = make()
        except ImportError:
            print(f"without {name}, which this Python lacks")
    return out


def timed(call):
    """As competitor: the milliseconds of one call."""
    def ms():
        begin = time.perf_counter()
        call()
        return 1000 * (time.perf_counter() - begin)
    return ms


class Report:
    """Rows of ours / peer of the minima and of the medians; aims are for the minima, and the ratios to stay under."""

    def __init__(self, name, threads):
        self.name, self.threads, self.rows = name, threads, []
        print(f"{'what':<28} {'elements':>9} {'peer':<16} {'ours ms':<16} {'peer ms':<16} {'ratio':<14} aim")

    def compare(self, what, elements, competitors, aims, rounds):
        """Competitors are functions that do the work and return its milliseconds, "ours" among them."""
        times = {name: [] for name in competitors}
        for ms in competitors.values():
            ms()
        for _ in range(rounds):
            for name, ms in competitors.items():
                times[name].append(ms())
        own = min(times["ours"]), statistics.median(times["ours"])
        for peer in competitors:
            if peer == "ours":
                continue
            other = min(times[peer]), statistics.median(times[peer])
            ratio = own[0] / other[0], own[1] / other[1]
            aim = f"{aims[peer]:.2f}" if peer in aims else "-"
            print(f"{what:<28} {elements:>9} {peer:<16} {own[0]:<7.2f}/{own[1]:<8.2f} "
                  f"{other[0]:<7.2f}/{other[1]:<8.2f} {ratio[0]:<5.2f}/ {ratio[1]:<6.2f} {aim}", flush=True)
            self.rows.append({"what": what, "elements": elements, "peer_name": peer, "ours_ms": times["ours"],
                              "peer_ms": times[peer], "ratio_of_minima": ratio[0], "ratio_of_medians": ratio[1],
                              "aim": aims.get(peer)})

    def write(self, path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"benchmark": self.name, "threads": self.threads, "rows": self.rows}, file, indent=1)
