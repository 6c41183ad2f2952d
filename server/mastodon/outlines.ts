type Point = readonly [x: number, y: number];
/** Closed shapes; where they lie in one another the way they turn says what is inside (non-zero winding). */
export type Outline = Point[][];

/** straight pieces that a curve is drawn with */
const pieces = 8;
/** lines that are looked at for one of the picture: the softness of edges from top to bottom */
const lines = 4;

/** The shapes of a path of absolute M, L, Q and Z, as letters.json has them, moved and scaled. */
export function outlineOf(path: string, [left, top]: Point, scale: number): Outline {
  const shapes: Outline = [];
  let shape: Point[] = [];
  for (const [, command = "", numbers = ""] of path.matchAll(/([MLQZ])([^MLQZ]*)/g)) {
    const all = (numbers.match(/-?\d+/g) ?? []).map(Number);
    const at = (index: number): Point => [
      left + (all[index] ?? 0) * scale,
      top + (all[index + 1] ?? 0) * scale,
    ];
    if (command === "M") shapes.push((shape = [at(0)]));
    if (command === "L") shape.push(at(0));
    if (command === "Q") {
      const [from, through, to] = [shape.at(-1) ?? at(0), at(0), at(2)];
      for (let piece = 1; piece <= pieces; piece += 1) {
        const t = piece / pieces;
        const mixed = ([0, 1] as const).map(
          (axis) => (1 - t) ** 2 * from[axis] + 2 * t * (1 - t) * through[axis] + t ** 2 * to[axis],
        );
        shape.push([mixed[0] ?? 0, mixed[1] ?? 0]);
      }
    }
  }
  return shapes;
}

/** How far each pixel of a square lies within an outline, 0 to 1, row by row. */
export function coverageOf(outline: Outline, side: number): Float32Array {
  const covered = new Float32Array(side * side);
  const edges = outline.flatMap((shape) =>
    shape.map((from, at) => ({ from, to: shape[(at + 1) % shape.length] ?? from })),
  );
  for (let line = 0; line < side * lines; line += 1) {
    const y = (line + 0.5) / lines;
    const crossings = edges
      .filter(({ from, to }) => from[1] <= y !== to[1] <= y)
      .map(({ from, to }) => ({
        x: from[0] + ((y - from[1]) / (to[1] - from[1])) * (to[0] - from[0]),
        turn: from[1] < to[1] ? 1 : -1,
      }))
      .toSorted((one, other) => one.x - other.x);
    let winding = 0;
    crossings.forEach(({ x, turn }, at) => {
      winding += turn;
      const next = crossings[at + 1];
      if (winding !== 0 && next) cover(covered, Math.floor(y) * side, [x, next.x], side);
    });
  }
  return covered;
}

function cover(
  covered: Float32Array,
  row: number,
  [from, to]: readonly [number, number],
  side: number,
) {
  const [first, last] = [Math.max(0, from), Math.min(side, to)];
  for (let x = Math.floor(first); x < last; x += 1) {
    const share = Math.min(x + 1, last) - Math.max(x, first);
    covered[row + x] = (covered[row + x] ?? 0) + share / lines;
  }
}
