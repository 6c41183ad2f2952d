import { useEffect, useState } from "react";
import * as words from "#messages/notifications.json";
import {
  isSubscribedHere,
  pushAbility,
  disablePush,
  enablePush,
  type PushAbility,
} from "#app/features/notifications/browser-push.ts";
import { useSwitch } from "#app/features/settings/use-switch.ts";
import { SwitchRow } from "#app/ui/switch-row.tsx";

type Props = {
  publicKey: string;
  /** this session's browser is subscribed, as the server knows it */
  subscribed: boolean;
};

const hints: Record<PushAbility, string> = {
  able: words.pushAble,
  denied: words.pushDenied,
  unable: words.pushUnable,
};

/** Push notifications to the browser in use. Only with scripts: nothing else can ask a browser. */
export function PushSwitch({ publicKey, subscribed }: Props) {
  const [ability, setAbility] = useState(pushAbility);
  const [held, setHeld] = useState(subscribed);
  useEffect(() => {
    // The subscription may have been cleared in the browser without the server knowing.
    isSubscribedHere()
      .then((here) => setHeld(subscribed && here))
      .catch(() => setHeld(false));
  }, [subscribed]);

  const label = words.onThisDevice;
  const { shown, set } = useSwitch({
    saved: held,
    label,
    save: async (on) => {
      try {
        await (on ? enablePush(publicKey) : disablePush());
      } finally {
        setAbility(pushAbility());
      }
    },
  });
  return (
    <div className="mx-4 rounded-box border border-line bg-base-100 md:mx-0">
      <SwitchRow
        name="push"
        label={label}
        hint={hints[ability]}
        checked={shown}
        disabled={ability !== "able" && !shown}
        onChange={(event) => set(event.currentTarget.checked)}
      />
    </div>
  );
}
