import { documentTitle } from "#app/lib/page/document-title.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Stamp } from "#app/ui/stamp.tsx";

/** The page that does not exist, returned to its sender. */
export function NotFoundPage() {
  return (
    <div className="px-4 py-10">
      <title>{documentTitle("Returned to sender")}</title>
      <div className="relative mx-auto max-w-lg -rotate-1 overflow-hidden rounded-box border border-line bg-base-100 shadow-lg">
        <div className="airmail h-2.5" />
        <div className="p-6 sm:p-8">
          <div className="flex items-start justify-between gap-4">
            <p
              aria-hidden="true"
              className="mt-20 -rotate-6 border-[3px] border-danger px-3 py-1 text-sm font-bold tracking-[0.15em] whitespace-nowrap text-danger uppercase max-[360px]:px-2 max-[360px]:text-xs max-[360px]:tracking-wider"
            >
              Return to sender
            </p>
            <Postmarked />
          </div>
          <h1 className="mt-6 font-wordmark text-3xl text-balance">No one lives at this address</h1>
          <p className="mt-3 text-pretty text-muted">
            This page doesn't exist, or was removed. Check the link for typos.
          </p>
          <div className="mt-6 flex flex-wrap gap-3">
            <ButtonLink to="/" look="primary">
              Go home
            </ButtonLink>
            <ButtonLink to="/search">Find people</ButtonLink>
          </div>
        </div>
        <div className="airmail h-2.5" />
      </div>
    </div>
  );
}

function Postmarked() {
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
          404
        </text>
        <path d="M2 18q6-5 12 0t12 0 12 0M2 28q6-5 12 0t12 0 12 0M2 38q6-5 12 0t12 0 12 0" />
      </svg>
    </div>
  );
}
