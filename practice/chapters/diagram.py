"""A diagram in words to an SVG of boxes and arrows, laid out in columns.

title: A request's way          needed, for screen readers
desc: What the picture shows    needed
direction: down                 optional; from left to right otherwise
Client -> Gateway: HTTPS        an arrow with a label; the boxes are made as they are named
Router -> Instance 1, Instance 2: dashed, health
"""

from dataclasses import dataclass
from html import escape

FONT = 15
LINE = 19
PAD = 14
GAP = 26
MARGIN = 8
# Average width of a letter of a sans-serif in ems; boxes are sized without a font at hand.
LETTER = 0.56


@dataclass(frozen=True)
class Arrow:
    source: str
    target: str
    label: str
    dashed: bool


@dataclass(frozen=True)
class Drawing:
    """A diagram as read."""

    title: str
    desc: str
    down: bool
    boxes: tuple[str, ...]
    """Names in the order of their first mention."""
    arrows: tuple[Arrow, ...]


@dataclass(frozen=True)
class Box:
    """A placed box; x and y are its upper left corner, in pixels."""

    x: float
    y: float
    width: float
    height: float


def draw(text: str) -> str:
    """SVG of the diagram. Raises ValueError with the line that cannot be read."""
    drawing = parse(text)
    boxes = place(drawing)
    width = max(box.x + box.width for box in boxes.values())
    height = max(box.y + box.height for box in boxes.values())
    parts = [line(arrow, boxes, drawing) for arrow in drawing.arrows]
    # A label that stands at one place for several arrows is written once.
    labels = dict.fromkeys(label for _, label in parts)
    shapes = "".join(path for path, _ in parts) + "".join(shape(name, box) for name, box in boxes.items()) + "".join(labels)
    extra = 28 if any(is_back(arrow, boxes, drawing) for arrow in drawing.arrows) else 0
    w, h = width + MARGIN + extra, height + MARGIN + extra
    return (
        f'<svg class="diagram" viewBox="0 0 {w:.0f} {h:.0f}" width="{w:.0f}" height="{h:.0f}" role="img" aria-labelledby="t d" '
        f'font-family="inherit" font-size="{FONT}" xmlns="http://www.w3.org/2000/svg">'
        f'<title id="t">{escape(drawing.title)}</title><desc id="d">{escape(drawing.desc)}</desc>'
        f'<defs><marker id="m" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto-start-reverse">'
        f'<path d="M1 1 9 5 1 9" fill="none" stroke="currentColor" stroke-width="1.6"/></marker></defs>'
        f"{shapes.replace('MARKER', 'url(#m)')}</svg>"
    )


def parse(text: str) -> Drawing:
    fields = {"title": "", "desc": "", "direction": ""}
    names: dict[str, None] = {}
    arrows = []
    alone = boxes_alone(text)
    for number, raw in enumerate(text.split("\n"), 1):
        words = raw.strip()
        key, colon, rest = words.partition(":")
        if not words:
            continue
        if colon and key in fields and "->" not in key:
            fields[key] = rest.strip()
        elif "->" in words:
            ends, _, label = words.partition(":")
            left, _, right = ends.partition("->")
            sources, targets = split_names(left, alone), split_names(right, alone)
            if not sources or not targets:
                raise ValueError(f"line {number}: an arrow needs a name on both sides, such as `Client -> Gateway`")
            names.update(dict.fromkeys([*sources, *targets]))
            arrows += [read_arrow(a, b, label.strip()) for a in sources for b in targets]
        elif colon:
            raise ValueError(f"line {number}: {key!r} is not title, desc, direction or an arrow")
        else:
            names.update(dict.fromkeys(split_names(words, alone)))
    for needed in ("title", "desc"):
        if not fields[needed]:
            raise ValueError(f"it has no `{needed}:` line, which screen readers need")
    if fields["direction"] not in ("", "right", "down"):
        raise ValueError(f"direction is {fields['direction']!r}; it can be right or down")
    if not names:
        raise ValueError("it names no box")
    return Drawing(fields["title"], fields["desc"], fields["direction"] == "down", tuple(names), tuple(arrows))


