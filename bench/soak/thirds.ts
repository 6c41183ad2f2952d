import { median, type Figure } from "../table.ts";

/** How much more the last third may hold than the middle one. */
const steadyGoal = 1.1;

export type Watched = {
  what: string;
  /** in order of time, evenly spread over the whole run */
  samples: readonly number[];
  format: (value: number) => string;
  /** how many more don't count as growth, for small counts; 0 by default */
  slack?: number;
  /** false: only reported, because it grows with what people write or depends on the machine */
  held?: boolean;
};

/** Whether the last third of a run holds more than the middle one, by their medians. */
export function thirdsFigure({ what, samples, format, slack = 0, held = true }: Watched): Figure {
  const third = Math.floor(samples.length / 3);
  const [first, middle, last] = [
    median(samples.slice(0, third)),
    median(samples.slice(third, samples.length - third)),
    median(samples.slice(samples.length - third)),
  ];
  const ratio = middle > 0 ? `${(last / middle).toFixed(2)} × (` : "(";
  return {
    what,
    value: `${ratio}${format(last)} against ${format(middle)}; ${format(first)} in the first third)`,
    goal: held ? `≤ ${steadyGoal} ×${slack > 0 ? `, or ${format(slack)} more` : ""}` : "",
    met: held ? last <= Math.max(middle * steadyGoal, middle + slack) : null,
  };
}
