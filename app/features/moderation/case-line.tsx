import * as words from "#messages/moderation.json";
import type { ReportSubject } from "#shared/report-kinds.ts";
import type { CaseRow } from "#shared/reports.ts";
import { besidesName } from "#app/features/moderation/besides-name.ts";
import { reasonWords } from "#app/features/reports/report-words.ts";
import { Link } from "#app/ui/link.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import { commaList, counted, rich } from "#app/lib/text/messages.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { CaretRightIcon } from "#app/ui/icons.ts";

const subjectBy: Record<ReportSubject, string> = {
  account: words.accountOf,
  post: words.postBy,
  comment: words.commentBy,
  message: words.messageBy,
  album: words.albumBy,
};

/** An open case as a row that links to it. */
export function CaseLine({ row }: { row: CaseRow }) {
  const { id, subject, account, pictures, reasons, reports, state, since } = row;
  const photos = subject === "account" ? 0 : pictures;
  const said = besidesName(row) || (photos > 0 && counted(words.photos, photos));
  const about = rich(subjectBy[subject], {
    name: <bdi className="font-semibold">{account.name}</bdi>,
  });
  return (
    <li className="relative flex items-center gap-3 border-b border-line px-4 py-3 hover:bg-base-200">
      <Avatar name={account.name} image={account.avatar} size="lg" />
      <div className="min-w-0 flex-1">
        <p>
          <Link to={`/moderation/${id}`} className="wrap-anywhere before:absolute before:inset-0">
            {state === "answered" ? rich(words.appeal, { about }) : about}
          </Link>
        </p>
        {said && (
          <p dir="auto" className="line-clamp-2 text-muted wrap-anywhere">
            {said}
          </p>
        )}
        <p className="text-sm text-muted">
          {reports === 0
            ? words.suspendedByOperator
            : `${counted(words.reports, reports)} · ${commaList(reasons.map((reason) => reasonWords[reason]))}`}
          {" · "}
          <PostTime at={since} />
        </p>
      </div>
      <CaretRightIcon className="size-5 shrink-0 text-muted rtl:-scale-x-100" aria-hidden />
    </li>
  );
}
