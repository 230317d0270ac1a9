#!/usr/bin/env python3
# regions.py - write a script for regions.c; and compare reports of blocks and of misses, of the
# whole run and of each region, with what a plain model counts for the steps that were done.
# SPDX-License-Identifier: GPL-3.0-or-later
"""Usage: regions.py script SEED THREADS STEPS
   regions.py compare CABPROF DIR SCRIPT THREADS [killed]"""
import collections, csv, io, itertools, random, re, struct, subprocess, sys

SLOTS, REGIONS, GRANULE = 64, 'abc', 16
D1, LL = (8, 2), (16, 4)         # sets and ways: D1=1K/2/64, LL=4K/4/64
SITES = {'o': ('make', 'malloc', 'make < one'), 't': ('make', 'malloc', 'make < two'),
         'm': ('make', 'malloc', 'make'), 'c': ('clear', 'calloc', 'clear'),
         'r': ('resize', 'realloc', 'resize')}
ACCESSES = {'L': ('get', 'get < left'), 'R': ('get', 'get < right'), 'W': ('put', 'put < store')}

def script (seed, threads, steps):
    """Print a script in which a region begins or ends every few steps, some in others."""
    draw = random.Random (seed)
    first = {}
    for thread in range (threads):
        sizes, begun, depth = {}, [], 0
        for _ in range (steps):
            slot = draw.randrange (12 if thread else 24)
            what = draw.choice ('ottmccrrffLLLRRRWWWbbbeee()')
            size = draw.choice ((0, 1, 24, 40, 100, 500, 3000))
            if what in 'otmc' and slot in sizes:
                what = 'r'
            if what in 'rfLRW' and slot not in sizes:
                what = draw.choice ('otmc')
            if what == 'r' and not size:    # that would release the block
                size = 7
            if what in 'LRW':
                if thread and draw.random () < .4:
                    slot, limit = draw.choice ([(s + SLOTS, n) for s, n in first.items () if n])
                else:
                    limit = sizes[slot]
                if not limit:
                    continue
                size = draw.randrange (limit)
            elif what == 'b':
                size = draw.randrange (len (REGIONS))
                begun.append (size)
            elif what == 'e':
                if not begun:
                    continue
                size = begun.pop (draw.randrange (len (begun)))
            elif what in '()':
                if depth == (5 if what == '(' else 0):
                    continue
                depth += 1 if what == '(' else -1
            elif what == 'f':
                del sizes[slot]
            else:
                sizes[slot] = size
            print (thread, what, slot, size)
        if not thread:
            first = dict (sizes)

class Cache:
    def __init__ (self, sets, ways):
        self.ways, self.sets = ways, [[] for _ in range (sets)]
    def misses (self, line):
        lines = self.sets[line % len (self.sets)]
        missed = line not in lines
        if not missed:
            lines.remove (line)
        lines.insert (0, line)
        del lines[self.ways:]
        return missed

class Counts:
    """What is counted of the whole run, or of a region."""
    def __init__ (self):
        self.blocks = collections.defaultdict (collections.Counter)    # by origin
        self.sites = collections.defaultdict (collections.Counter)     # by origin without context
        self.peaks = collections.defaultdict (int)       # by thread and origin, or site
        self.foreign = collections.Counter ()       # by thread, 16 bytes, and reads or writes
        self.by_context = collections.defaultdict (collections.Counter)
        self.by_block = collections.defaultdict (collections.Counter)

