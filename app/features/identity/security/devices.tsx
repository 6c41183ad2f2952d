import type { DeviceView, SessionView } from "#shared/views.ts";
import * as words from "#messages/security.json";
import { deviceName } from "#app/features/identity/security/device-name.ts";
import { fill, rich } from "#app/lib/text/messages.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import {
  useSecurityForm,
  type FormProps,
} from "#app/features/identity/security/use-security-form.ts";
import { Button } from "#app/ui/button.tsx";
import {
  DeviceMobileIcon,
  DeviceTabletIcon,
  LaptopIcon,
  TerminalWindowIcon,
  type Icon,
} from "#app/ui/icons.ts";

const icons: Record<DeviceView["kind"], Icon> = {
  computer: LaptopIcon,
  phone: DeviceMobileIcon,
  tablet: DeviceTabletIcon,
  program: TerminalWindowIcon,
};

type Props = FormProps & { sessions: SessionView[] };

/** Where the member is signed in, and the buttons to end that. */
export function Devices({ sessions, returned, feedback }: Props) {
  return (
    <>
      <ul>
        {sessions.map((session) => (
          <SessionRow key={session.id} session={session} returned={returned} feedback={feedback} />
        ))}
      </ul>
      {sessions.length > 1 ? <EndOthers returned={returned} feedback={feedback} /> : null}
    </>
  );
}

function SessionRow({ session, returned, feedback }: FormProps & { session: SessionView }) {
  const { device, ip, startedAt, usedAt, current } = session;
  const { form, saving } = useSecurityForm({ changes: ["end-session"], returned, feedback });
  const name = deviceName(device.name);
  const DeviceIcon = icons[device.kind];
  return (
    <li className="flex items-center gap-4 border-t border-line py-3">
      <DeviceIcon className="size-6 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0 grow">
        <p className="font-medium">{name}</p>
        <p className="text-sm text-muted">
          {current ? (
            <span className="font-medium text-base-content">{words.thisDevice}</span>
          ) : (
            rich(words.lastUsed, { time: <PostTime at={usedAt} /> })
          )}
        </p>
        <p className="text-sm text-muted">
          {rich(ip ? words.signedInAtFrom : words.signedInAt, {
            time: <PostTime at={startedAt} />,
            network: <span dir="ltr">{ip}</span>,
          })}
        </p>
      </div>
      {current ? null : (
        <form {...form} className="shrink-0">
          <input type="hidden" name="change" value="end-session" />
          <input type="hidden" name="session" value={session.id} />
          <Button
            type="submit"
            pending={saving !== null}
            aria-label={fill(words.signOutDevice, { device: name })}
          >
            {words.signOut}
          </Button>
        </form>
      )}
    </li>
  );
}

function EndOthers({ returned, feedback }: FormProps) {
  const { form, saving } = useSecurityForm({ changes: ["end-sessions"], returned, feedback });
  return (
    <form {...form} className="border-t border-line pt-4">
      <input type="hidden" name="change" value="end-sessions" />
      <Button type="submit" pending={saving !== null}>
        {words.signOutElsewhere}
      </Button>
    </form>
  );
}
