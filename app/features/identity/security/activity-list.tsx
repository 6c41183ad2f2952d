import type { ActivityKind, ActivityView } from "#shared/activity.ts";
import { limits } from "#shared/limits.ts";
import type { Page } from "#shared/views.ts";
import * as words from "#messages/security.json";
import { deviceName } from "#app/features/identity/security/device-name.ts";
import { counted, fill, rich } from "#app/lib/text/messages.tsx";
import { Link } from "#app/ui/link.tsx";
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
        {counted(words.activityText, limits.activity.retentionDays)}
      </p>
      <div className="mx-4 overflow-hidden rounded-box border border-line bg-base-100 md:mx-0">
        {page.items.length > 0 ? (
          <ul>
            {page.items.map((entry) => (
              <Entry key={entry.id} {...entry} />
            ))}
          </ul>
        ) : (
          <p className="p-4 text-muted">{words.nothingYet}</p>
        )}
        {page.nextCursor || older ? (
          <p className="flex gap-6 border-t border-line px-4 py-1">
            {older ? (
              <Link to="/settings/security/activity" className={link}>
                {words.newest}
              </Link>
            ) : null}
            {page.nextCursor ? (
              <Link
                to={`/settings/security/activity?${new URLSearchParams({ before: page.nextCursor })}`}
                className={link}
              >
                {words.older}
              </Link>
            ) : null}
          </p>
        ) : null}
      </div>
    </div>
  );
}

const kinds: Record<ActivityKind, string> = {
  "signed-in": words.signedIn,
  "sign-in-refused": words.signInRefused,
  "code-refused": words.codeRefused,
  "confirmation-refused": words.confirmationRefused,
  "password-changed": words.passwordChanged,
  "password-replaced": words.passwordReplaced,
  "passkey-added": words.passkeyAdded,
  "passkey-removed": words.passkeyRemoved,
  "two-factor-on": words.twoFactorTurnedOn,
  "two-factor-off": words.twoFactorTurnedOff,
  "two-factor-codes-renewed": words.newRecoveryCodes,
  "provider-connected": words.providerConnected,
  "provider-disconnected": words.providerDisconnected,
  "email-confirmed": words.emailWasConfirmed,
  "email-change-asked": words.emailChangeAsked,
  "email-changed": words.emailChanged,
};

/** How somebody signed in, by the detail of the entry. */
const signIns: Record<string, string> = {
  password: words.signedInPassword,
  code: words.signedInCode,
  passkey: words.signedInPasskey,
  link: words.signedInLink,
  provider: words.signedInProvider,
  kept: words.signedInKept,
  "sign-up": words.signedInFirst,
};

function whatHappened({ kind, detail }: Pick<ActivityView, "kind" | "detail">): string {
  if (kind === "signed-in") return signIns[detail] ?? words.signedIn;
  return detail ? fill(words.activityDetail, { what: kinds[kind], detail }) : kinds[kind];
}

function where({ network, device }: Pick<ActivityView, "network" | "device">): string {
  if (network) return device ? words.timeFromDevice : words.timeFrom;
  return device ? words.timeDevice : "{time}";
}

function Entry({ kind, detail, count, at, network, device }: ActivityView) {
  const what = whatHappened({ kind, detail });
  return (
    <li className="-mb-px border-b border-line px-4 py-3">
      <p className="font-medium wrap-anywhere">
        {count > 1 ? counted(words.activityTimes, count, { what }) : what}
      </p>
      <p className="text-sm text-muted">
        {rich(where({ network, device }), {
          time: <PostTime at={at} />,
          network: <span dir="ltr">{network}</span>,
          device: device && <bdi>{deviceName(device.name)}</bdi>,
        })}
      </p>
    </li>
  );
}