class Model:
    def __init__ (self):
        self.counts = collections.defaultdict (Counts)
        self.homes = collections.defaultdict (int)
        self.began = set ()

    def thread (self, number, steps, addresses):
        blocks, slots, depth = {}, {}, 0
        live, begun = collections.Counter (), collections.Counter ()
        d1, ll = Cache (*D1), Cache (*LL)
        def origin (what):
            function, callee, context = SITES[what]
            return function, callee, context + ' < nest' * depth
        def now ():
            return [self.counts[''], *(self.counts[r] for r in begun if begun[r])]
        def end (slot, released):
            start = slots.pop (slot)
            size, of = blocks.pop (start)
            live[of] -= size
            live[of[:2]] -= size
            for c in now ():
                c.blocks[of]['released'] += released
                c.sites[of[:2]]['released'] += released
        for (what, slot, size), address in zip (steps, addresses):
            if what == '(':
                depth += 1
            elif what == ')':
                depth -= 1
            elif what == 'b':
                begun[REGIONS[size]] += 1
                self.began.add (REGIONS[size])
            elif what == 'e':
                begun[REGIONS[size]] -= 1
            elif what == 'f':
                end (slot, 1)
            elif what in SITES:
                of = origin (what)
                if what == 'r' and slot in slots:
                    end (slot, 1)
                slots[slot], blocks[address] = address, (size, of)
                live[of] += size
                live[of[:2]] += size
                home = number, address, of
                self.homes[home] = max (self.homes[home], address + max (size, 1))
                for c in now ():
                    c.by_block[of].update (blocks=1, bytes=size)
                    for counter in c.blocks[of], c.sites[of[:2]]:
                        counter.update (blocks=1, bytes=size)
            else:
                self.access (number, what, address, blocks, now (), depth, d1, ll)
            for c in now ():
                for key, n in live.items ():
                    c.peaks[number, key] = max (c.peaks[number, key], n)

    def access (self, number, what, address, blocks, now, depth, d1, ll):
        function, context = ACCESSES[what]
        how = 'write' if what == 'W' else 'read'
        line = address // 64
        missed = d1.misses (line)
        missed_ll = missed and ll.misses (line)
        of = next ((of for start, (size, of) in blocks.items ()
                    if start <= address < start + max (size, 1)), None)
        for c in now:
            code = function, context + ' < nest' * depth
            for rows, key in ((c.by_context, code), (c.by_block, of)):
                rows[key].update ({how + 's': 1, how + '_misses': missed,
                                   'll_' + how + '_misses': missed_ll})
            if of:
                c.blocks[of][how + 's'] += 1
                c.sites[of[:2]][how + 's'] += 1
            else:
                c.foreign[number, address // GRANULE, how + 's'] += 1

    def owner (self, number, granule, by_context):
        """Return whose blocks other threads had there: one, none, or several."""
        low = granule * GRANULE
        owners = {of if by_context else of[:2] for (thread, start, of), end in self.homes.items ()
                  if thread != number and start < low + GRANULE and end > low}
        if len (owners) == 1:
            return owners.pop ()
        return '(one of several)' if owners else '(no block)'

    def blocks (self, region, by_context):
        c = self.counts[region]
        rows = collections.defaultdict (collections.Counter)
        for key, counter in (c.blocks if by_context else c.sites).items ():
            rows[key].update (counter)
        for (thread, key), peak in c.peaks.items ():
            if len (key) == (3 if by_context else 2):
                rows[key]['peak_bytes'] += peak
        for (thread, granule, how), n in c.foreign.items ():
            rows[self.owner (thread, granule, by_context)][how] += n
        return rows

def tidy (rows):
    """Return ROWS without zeros."""
    rows = {key: {c: n for c, n in row.items () if n} for key, row in rows.items ()}
    return {key: row for key, row in rows.items () if row}

def report (cabprof, directory, columns, key_of, *arguments):
    text = subprocess.run ([cabprof, 'report', '-d', directory, *arguments, '--format=tsv'],
                           check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = collections.defaultdict (collections.Counter)
    for row in csv.DictReader (io.StringIO (text), delimiter='\t', quoting=csv.QUOTE_NONE):
        row['context'] = re.sub (r':\d+|\[.*?\] ?', '', row['context'])
        rows[key_of (row)].update ({c: int (row[c]) for c in columns})
    return tidy (rows)

def reports (cabprof, directory, region):
    """Return the reports of REGION by name."""
    more = ['--region=' + region] if region else []
    counted = ['blocks', 'released', 'bytes', 'peak_bytes', 'reads', 'writes']
    missed = ['reads', 'writes', 'read_misses', 'write_misses', 'll_read_misses',
              'll_write_misses']
    def of_block (row):
        name = row['function'], row['callee'], row['context']
        return name if row['callee'] else row['function']
    def of_site (row):
        return (row['function'], row['callee']) if row['callee'] else row['function']
    def of_offender (row):
        by = row['variable'].split (' by ')
        return (row['function'], by[1], row['context']) if len (by) > 1 else None
    get = lambda *a: report (cabprof, directory, *a, *more)
    return {'blocks by context': get (counted, of_block, 'blocks', '--by=context'),
            'blocks': get (counted, of_site, 'blocks'),
            'misses by context': get (missed, lambda row: (row['function'], row['context']),
                                      'offenders', '--by=context'),
            'misses by block': get (missed + ['blocks', 'bytes'], of_offender,
                                    'offenders', '--by=block')}

def expected (model, region):
    c = model.counts[region]
    return {'blocks by context': tidy (model.blocks (region, True)),
            'blocks': tidy (model.blocks (region, False)),
            'misses by context': tidy (c.by_context), 'misses by block': tidy (c.by_block)}

def read (path, threads):
    steps = [[] for _ in range (threads)]
    for line in open (path):
        thread, what, slot, size = line.split ()
        steps[int (thread)].append ((what, int (slot), int (size)))
    logs = []
    for thread in range (threads):
        data = open (f'log.{thread}', 'rb').read ()
        n, = struct.unpack_from ('Q', data)
        logs.append ((n, list (struct.unpack_from (f'{n + 1}Q', data, 8))))
    return steps, logs

def model_of (steps, logs, more):
    model = Model ()
    for number, (n, addresses) in enumerate (logs):
        model.thread (number, steps[number][:n + more], addresses)
    return model

def compare (cabprof, directory, path, threads, killed):
    """Say what differs.  The step that a kill cut off may count or not, in each row by itself:
    where a region begins, the blocks that live then get rows one after the other."""
    steps, logs = read (path, threads)
    models = [model_of (steps, logs, more) for more in range (2 if killed else 1)]
    for region in ['', *sorted (models[0].began)]:
        got, wanted = reports (cabprof, directory, region), [expected (m, region) for m in models]
        for name, rows in got.items ():
            keys = {*rows, *(key for w in wanted for key in w[name])}
            wrong = [key for key in sorted (keys, key=str)
                     if rows.get (key) not in [w[name].get (key) for w in wanted]]
            for key in wrong:
                print (f'{name} {region}: {key}: {rows.get (key)}, not',
                       *(w[name].get (key) for w in wanted))
            if wrong:
                return False
    print (sum (n for n, _ in logs), 'steps,', ' '.join (sorted (models[0].began)))
    return True

if sys.argv[1] == 'script':
    script (*map (int, sys.argv[2:]))
else:
    sys.exit (not compare (*sys.argv[2:5], int (sys.argv[5]), len (sys.argv) > 6))