def split_names(text: str, alone: set[str]) -> list[str]:
    """Names between commas.

    A comma in a second line (`Gateway / auth, limits`) belongs to it, unless a box follows that stands alone elsewhere.
    """
    names: list[str] = []
    for piece in filter(None, (piece.strip() for piece in text.split(","))):
        if names and " / " in names[-1] and " / " not in piece and piece not in alone:
            names[-1] += f", {piece}"
        else:
            names.append(piece)
    return names


def boxes_alone(text: str) -> set[str]:
    """Names that are the only one on a side of some arrow."""
    sides = [side.strip() for line in text.split("\n") for side in line.partition(":")[0].split("->")]
    return {side for side in sides if side and "," not in side}


def read_arrow(source: str, target: str, label: str) -> Arrow:
    dashed = label == "dashed" or label.startswith("dashed,")
    return Arrow(source, target, label.removeprefix("dashed").lstrip(", ") if dashed else label, dashed)


def columns_of(drawing: Drawing) -> dict[str, int]:
    """Column of each box: one after the last that points to it; arrows that would close a loop do not count."""
    order = {name: index for index, name in enumerate(drawing.boxes)}
    forward = [arrow for arrow in drawing.arrows if order[arrow.source] < order[arrow.target]]
    column = dict.fromkeys(drawing.boxes, 0)
    for name in drawing.boxes:
        for arrow in forward:
            if arrow.source == name:
                column[arrow.target] = max(column[arrow.target], column[name] + 1)
    return column


def place(drawing: Drawing) -> dict[str, Box]:
    """Boxes in columns (rows when the direction is down), each column centred against the longest."""
    column = columns_of(drawing)
    sizes = {name: size_of(name) for name in drawing.boxes}
    groups = [[name for name in drawing.boxes if column[name] == index] for index in range(max(column.values()) + 1)]
    groups = untangle(groups, drawing)
    across, along = (0, 1) if drawing.down else (1, 0)
    lengths = [sum(sizes[name][across] + GAP for name in group) - GAP for group in groups]
    longest, position, placed = max(lengths), MARGIN, {}
    for index, (group, length) in enumerate(zip(groups, lengths, strict=True)):
        deep = max(sizes[name][along] for name in group)
        at = MARGIN + (longest - length) / 2
        for name in group:
            size = sizes[name]
            middle = position + (deep - size[along]) / 2
            x, y = (at, middle) if drawing.down else (middle, at)
            placed[name] = Box(x, y, *size)
            at += size[across] + GAP
        position += deep + gap_after(index, drawing, column)
    return placed


def untangle(groups: list[list[str]], drawing: Drawing) -> list[list[str]]:
    """Each column in the order of the mean place of what points to it, so that fewer arrows cross."""
    place_of: dict[str, float] = {}
    ordered = []
    for group in groups:

        def mean(name: str, group: list[str] = group) -> float:
            seen = [place_of[arrow.source] for arrow in drawing.arrows if arrow.target == name and arrow.source in place_of]
            return sum(seen) / len(seen) if seen else group.index(name) / max(1, len(group) - 1) if len(group) > 1 else 0.5

        group = sorted(group, key=mean)
        place_of.update({name: (index + 0.5) / len(group) for index, name in enumerate(group)})
        ordered.append(group)
    return ordered


def gap_after(index: int, drawing: Drawing, column: dict[str, int]) -> float:
    """Pixels between this column and the next: room for the longest label between them."""
    labels = [arrow.label for arrow in drawing.arrows if arrow.label and column[arrow.source] == index and column[arrow.target] > index]
    if drawing.down:
        return 64 if labels else 44
    return max([52, *(36 + text_width(label, 13) for label in labels)])


def text_width(text: str, font: float = FONT) -> float:
    return len(text) * font * LETTER


