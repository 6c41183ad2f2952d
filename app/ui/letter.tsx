import type { ReactNode } from "react";
import { Stamp } from "#app/ui/stamp.tsx";

type Props = {
  /** stamped on it, in a word or three */
  mark: string;
  /** in its postmark */
  number: string;
  /** the page's only heading */
  title: ReactNode;
  children: ReactNode;
};

/** A page that is one letter: stamped, postmarked, a little crooked. */
export function Letter({ mark, number, title, children }: Props) {
  return (
    <div className="px-4 py-10">
      <div className="relative mx-auto max-w-lg -rotate-1 overflow-hidden rounded-box border border-line bg-base-100 shadow-lg">
        <div className="airmail h-2.5" />
        <div className="p-6 sm:p-8">
          <div className="flex items-start justify-between gap-4">
            <p
              aria-hidden="true"
              className="mt-20 -rotate-6 border-[3px] border-danger px-3 py-1 text-sm font-bold tracking-[0.15em] whitespace-nowrap text-danger uppercase max-[360px]:px-2 max-[360px]:text-xs max-[360px]:tracking-wider"
            >
              {mark}
            </p>
            <Postmarked number={number} />
          </div>
          <h1 className="mt-6 font-wordmark text-3xl text-balance">{title}</h1>
          {children}
        </div>
        <div className="airmail h-2.5" />
      </div>
    </div>
  );
}

function Postmarked({ number }: Pick<Props, "number">) {
  return (
    <div className="relative shrink-0">
      <Stamp className="w-16 rotate-3" />
      <svg
        viewBox="0 0 90 60"
        aria-hidden="true"
        className="absolute -start-25 top-1 w-28 -rotate-6 fill-none stroke-base-content"
        strokeWidth="1.8"
        strokeLinecap="round"
      >
        <circle cx="64" cy="30" r="22" />
        <circle cx="64" cy="30" r="15" />
        <text
          x="64"
          y="34"
          textAnchor="middle"
          className="fill-base-content stroke-none text-[12px] font-bold"
        >
          {number}
        </text>
        <path d="M2 18q6-5 12 0t12 0 12 0M2 28q6-5 12 0t12 0 12 0M2 38q6-5 12 0t12 0 12 0" />
      </svg>
    </div>
  );
}
