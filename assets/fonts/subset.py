#!/usr/bin/env python3
"""Makes the embedded fonts from Debian's fonts-dejavu-core and fonts-freefont-ttf.

    subset.py FreeSerif.ttf DejaVuSans.ttf DejaVuSans-Bold.ttf OUT_DIR        (needs fonttools)

chess.ttf holds FreeSerif's chessmen at their own places (U+2654..265F) and, at U+E654..E65F, their
silhouettes: the outer contours alone, which the renderer fills under the ink.
"""
import sys
from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.ttLib.tables._g_l_y_f import Glyph
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.areaPen import AreaPen

serif, sans, bold, out = sys.argv[1:]
LETTERS = [*range(0x20, 0x7F), *range(0xA0, 0x180), *range(0x2010, 0x2027), 0x2030, 0x2039, 0x203A,
           0x20AC, 0x2190, 0x2191, 0x2192, 0x2193, 0x2212, 0x2213, 0x2260, 0x2264, 0x2265, 0x2713, 0x2717, 0xFFFD]
PIECES = range(0x2654, 0x2660)


def cut(source, unicodes, target):
    options = subset.Options(hinting=False, layout_features=["kern"], notdef_outline=True, name_IDs=["*"])
    font = subset.load_font(source, options)
    sub = subset.Subsetter(options)
    sub.populate(unicodes=unicodes)
    sub.subset(font)
    subset.save_font(font, target, options)


def contours(font, name):
    pen = DecomposingRecordingPen(font.getGlyphSet())
    font.getGlyphSet()[name].draw(pen)
    one = []
    for op in pen.value:
        one.append(op)
        if op[0] in ("closePath", "endPath"):
            yield one
            one = []


def signed_area(contour):
    pen = AreaPen()
    for name, points in contour:
        getattr(pen, name)(*points)
    return pen.value


cut(sans, LETTERS, f"{out}/sans.ttf")
cut(bold, LETTERS, f"{out}/sans-bold.ttf")
cut(serif, PIECES, f"{out}/chess.ttf")
font = TTFont(f"{out}/chess.ttf")
cmap = font.getBestCmap()
added = {}
for code in PIECES:
    every = list(contours(font, cmap[code]))
    outer = max((signed_area(c) for c in every), key=abs)
    pen = TTGlyphPen(None)
    for c in every:
        if signed_area(c) * outer > 0:
            for name, points in c:
                getattr(pen, name)(*points)
    name = f"silhouette{code:X}"
    font["glyf"][name] = pen.glyph()
    font["hmtx"][name] = font["hmtx"][cmap[code]]
    added[0xE000 + (code & 0xFFF)] = name
font.setGlyphOrder(font.getGlyphOrder())
for table in font["cmap"].tables:
    if table.isUnicode():
        table.cmap.update(added)
font.save(f"{out}/chess.ttf")
for code in PIECES:
    g = font["glyf"][cmap[code]]
    print(f"{code:X}", font["hmtx"][cmap[code]], g.xMin, g.yMin, g.xMax, g.yMax, [round(signed_area(c)) for c in contours(font, cmap[code])])
