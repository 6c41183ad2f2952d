import type { ReactNode } from "react";
import { Stamp } from "#app/ui/stamp.tsx";

type PostcardCardProps = {
  title: string;
  /** beside the stamp, under the title */
  line?: ReactNode;
  /** in the corner; our own stamp by default */
  stamp?: ReactNode;
  /** without the rail beside it */
  alone?: boolean;
  children: ReactNode;
};

/** The back of a postcard: airmail edges, a stamp in the corner, room to write. */
export function PostcardCard({ title, line, stamp, alone = false, children }: PostcardCardProps) {
  return (
    <div
      data-desk={alone ? "" : undefined}
      className="postcard mx-auto w-full max-w-[28rem] md:py-6"
    >
      <div className="overflow-hidden bg-base-100 md:rounded-box md:border md:border-line md:shadow-lg">
        <div className="airmail h-2" />
        <div className="flex flex-col gap-6 p-6 sm:p-8">
          <div className="flex items-start justify-between gap-4">
            <div>
              <h1 className="pt-1 text-2xl font-semibold text-balance">{title}</h1>
              {line ? <div className="mt-2 grid gap-2 text-pretty">{line}</div> : null}
            </div>
            <div className="shrink-0">{stamp ?? <Stamp className="w-12 rotate-3" />}</div>
          </div>
          {children}
        </div>
        <div className="airmail h-2" />
      </div>
    </div>
  );
}
