# chart.py - draw a chart of ratios as SVG: one group of bars per program, a logarithmic scale, the
# spread as a line on each bar.
# SPDX-License-Identifier: GPL-3.0-or-later

import math
from xml.sax.saxutils import escape

COLOURS = ["#888888", "#1b6ca8", "#3fa34d", "#86c48f", "#2f6f3a", "#d98324", "#e8b06f", "#8e5aa8",
           "#b5403a", "#5b1f1b"]
LEFT, TOP, BAR, GAP, HEIGHT = 60, 40, 9, 16, 320


class Scale:
    """The axis covers ratios from LOW to HIGH; a ratio outside is drawn at the edge."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def y_of(self, ratio):
        ratio = min(max(ratio, self.low), self.high)
        return TOP + HEIGHT * (1 - math.log(ratio / self.low) / math.log(self.high / self.low))


def grid(width, scale):
    lines = []
    for mark in (0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100):
        if not scale.low <= mark <= scale.high or mark < 1 and scale.high > 50:
            continue
        y = scale.y_of(mark)
        lines.append('<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="%s"/>'
                     % (LEFT, y, width, y, "#444" if mark == 1 else "#ddd"))
        lines.append('<text x="%d" y="%.1f" text-anchor="end">%g</text>' % (LEFT - 6, y + 4, mark))
    return lines


def bar(x, ratio, colour, title, scale):
    middle, least, greatest = ratio
    middle_x = x + BAR / 2
    top, floor = sorted((scale.y_of(middle), scale.y_of(1)))
    return ['<rect x="%.1f" y="%.1f" width="%d" height="%.1f" fill="%s">'
            '<title>%s</title></rect>' % (
                x, top, BAR - 1, max(floor - top, 1), colour, escape(title)),
            '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="black"/>' % (
                middle_x, scale.y_of(least), middle_x, scale.y_of(greatest))]


def legend(columns, colours, y):
    items = []
    for i, column in enumerate(columns):
        x = LEFT + (i % 4) * 200
        row = y + (i // 4) * 18
        items.append('<rect x="%d" y="%d" width="12" height="12" fill="%s"/>'
                     % (x, row, colours[column]))
        items.append('<text x="%d" y="%d">%s</text>' % (x + 18, row + 11, escape(column)))
    return items


PLAIN = "Time as a multiple of plain gcc -O2 (median; line: least to greatest)"


def write(path, names, columns, ratio_of, title=PLAIN, low=0.8, high=100.0):
    scale = Scale(low, high)
    colours = {column: COLOURS[i % len(COLOURS)] for i, column in enumerate(columns)}
    # A letter of a name takes some 7 pixels.
    group = max(BAR * len(columns) + GAP, 7 * max(map(len, names), default=0) + 8)
    width = max(LEFT + group * len(names) + GAP, 900)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" '
           'font-family="sans-serif" font-size="12">' % (
               width, TOP + HEIGHT + 60 + 18 * ((len(columns) + 3) // 4)),
           '<rect width="100%" height="100%" fill="white"/>',
           '<text x="%d" y="20" font-size="15">%s</text>' % (LEFT, escape(title))]
    out += grid(width, scale)
    for i, name in enumerate(names):
        x = LEFT + GAP / 2 + i * group
        for k, column in enumerate(columns):
            ratio = ratio_of(name, column)
            if ratio:
                out += bar(x + k * BAR, ratio, colours[column], "%s, %s: %.2f (%.2f to %.2f)"
                           % (name, column, *ratio), scale)
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%s</text>'
                   % (x + BAR * len(columns) / 2, TOP + HEIGHT + 18, escape(name)))
    out += legend(columns, colours, TOP + HEIGHT + 34)
    out.append("</svg>")
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n")
