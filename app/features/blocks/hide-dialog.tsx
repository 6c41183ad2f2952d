import { useState } from "react";
import { useNavigate, useRevalidator } from "react-router";
import type { AccountSummary } from "#shared/views.ts";
import { HideChoices, type HideAction } from "#app/features/blocks/hide-choices.tsx";
import { hideAccount } from "#app/lib/lists/hidden-accounts.ts";
import { sentenceAbout, setOrWithdraw } from "#app/lib/forms/post-form.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { notify } from "#app/lib/toasts.ts";
import { Dialog } from "#app/ui/dialog.tsx";

type Props = {
  account: AccountSummary;
  muted?: boolean;
  /** what was asked for; else it begins with what is done more often */
  wanted?: HideAction;
  theirPage?: boolean;
  leaveTo?: string;
  onClose: () => void;
};

const said: Record<HideAction, (name: string) => string> = {
  mute: (name) => `You muted ${name}.`,
  unmute: (name) => `You unmuted ${name}.`,
  block: (name) => `You blocked ${name}.`,
  unblock: (name) => `You unblocked ${name}.`,
};

/** Asks, and hides at once what is theirs; turns back with a sentence when that was not saved. */
export function HideDialog(props: Props) {
  const { account, muted = false, theirPage = false, leaveTo = "/", onClose } = props;
  const { wanted = muted ? "unmute" : "mute" } = props;
  const [action, setAction] = useState<HideAction>(wanted);
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();

  async function grant(): Promise<void> {
    const { id, name } = account;
    hideAccount(id, action !== "unmute");
    try {
      const path = `/api/${action.endsWith("block") ? "blocks" : "mutes"}/${id}`;
      await setOrWithdraw(path, !action.startsWith("un"));
      forgetLists();
      if (action === "block" && theirPage) await navigate(leaveTo, { replace: true });
      else await revalidate();
      notify.success(said[action](name));
    } catch (error) {
      notify.error(`Nothing changed for ${name}. ${sentenceAbout("account", error)}`);
    } finally {
      // Saved, the server leaves them out from here on.
      hideAccount(id, false);
    }
  }

  return (
    <Dialog
      title={account.name}
      ok={action === "block" ? "Block" : action === "mute" ? "Mute" : "Unmute"}
      cancel="Cancel"
      danger={action === "block"}
      onClose={(sure) => {
        onClose();
        if (sure) void grant();
      }}
    >
      <HideChoices muted={muted} action={action} onChange={setAction} />
    </Dialog>
  );
}
