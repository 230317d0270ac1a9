# chart.py - a chart of ratios as SVG: one group of bars per program, a logarithmic scale, spread as a line on each bar.
# SPDX-License-Identifier: GPL-3.0-or-later

import math
from xml.sax.saxutils import escape

COLOURS = ["#888888", "#1b6ca8", "#3fa34d", "#86c48f", "#2f6f3a", "#d98324", "#e8b06f", "#8e5aa8", "#b5403a", "#5b1f1b"]
LEFT, TOP, BAR, GAP, HEIGHT, LOW, HIGH = 60, 40, 9, 16, 320, 0.8, 100.0


def y_of(ratio):
    ratio = min(max(ratio, LOW), HIGH)
    return TOP + HEIGHT * (1 - math.log(ratio / LOW) / math.log(HIGH / LOW))


def grid(width):
    lines = []
    for mark in (1, 1.25, 1.5, 2, 3, 5, 10, 20, 50, 100):
        y = y_of(mark)
        lines.append('<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="%s"/>' % (LEFT, y, width, y, "#444" if mark == 1 else "#ddd"))
        lines.append('<text x="%d" y="%.1f" text-anchor="end">%g</text>' % (LEFT - 6, y + 4, mark))
    return lines


def bar(x, ratio, colour, title):
    middle, least, greatest = ratio
    top, floor = sorted((y_of(middle), y_of(1)))
    return ['<rect x="%.1f" y="%.1f" width="%d" height="%.1f" fill="%s"><title>%s</title></rect>' % (
                x, top, BAR - 1, max(floor - top, 1), colour, escape(title)),
            '<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="black"/>' % (x + BAR / 2, y_of(least), x + BAR / 2, y_of(greatest))]


def legend(columns, colours, y):
    items = []
    for i, column in enumerate(columns):
        x = LEFT + (i % 4) * 200
        row = y + (i // 4) * 18
        items.append('<rect x="%d" y="%d" width="12" height="12" fill="%s"/>' % (x, row, colours[column]))
        items.append('<text x="%d" y="%d">%s</text>' % (x + 18, row + 11, escape(column)))
    return items


def write(path, names, columns, ratio_of):
    colours = {column: COLOURS[i % len(COLOURS)] for i, column in enumerate(columns)}
    group = BAR * len(columns) + GAP
    width = max(LEFT + group * len(names) + GAP, 900)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">' % (
               width, TOP + HEIGHT + 60 + 18 * ((len(columns) + 3) // 4)),
           '<rect width="100%" height="100%" fill="white"/>',
           '<text x="%d" y="20" font-size="15">Time as a multiple of plain gcc -O2 (median; line: least to greatest)</text>' % LEFT]
    out += grid(width)
    for i, name in enumerate(names):
        x = LEFT + GAP / 2 + i * group
        for k, column in enumerate(columns):
            ratio = ratio_of(name, column)
            if ratio:
                out += bar(x + k * BAR, ratio, colours[column], "%s, %s: %.2f (%.2f to %.2f)" % (name, column, *ratio))
        out.append('<text x="%.1f" y="%d" text-anchor="middle">%s</text>' % (x + BAR * len(columns) / 2, TOP + HEIGHT + 18, escape(name)))
    out += legend(columns, colours, TOP + HEIGHT + 34)
    out.append("</svg>")
    with open(path, "w") as file:
        file.write("\n".join(out) + "\n")
