import type { ReactNode } from "react";
import * as words from "#messages/composer.json";
import { rich } from "#app/lib/text/messages.tsx";

type Props = {
  /** "34 of 200" */
  count: ReactNode;
  percent: number;
  /** what it waits for */
  wait?: string | undefined;
  /** of the bar */
  label: string;
};

/** How far many photos are: "34 of 200 · 17%", what they wait for, and a bar. */
export const SendingProgress = ({ count, percent, wait, label }: Props) => (
  <div className="min-w-0 grow">
    <p className="tabular-nums">{rich(words.sendingCount, { count, percent })}</p>
    {wait && <p className="text-sm text-muted">{wait}</p>}
    <progress className="progress mt-1 block w-full" aria-label={label} value={percent} max={100} />
  </div>
);
