import { useRevalidator } from "react-router";
import * as common from "#messages/common.json";
import * as words from "#messages/settings.json";
import { privacyQuestion, type PrivacyNow } from "#app/features/settings/private-account.ts";
import { useSwitch } from "#app/features/settings/use-switch.ts";
import { setOrWithdraw } from "#app/lib/api-client.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { ask } from "#app/ui/ask.ts";
import { Button } from "#app/ui/button.tsx";
import { useNarrowOffered } from "#app/lib/page/root-data.ts";
import { SwitchRow } from "#app/ui/switch-row.tsx";

/** Says what will happen and asks before it switches; without scripts a page does. */
export function PrivateSwitch({ now }: { now: PrivacyNow }) {
  const { revalidate } = useRevalidator();
  const { shown, set } = useSwitch({
    saved: now.isPrivate,
    label: words.privateAccount,
    save: async (on) => {
      await setOrWithdraw("/calls/private", on);
      forgetLists();
      await revalidate();
    },
  });

  const offered = useNarrowOffered() || shown;

  async function change(): Promise<void> {
    if (await ask({ ...privacyQuestion({ ...now, isPrivate: shown }), cancel: common.cancel })) {
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
        label={words.privateAccount}
        hint={offered ? words.privateAccountHint : words.privateAccountImpossible}
        disabled={!offered}
        checked={shown}
        onChange={() => void change()}
      />
      <noscript>
        <div className="border-t border-line p-4">
          <Button type="submit">{common.change}</Button>
        </div>
      </noscript>
    </form>
  );
}
