/** One line of the table: what was measured, the result, and the goal. */
export type Figure = {
  what: string;
  value: string;
  /** empty if the figure is only reported */
  goal: string;
  /** null where there is no goal */
  met: boolean | null;
};

/** The figures as a Markdown table, columns aligned for reading in a terminal as well. */
export function toTable(figures: readonly Figure[]): string {
  const lines = [
    ["What", "Measured", "Goal", "Met"],
    ...figures.map(({ what, value, goal, met }) => [what, value, goal, verdict(met)]),
  ];
  return aligned(lines);
}

/** A Markdown table of these lines, the first of them its head, as Prettier writes it. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(3, ...lines.map((line) => (line[column] ?? "").length)),
  );
  const [head = "", ...body] = lines.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [head, rule, ...body].join("\n");
}

function verdict(met: boolean | null): string {
  if (met === null) return "";
  return met ? "yes" : "no";
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

/** 12345 → "12,345" */
export function inFull(count: number): string {
  return count.toLocaleString("en");
}
