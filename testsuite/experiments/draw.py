# draw.py - draw lines over logarithmic axes as SVG: a line for each series, the spread as a bar at
# each point, and the figures in titles.
# SPDX-License-Identifier: GPL-3.0-or-later

import math
from xml.sax.saxutils import escape

COLOURS = ["#1b6ca8", "#d98324", "#3fa34d", "#8e5aa8", "#b5403a", "#5f6b73", "#2f6f3a", "#c2a01e",
           "#3bb3c4", "#111111"]
LEFT, TOP, WIDTH, HEIGHT = 70, 46, 640, 320


class Axis:
    """Maps values to pixels from START to END; logarithmic unless LINEAR."""

    def __init__(self, values, start, end, linear=False):
        self.linear, self.start, self.end = linear, start, end
        low, high = min(values), max(values)
        if linear:
            low, high = min(low, 0), high or 1
        if low == high:
            low, high = (low, low + 1) if linear else (low / 2, low * 2)
        self.low, self.high = low, high

    def at(self, value):
        part = ((value - self.low) / (self.high - self.low) if self.linear
                else math.log(value / self.low) / math.log(self.high / self.low))
        return self.start + (self.end - self.start) * part

    def marks(self):
        if self.linear:
            step = 10 ** math.floor(math.log10((self.high - self.low) / 4))
            while (self.high - self.low) / step > 8:
                step *= 2.5 if str(step).lstrip("0.").startswith("2") else 2
            return [self.low + i * step for i in range(int((self.high - self.low) / step) + 1)]
        for steps in (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8), (1, 1.5, 2, 3, 5, 7), (1, 2, 5), (1,):
            marks, power = [], 10 ** math.floor(math.log10(self.low))
            while power <= self.high:
                marks += [power * k for k in steps if self.low <= power * k <= self.high]
                power *= 10
            if len(marks) < 9:
                break
        return marks


def words_of(value):
    return "%g" % float("%.3g" % value)


def axes(x, y, x_words, y_words, x_name):
    bottom, right = TOP + HEIGHT, LEFT + WIDTH
    out = []
    for mark in y.marks():
        at = y.at(mark)
        out += ['<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#ddd"/>' % (LEFT, at, right, at),
                '<text x="%d" y="%.1f" text-anchor="end">%s</text>' % (LEFT - 6, at + 4,
                                                                       words_of(mark))]
    for mark in x.marks():
        at = x.at(mark)
        out += ['<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#888"/>' % (at, bottom, at,
                                                                               bottom + 5),
                '<text x="%.1f" y="%d" text-anchor="middle">%s</text>' % (at, bottom + 20,
                                                                          escape(x_name(mark)))]
    out += ['<line x1="%d" y1="%d" x2="%d" y2="%d" stroke="#444"/>' % (LEFT, bottom, right, bottom),
            '<text x="%d" y="%d" text-anchor="middle">%s</text>' % (LEFT + WIDTH / 2, bottom + 40,
                                                                    escape(x_words)),
            '<text transform="translate(16 %d) rotate(-90)" text-anchor="middle">%s</text>'
            % (TOP + HEIGHT / 2, escape(y_words))]
    return out


def line(name, points, colour, x, y, x_name):
    path = " ".join("%.1f,%.1f" % (x.at(p[0]), y.at(p[1])) for p in points)
    out = ['<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (path, colour)]
    for at, middle, least, greatest in points:
        out += ['<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s"/>'
                % (x.at(at), y.at(least), x.at(at), y.at(greatest), colour),
                '<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"><title>%s</title></circle>'
                % (x.at(at), y.at(middle), colour, escape(
                    "%s, %s: %s (%s to %s)" % (name, x_name(at), words_of(middle), words_of(least),
                                               words_of(greatest))))]
    return out


def lines(path, title, series, x_words, y_words, x_name=words_of, linear_y=False, linear_x=False):
    """SERIES is {name: [(x, middle, least, greatest)]}, sorted by x."""
    points = [p for some in series.values() for p in some]
    if not points:
        return
    x = Axis([p[0] for p in points], LEFT, LEFT + WIDTH, linear_x)
    y = Axis([v for p in points for v in p[1:]], TOP + HEIGHT, TOP, linear_y)
    height = TOP + HEIGHT + 60 + 20 * ((len(series) + 2) // 3)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" '
           'font-family="sans-serif" font-size="12">' % (LEFT + WIDTH + 30, height,
                                                         LEFT + WIDTH + 30, height),
           '<rect width="100%" height="100%" fill="white"/>',
           '<text x="%d" y="22" font-size="15">%s</text>' % (LEFT, escape(title))]
    out += axes(x, y, x_words, y_words, x_name)
    for i, (name, some) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        out += line(name, some, colour, x, y, x_name)
        at_x, at_y = LEFT + i % 3 * 220, TOP + HEIGHT + 58 + i // 3 * 20
        out += ['<rect x="%d" y="%d" width="12" height="12" fill="%s"/>' % (at_x, at_y, colour),
                '<text x="%d" y="%d">%s</text>' % (at_x + 18, at_y + 11, escape(name))]
    with open(path, "w") as file:
        file.write("\n".join(out + ["</svg>"]) + "\n")
