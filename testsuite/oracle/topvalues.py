"""topvalues.py - the table of the most frequent values, over a recorded trace.

It follows Calder, Feller and Eustace, Value Profiling, MICRO 1997. Usage: topvalues.py DUMP TABLE
[PLACES [CLEAR]]. DUMP is from `trace dump --format=tsv'; TABLE is from `report values
--format=tsv', of the same run. Each thread has a table for each place in the code; the report has
the sums. The report must have exactly the entries of this model. Print how many values there were,
and how many tables values had to leave.
SPDX-License-Identifier: GPL-3.0-or-later
"""
import csv
import sys
from collections import Counter, defaultdict


class Table:
    """Entries are [value, count, may have occurred before]."""

    def __init__(self, places, clear):
        self.places, self.clear = places, clear
        self.entries, self.n, self.due, self.full = [], 0, 0, False

    def interval(self):
        return max(self.clear, 1 + min(entry[1] for entry in self.entries[:self.places // 2]))

    def clear_part(self):
        self.entries = sorted(self.entries, key=lambda entry: -entry[1])[:self.places // 2]
        self.due = self.n + self.interval()

    def new(self, value):
        if len(self.entries) < self.places:
            self.entries.append([value, 1, self.full])
            return
        part = range(self.places // 2, self.places)
        victim = min(part, key=lambda i: (self.entries[i][1], -i))
        if not self.full:
            self.due = self.n + 1 + self.interval()
        self.entries[victim] = [value, 1, self.full]
        self.full = True

    def take(self, value):
        if self.full and self.n >= self.due:
            self.clear_part()
        for entry in self.entries:
            if entry[0] == value:
                entry[1] += 1
                break
        else:
            self.new(value)
        self.n += 1


class Place:
    """The values of one place in the code, thread by thread."""

    def __init__(self, places, clear):
        self.threads = defaultdict(list)
        self.tables = defaultdict(lambda: Table(places, clear))

    def take(self, thread, value):
        self.threads[thread].append(value)
        self.tables[thread].take(value)

    def values(self):
        return [value for values in self.threads.values() for value in values]

    def same(self):
        return sum(a == b for values in self.threads.values() for a, b in zip(values, values[1:]))

    def strides(self):
        """Return the steps that equal the one before."""
        found = []
        for values in self.threads.values():
            steps = [int(b) - int(a) for a, b in zip(values, values[1:])]
            found += [b for a, b in zip(steps, steps[1:]) if a == b and b]
        return found


def number(value):
    return int(value.rstrip("."), 16) if value[:2] == "0x" else float(value.rstrip("."))


def rows(path):
    """Return rows by column name, without the line about sampling that may come first."""
    lines = (line for line in open(path) if not line.startswith("# "))
    return csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)


def model(path, places, clear):
    found = defaultdict(lambda: Place(places, clear))
    for row in rows(path):
        if row["value"]:
            site = (row["name"], row["function"], row["file"], row["line"], row["column"],
                    row["kind"])
            found[site].take((row["process"], row["thread"]), row["value"])
    return found


def united(tables):
    """Return {value: (count, lower bound?)} of the tables of a place, and how many values had to
    leave.
    """
    full = sum(table.full for table in tables)
    count, exact = defaultdict(int), defaultdict(int)
    for table in tables:
        for value, n, lower in table.entries:
            count[value] += n
            exact[value] += table.full and not lower
    return {value: (n, exact[value] != full) for value, n in count.items()}, full


def listed_of(row):
    """Return ({value: (count, lower bound?)}, how many others) of a row."""
    listed, others = {}, 0
    for item in row["values"].split():
        value, n = item.rsplit(":", 1)
        if value == "-":
            others = int(n)
        else:
            listed[value] = int(n.rstrip("+")), n.endswith("+")
    return listed, others


def check_copies(rows, place):
    """Merge the rows of one place that the compiler has copied, which a trace does not keep apart:
    sums, and where nothing is missing each value.
    """
    seen = place.values()
    assert sum(int(row["n"]) for row in rows) == len(seen), "n of copies"
    count = Counter()
    for row in rows:
        listed, others = listed_of(row)
        count.update({value: n for value, (n, _) in listed.items()})
        assert sum(n for n, _ in listed.values()) + others == int(row["n"]), "others of copies"
    said, true = count, Counter(seen)
    assert said <= true and (said == true or any(int(row["others"]) for row in rows)), \
        f"values of copies: {said - true}, {true - said}"
    return len(seen), sum(row["counts"] != "exact" for row in rows)


def check_place(row, place):
    values, full = united(place.tables.values())
    seen = place.values()
    listed, others = listed_of(row)
    assert listed == values, (f"values: {sorted(listed.items() - values.items())}, "
                              f"not {sorted(values.items() - listed.items())}")
    covered = sum(n for n, _ in values.values())
    assert int(row["others"]) == others == len(seen) - covered, "others"
    assert int(row["n"]) == len(seen), "n"
    strides = place.strides() if row["type"] in ("signed",
                                                 "unsigned") and seen[0][-1] != "." else []
    for name, n in (("zero", sum(number(value) == 0 for value in seen)), ("same", place.same()),
                    ("top", max(n for n, _ in values.values())),
                    ("covered", covered), ("strided", len(strides))):
        assert abs(
            float(row[name]) - n / len(seen)) < 1e-5, f"{name}: {row[name]}, not {n} of {len(seen)}"
    stride = "" if not strides else "%+d" % strides[0] if len(set(strides)) == 1 else "several"
    assert row["stride"] == stride, f"stride: {row['stride']}, not {stride}"
    assert row["distinct"] == ">" * (full > 0) + str(len(values)), "distinct"
    assert row["counts"] == ("bounds" if full else "exact"), "counts"
    if row["least"] != "-":
        kind = float if row["type"] in ("float", "double") else int
        all = [kind(v.rstrip(".")) for v in seen if v.rstrip(".") not in ("nan", "-nan")]
        assert (kind(row["least"].rstrip(".")),
                kind(row["greatest"].rstrip("."))) == (min(all), max(all)), "bounds"
    return len(seen), full


def main(dump, table, places=64, clear=2000):
    found = model(dump, int(places), int(clear))
    sites = defaultdict(list)
    for row in rows(table):
        sites[row["variable"], row["function"], row["file"], row["line"], row["column"],
              row["kind"]].append(row)
    said = n_full = 0
    for site, copies in sites.items():
        assert site in found, f"no such place: {site}"
        try:
            n, full = check_place(copies[0], found[site]) if len(copies) == 1 else check_copies(
                copies, found[site])
        except AssertionError as error:
            raise AssertionError(f"{site}: {error}") from None
        said += n
        n_full += full
    assert said == sum(len(place.values())
                       for place in found.values()), "values of other places are missing"
    print(said, n_full)


if __name__ == "__main__":
    main(*sys.argv[1:])
