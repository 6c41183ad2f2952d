import { Link } from "react-router";
import { activityKinds, signInMethods, type ActivityView } from "#shared/activity.ts";
import { limits } from "#shared/limits.ts";
import type { Page } from "#shared/views.ts";
import { PostTime } from "#app/ui/post-time.tsx";

type Props = {
  page: Page<ActivityView>;
  /** entries older than the newest page are shown */
  older: boolean;
};

const link = "link inline-flex min-h-11 items-center font-medium";

/** Sign-ins, failed attempts and changes of security: here a member notices what somebody else did. */
export function ActivityList({ page, older }: Props) {
  return (
    <div className="grid gap-4 pb-8">
      <p className="px-4 text-sm text-pretty text-muted md:px-0">
        Sign-ins and changes in the last {limits.activity.retentionDays} days. If something wasn't
        you, change your password and sign out everywhere else.
      </p>
      <div className="mx-4 overflow-hidden rounded-box border border-line bg-base-100 md:mx-0">
        {page.items.length > 0 ? (
          <ul>
            {page.items.map((entry) => (
              <Entry key={entry.id} {...entry} />
            ))}
          </ul>
        ) : (
          <p className="p-4 text-muted">Nothing yet.</p>
        )}
        {page.nextCursor || older ? (
          <p className="flex gap-6 border-t border-line px-4 py-1">
            {older ? (
              <Link to="/settings/security/activity" className={link}>
                Newest
              </Link>
            ) : null}
            {page.nextCursor ? (
              <Link
                to={`/settings/security/activity?${new URLSearchParams({ before: page.nextCursor })}`}
                className={link}
              >
                Older
              </Link>
            ) : null}
          </p>
        ) : null}
      </div>
    </div>
  );
}

function Entry({ kind, detail, count, at, network, device }: ActivityView) {
  const what = kind === "signed-in" ? signInMethods[detail] : detail;
  return (
    <li className="-mb-px border-b border-line px-4 py-3">
      <p className="font-medium wrap-anywhere">
        {activityKinds[kind]}
        {what ? (kind === "signed-in" ? ` ${what}` : `: ${what}`) : ""}
        {count > 1 ? `, ${count} times` : ""}
      </p>
      <p className="text-sm text-muted">
        <PostTime at={at} />
        {network ? (
          <>
            , from <span dir="ltr">{network}</span>
          </>
        ) : null}
        {device ? `, ${device.name}` : ""}
      </p>
    </li>
  );
}
