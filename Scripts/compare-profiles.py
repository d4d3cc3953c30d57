#!/usr/bin/env python3
"""compare-profiles.py IDLE BUSY SYMBOLS TIMES

Prints the sections of the functions that ran at least once for each of so many events: those of callgrind's profile BUSY
that have so much more in it than in IDLE, as far as SYMBOLS has them, in the order in which they are first called. The
processor then finds what runs next where it has just been, and mostly has it there before it is needed.
"""

import collections
import re
import sys


class Profile:
    """What one run of callgrind has counted, by the names of functions."""

    def __init__(self, path):
        # The instructions that each function has run itself.
        self.costs = collections.Counter()
        # Whom each function calls, by where in it the call stands.
        self.calls = collections.defaultdict(list)
        self.names = {}
        with open(path, errors="replace") as lines:
            self.read(lines)

    def read(self, lines):
        function, callee, address, is_call = None, None, 0, False
        for line in lines:
            if match := re.match(r"(c?)fn=(\(\d+\)(?: .*)?)$", line):
                if match[1]:
                    callee = self.name(match[2])
                else:
                    function = self.name(match[2])
            elif line.startswith("calls="):
                is_call = True  # The next line is the cost of the call, which is not the caller's own.
            elif match := re.match(r"(0x[0-9a-f]+|[+-]\d+|\*) (\d+)$", line):
                address = self.address(match[1], address)
                if is_call:
                    self.calls[function].append((address, callee))
                else:
                    self.costs[function] += int(match[2])
                is_call = False

    def name(self, reference):
        """A name that is written in full the first time and then by its number alone. Recursive functions are told apart
        by their depth: name'2."""
        number, _, name = reference.partition(" ")
        if name:
            self.names[number] = re.sub(r"'\d+$", "", name)
        return self.names.get(number, "")

    @staticmethod
    def address(written, last):
        """An address that is written in full, or by its distance from the last one, or not again."""
        if written == "*":
            return last
        return int(written, 16) if written.startswith("0x") else last + int(written)


# Whom so many call, like those who count references, calls everybody in turn: the order of those calls says nothing.
MANY = 8


def in_order_of_calls(functions, calls):
    """The functions from the first to run on: each, and then whom it calls, in the order of the calls in it."""
    callers = collections.Counter(
        callee for caller in functions for callee in {callee for _, callee in calls[caller]} - {caller})
    order = {}
    for first in sorted(functions, key=lambda name: (callers[name] > 0, -functions[name], name)):
        waiting = [first]
        while waiting:
            name = waiting.pop()
            if name in order or name not in functions:
                continue
            order[name] = None
            if name == first or callers[name] < MANY:
                waiting += [callee for _, callee in sorted(calls[name], reverse=True)]
    return list(order)


def main():
    idle, busy = Profile(sys.argv[1]), Profile(sys.argv[2])
    with open(sys.argv[3]) as lines:
        symbols = set(lines.read().split())
    times = int(sys.argv[4])
    more = {name: cost - idle.costs[name] for name, cost in busy.costs.items() if name in symbols}
    hot = {name: cost for name, cost in more.items() if cost >= times}
    for name in in_order_of_calls(hot, busy.calls):
        print(name)


main()
