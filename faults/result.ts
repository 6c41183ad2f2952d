import type { Target } from "./target.ts";
import type { Verdict } from "./oracle.ts";

/**
 * One line of the table. Counts decide: lost, drift, wrong, and controls that were missed. Times are only
 * reported.
 */
export type Result = {
  fault: string;
  injected: string;
  acknowledged: number;
  lost: string[];
  drift: string[];
  /** wrong answers, and whatever else was not as it has to be */
  wrong: string[];
  /** milliseconds from each fault to the next acknowledged write */
  back: number[];
  controls: string[];
  /** figures that don't decide */
  notes: string[];
  /** why it was skipped, if it was */
  left?: string;
};

export type Size = { kills: number; short: boolean };

/** A fault: its name for `npm run faults -- NAME`, whether the short version has it, and what it does. */
export type Fault = {
  name: string;
  short: boolean;
  run: (size: Size) => Promise<Result[]>;
};

/** What a target went through since `begin`. */
export function begin(target: Target) {
  const { ledger } = target;
  const from = {
    acknowledged: ledger.acknowledgements.length,
    back: target.back.length,
    wrong: ledger.wrong.length,
    refused: ledger.state.refused,
    gone: ledger.state.gone,
  };
  ledger.state.slowestRefusal = 0;
  return (
    fault: string,
    injected: string,
    { lost, drift, controls }: Verdict & { controls: string[] },
    notes: string[] = [],
  ): Result => ({
    fault,
    injected,
    acknowledged: ledger.acknowledgements.length - from.acknowledged,
    lost,
    drift,
    wrong: ledger.wrong.slice(from.wrong),
    back: target.back.slice(from.back),
    controls,
    notes: [
      `${ledger.state.refused - from.refused} told to come later`,
      `${ledger.state.gone - from.gone} unanswered`,
      ...notes,
    ],
  });
}

export const isBad = ({ lost, drift, wrong, controls, left }: Result): boolean =>
  left === undefined && (lost.length + drift.length + wrong.length > 0 || controls.length === 0);

export const skipped = (fault: string, left: string): Result => ({
  fault,
  injected: "",
  acknowledged: 0,
  lost: [],
  drift: [],
  wrong: [],
  back: [],
  controls: [],
  notes: [],
  left,
});

export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

/** The median, and the longest. */
function backInWords(back: readonly number[]): string {
  if (back.length === 0) return "–";
  const sorted = back.toSorted((one, other) => one - other);
  const middle = sorted[sorted.length >> 1] ?? 0;
  const longest = sorted.at(-1) ?? 0;
  return back.length === 1 ? seconds(longest) : `${seconds(middle)}, ${seconds(longest)} at most`;
}

const tableHead = [
  "| fault | injected | acknowledged | lost | drift | wrong | time back | what else |",
  "| --- | --- | --: | --: | --: | --: | --- | --- |",
];

export function toLine(result: Result): string {
  const { fault, injected, acknowledged, lost, drift, wrong, back, notes, left } = result;
  if (left) return `| ${fault} | left out: ${left} | | | | | | |`;
  const counts = [acknowledged, lost.length, drift.length, wrong.length].join(" | ");
  return `| ${fault} | ${injected} | ${counts} | ${backInWords(back)} | ${notes.join("; ")} |`;
}

export const toTable = (results: readonly Result[]): string =>
  [...tableHead, ...results.map(toLine)].join("\n");
