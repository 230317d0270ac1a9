"""perfetto.py FILE: read the TrackEvents of a trace as Perfetto does, and print one line for each
slice: thread, begin, duration, name.  Fails where the file is not what the schema describes."""
import sys

# Of each message: fields by number, with the type of their values.
PACKET = {6: 'CLOCKS', 8: int, 10: int, 11: 'EVENT', 12: 'INTERNED', 13: int, 58: int, 60: 'TRACK'}
SCHEMA = {
    'TRACE': {1: 'PACKET'}, 'PACKET': PACKET,
    'CLOCKS': {1: 'CLOCK', 2: int}, 'CLOCK': {1: int, 2: int},
    'INTERNED': {2: 'NAME', 4: 'PLACE'}, 'NAME': {1: int, 2: str},
    'PLACE': {1: int, 2: str, 3: str, 4: int},
    'EVENT': {9: int, 10: int, 11: int, 22: str, 34: int},
    'TRACK': {1: int, 3: 'PROCESS', 4: 'THREAD', 5: int},
    'PROCESS': {1: int, 6: str}, 'THREAD': {1: int, 2: int, 5: str},
}


def number(data, at):
    n = shift = 0
    while True:
        n |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return n, at


def message(data, name):
    """Return the fields of the message NAME: number to list of values."""
    fields, at = {}, 0
    while at < len(data):
        key, at = number(data, at)
        kind = SCHEMA[name][key >> 3]
        assert key & 7 == (0 if kind is int else 2), (name, key)
        value, at = number(data, at)
        if kind is not int:
            assert at + value <= len(data)
            data_of, at = data[at:at + value], at + value
            value = data_of.decode() if kind is str else message(data_of, kind)
        fields.setdefault(key >> 3, []).append(value)
    return fields


names, tracks, stacks, monotonic = {}, {}, {}, False
for packet in message(open(sys.argv[1], 'rb').read(), 'TRACE')[1]:
    assert packet[10] == [1] and packet[13][0] in (1, 2)
    if 6 in packet:
        assert packet[6][0][2] == [3] and packet[6][0][1][0][1] == [3]
        monotonic = True
    for track in packet.get(60, []):
        if 4 in track:
            assert track[5][0] in tracks, 'a thread before its process'
        tracks[track[1][0]] = track
    for interned in packet.get(12, []):
        for name in interned.get(2, []):
            names[name[1][0]] = name[2][0]
    for event in packet.get(11, []):
        assert monotonic and packet[58] == [3]
        track, time = event[11][0], packet[8][0]
        stack = stacks.setdefault(track, [])
        if event[9] == [1]:
            stack.append((time, names[event[10][0]]))
        else:
            assert event[9] == [2]
            begin, name = stack.pop()
            assert begin <= time
            print(tracks[track][4][0][2][0], begin, time - begin, name, sep='\t')
assert not any(stacks.values()), 'slices without an end'
