import { useRevalidator } from "react-router";
import { privacyQuestion, type PrivacyNow } from "#app/features/settings/private-account.ts";
import { useSwitch } from "#app/features/settings/use-switch.ts";
import { setOrWithdraw } from "#app/lib/api-client.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { ask } from "#app/ui/ask.ts";
import { Button } from "#app/ui/button.tsx";
import { useNarrowOffered } from "#app/lib/page/root-data.ts";
import { SwitchRow } from "#app/ui/switch-row.tsx";

const label = "Private account";

/** Says what will happen and asks before it switches; without scripts a page does. */
export function PrivateSwitch({ now }: { now: PrivacyNow }) {
  const { revalidate } = useRevalidator();
  const { shown, set } = useSwitch({
    saved: now.isPrivate,
    label,
    save: async (on) => {
      await setOrWithdraw("/calls/private", on);
      forgetLists();
      await revalidate();
    },
  });

  const offered = useNarrowOffered() || shown;

  async function change(): Promise<void> {
    if (await ask({ ...privacyQuestion({ ...now, isPrivate: shown }), cancel: "Cancel" })) {
      set(!shown);
    }
  }

  return (
    <form
      action="/settings/private"
      className="mx-4 overflow-hidden rounded-box border border-line bg-base-100 md:mx-0"
    >
      <SwitchRow
        name="private"
        value="on"
        label={label}
        hint={
          offered
            ? "On: only followers see your posts, and new ones have to ask. Off: everyone sees them."
            : "Not possible here: this Postcard keeps its photos at a public image host."
        }
        disabled={!offered}
        checked={shown}
        onChange={() => void change()}
      />
      <noscript>
        <div className="border-t border-line p-4">
          <Button type="submit">Change</Button>
        </div>
      </noscript>
    </form>
  );
}
