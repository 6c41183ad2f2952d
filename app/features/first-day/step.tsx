import type { ReactNode } from "react";
import { done as doneLabel } from "#messages/common.json";
import { CheckCircleIcon } from "#app/ui/icons.ts";

type StepProps = {
  number: number;
  done: boolean;
  title: string;
  hint: ReactNode;
  /** its button, while there is something to press */
  children?: ReactNode;
  /** what a press opened */
  below?: ReactNode;
};

/** A row of the card: a number, which becomes a tick, the words, and a button. */
export function Step({ number, done, title, hint, children, below }: StepProps) {
  return (
    <li className="border-b border-line py-2.5 last:border-b-0">
      <div className="flex min-h-11 items-center gap-3">
        <span className="w-6 shrink-0 text-center font-wordmark text-2xl text-muted italic">
          {done ? (
            <CheckCircleIcon
              weight="fill"
              role="img"
              aria-label={doneLabel}
              className="size-6 text-primary"
            />
          ) : (
            number
          )}
        </span>
        <div className="min-w-0 flex-1">
          <p className="font-semibold">{title}</p>
          <p className="text-sm text-pretty text-muted">{hint}</p>
        </div>
        {children}
      </div>
      {below}
    </li>
  );
}
