#!/usr/bin/env python3
"""compare-profiles.py IDLE BUSY SYMBOLS TIMES

Prints the sections of the functions that ran at least once for each of so many events: those of callgrind's profile BUSY
that have so much more in it than in IDLE, as far as SYMBOLS has them, the costliest first.
"""

import re
import sys


def costs(path):
    """The instructions that each function has run itself, by its name."""
    names, result, function, is_call = {}, {}, None, False
    with open(path, errors="replace") as lines:
        for line in lines:
            if match := re.match(r"(c?)fn=\((\d+)\)(?: (.*))?$", line):
                caller, number, name = match.groups()
                if name:
                    names[number] = name
                if not caller:
                    function = number
            elif line.startswith("calls="):
                is_call = True  # The next line is the cost of the call, which is not the caller's own.
            elif match := re.match(r"(?:0x[0-9a-f]+|[+-]\d+|\*) (\d+)$", line):
                if not is_call:
                    result[function] = result.get(function, 0) + int(match[1])
                is_call = False
    by_name = {}
    for number, cost in result.items():
        # Recursive functions are told apart by their depth: name'2.
        name = re.sub(r"'\d+$", "", names.get(number, ""))
        by_name[name] = by_name.get(name, 0) + cost
    return by_name


def main():
    idle, busy = costs(sys.argv[1]), costs(sys.argv[2])
    with open(sys.argv[3]) as lines:
        symbols = set(lines.read().split())
    times = int(sys.argv[4])
    more = {name: cost - idle.get(name, 0) for name, cost in busy.items() if name in symbols}
    for name in sorted(more, key=lambda name: (-more[name], name)):
        if more[name] >= times:
            print(f".text.{name}")


main()
