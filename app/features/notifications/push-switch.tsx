import { useEffect, useState } from "react";
import {
  isHeldHere,
  pushAbility,
  switchOff,
  switchOn,
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
  able: "Your browser shows what you are told, also while Postcard is closed, until you sign out here. It travels sealed through the push service of your browser's maker, which learns when something comes and nothing of what.",
  denied:
    "Your browser does not let this site show notifications. You can allow it in the browser's settings for this site.",
  unable:
    "This browser cannot show notifications of a site that is not open, or not over plain http.",
};

/** Pushes to the very browser one sits at. Only where scripts run: nothing else can ask a browser. */
export function PushSwitch({ publicKey, subscribed }: Props) {
  const [ability, setAbility] = useState(pushAbility);
  const [held, setHeld] = useState(subscribed);
  useEffect(() => {
    // Cleared in the browser meanwhile, the server does not know yet.
    isHeldHere()
      .then((here) => setHeld(subscribed && here))
      .catch(() => setHeld(false));
  }, [subscribed]);

  const label = "Notifications on this device";
  const { shown, set } = useSwitch({
    saved: held,
    label,
    save: async (on) => {
      try {
        await (on ? switchOn(publicKey) : switchOff());
      } finally {
        setAbility(pushAbility());
      }
    },
  });
  return (
    <div className="mx-4 rounded-box border border-line md:mx-0">
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