def size_of(name: str) -> tuple[float, float]:
    rows = name.split(" / ")
    return max(72, max(map(text_width, rows)) + 2 * PAD), len(rows) * LINE + 2 * PAD - 4


def shape(name: str, box: Box) -> str:
    rows = name.split(" / ")
    first = box.y + box.height / 2 - (len(rows) - 1) * LINE / 2 + FONT * 0.35
    middle = box.x + box.width / 2
    kinds = ["fg"] + ["muted"] * (len(rows) - 1)
    texts = "".join(
        f'<text class="{kind}" x="{middle:.1f}" y="{first + index * LINE:.1f}" text-anchor="middle">{escape(row)}</text>'
        for index, (kind, row) in enumerate(zip(kinds, rows, strict=True))
    )
    return f'<rect class="box" x="{box.x:.1f}" y="{box.y:.1f}" width="{box.width:.1f}" height="{box.height:.1f}" rx="7"/>{texts}'


def is_back(arrow: Arrow, boxes: dict[str, Box], drawing: Drawing) -> bool:
    a, b = boxes[arrow.source], boxes[arrow.target]
    return b.y + b.height <= a.y if drawing.down else b.x + b.width <= a.x


def line(arrow: Arrow, boxes: dict[str, Box], drawing: Drawing) -> tuple[str, str]:
    """(path, label) of an arrow: a straight or curved line forward, a line around underneath for one that goes back."""
    if drawing.down:
        turned = {name: Box(box.y, box.x, box.height, box.width) for name, box in boxes.items()}
        points, spot = route(arrow, turned)
        points, spot = [(y, x) for x, y in points], (spot[1], spot[0])
    else:
        points, spot = route(arrow, boxes)
    kind = "C" if len(points) == 4 and not is_back(arrow, boxes, drawing) else "L"
    start, *rest = (f"{x:.1f} {y:.1f}" for x, y in points)
    dash = ' stroke-dasharray="5 4"' if arrow.dashed else ""
    way = f"M{start} {kind}{' '.join(rest)}"
    path = f'<path class="arrow" d="{way}" fill="none" stroke="currentColor" stroke-width="1.4"{dash} marker-end="MARKER"/>'
    if not arrow.label:
        return path, ""
    return (
        path,
        f'<text class="label" x="{spot[0]:.1f}" y="{spot[1] - 6:.1f}" text-anchor="middle" font-size="13">{escape(arrow.label)}</text>',
    )


def route(arrow: Arrow, boxes: dict[str, Box]) -> tuple[list[tuple[float, float]], tuple[float, float]]:
    """(points, place of the label) with x along the direction of flow."""
    a, b = boxes[arrow.source], boxes[arrow.target]
    bottom = max(box.y + box.height for box in boxes.values()) + 22
    if b.x + b.width <= a.x or a is b:
        out, x2 = a.x + a.width, b.x + b.width / 2
        # Out at the far side and down past everything, so that the line crosses no box of its column.
        return [(out, a.y + a.height / 2), (out + 18, a.y + a.height / 2), (out + 18, bottom), (x2, bottom), (x2, b.y + b.height + 2)], (
            (out + x2) / 2,
            bottom,
        )
    if abs(a.x - b.x) < 1 or b.x < a.x + a.width:  # the same column
        down = b.y > a.y
        x = a.x + a.width / 2
        y1, y2 = (a.y + a.height, b.y - 2) if down else (a.y, b.y + b.height + 2)
        return [(x, y1), (b.x + b.width / 2, y2)], (x + 8, (y1 + y2) / 2)
    x1, y1, x2, y2 = a.x + a.width, a.y + a.height / 2, b.x - 2, b.y + b.height / 2
    if abs(y1 - y2) < 1:
        return [(x1, y1), (x2, y2)], ((x1 + x2) / 2, y1)
    middle = (x1 + x2) / 2
    return [(x1, y1), (middle, y1), (middle, y2), (x2, y2)], (middle, (y1 + y2) / 2)
