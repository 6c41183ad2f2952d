import { Link } from "react-router";
import { aSubject } from "#shared/report-kinds.ts";
import { reasonLabels, type CaseRow } from "#shared/reports.ts";
import { PostTime } from "#app/ui/post-time.tsx";
import { formatCount } from "#app/lib/text/counts.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { CaretRightIcon } from "#app/ui/icons.ts";

/** An open case as a row that links to it. */
export function CaseLine({ row }: { row: CaseRow }) {
  const { id, subject, account, said, pictures, reasons, reports, state, since } = row;
  return (
    <li className="relative flex items-center gap-3 border-b border-line px-4 py-3 hover:bg-base-200">
      <Avatar name={account.name} image={account.avatar} size="lg" />
      <div className="min-w-0 flex-1">
        <p>
          <Link to={`/moderation/${id}`} className="wrap-anywhere before:absolute before:inset-0">
            {state === "answered" ? "Appeal: " : ""}
            {subject === "account" ? "Account of" : `${aSubject(subject, "A")} by`}{" "}
            <bdi className="font-semibold">{account.name}</bdi>
          </Link>
        </p>
        {(said || pictures > 0) && (
          <p dir="auto" className="line-clamp-2 text-muted wrap-anywhere">
            {said || formatCount(pictures, "photo")}
          </p>
        )}
        <p className="text-sm text-muted">
          {reports === 0
            ? "Suspended by an operator · "
            : `${formatCount(reports, "report")} · ${reasons.map((reason) => reasonLabels[reason]).join(", ")} · `}
          <PostTime at={since} />
        </p>
      </div>
      <CaretRightIcon className="size-5 shrink-0 text-muted" aria-hidden />
    </li>
  );
}
