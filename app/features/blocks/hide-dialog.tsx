import { useState } from "react";
import { useNavigate, useRevalidator } from "react-router";
import type { ReportTarget } from "#shared/reports.ts";
import type { AccountSummary } from "#shared/views.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/people.json";
import { HideChoices, type HideAction } from "#app/features/blocks/hide-choices.tsx";
import { ReportDialog } from "#app/features/reports/report-dialog.tsx";
import { hideAccount } from "#app/lib/lists/hidden-accounts.ts";
import { errorMessageAbout, sendJson, setOrWithdraw } from "#app/lib/api-client.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { notify } from "#app/lib/toasts.ts";
import { Dialog } from "#app/ui/dialog.tsx";

type Props = {
  account: AccountSummary;
  muted?: boolean;
  follower?: boolean;
  /** the choice to begin with; the most common one by default */
  wanted?: HideAction;
  theirPage?: boolean;
  leaveTo?: string;
  /** what a report is about; the account by default */
  reported?: ReportTarget | undefined;
  onClose: () => void;
};

const said: Record<Exclude<HideAction, "report">, string> = {
  mute: words.mutedName,
  unmute: words.unmutedName,
  remove: words.removedName,
  block: words.blockedName,
  unblock: words.unblockedName,
};

const labels: Record<HideAction, string> = {
  mute: words.mute,
  unmute: words.unmute,
  remove: common.remove,
  block: words.block,
  unblock: words.unblock,
  report: words.goOn,
};

/** Asks, and hides their posts and comments at once; reverts with a message when that could not be saved. */
export function HideDialog(props: Props) {
  const {
    account,
    muted = false,
    follower = false,
    theirPage = false,
    leaveTo = "/",
    onClose,
  } = props;
  const { wanted = muted ? "unmute" : "mute" } = props;
  const { reported = { kind: "account", accountId: account.id } } = props;
  const [action, setAction] = useState<HideAction>(wanted);
  const [seconds, setSeconds] = useState("");
  const [reporting, setReporting] = useState(false);
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();

  async function grant(chosen: Exclude<HideAction, "report">): Promise<void> {
    const { id, name, username } = account;
    hideAccount(id, chosen !== "unmute" && chosen !== "remove");
    try {
      if (chosen === "remove") await sendJson("DELETE", `/api/accounts/${username}/follower`);
      else {
        const path = `/api/${chosen.endsWith("block") ? "blocks" : "mutes"}/${id}`;
        const lasting = chosen === "mute" && seconds ? `?seconds=${seconds}` : "";
        await setOrWithdraw(path + lasting, !chosen.startsWith("un"));
      }
      forgetLists();
      if (chosen === "block" && theirPage) await navigate(leaveTo, { replace: true });
      else await revalidate();
      notify.success(fill(said[chosen], { name }));
    } catch (error) {
      notify.error(
        fill(words.nothingChanged, { name, problem: errorMessageAbout("account", error) }),
      );
    } finally {
      // Once saved, the server leaves them out from here on.
      hideAccount(id, false);
    }
  }

  if (reporting) return <ReportDialog reported={reported} onClose={onClose} />;
  return (
    <Dialog
      title={account.name}
      ok={labels[action]}
      cancel={common.cancel}
      danger={action === "block" || action === "remove"}
      onClose={(sure) => {
        if (sure && action === "report") return setReporting(true);
        onClose();
        if (sure && action !== "report") void grant(action);
      }}
    >
      <HideChoices
        muted={muted}
        follower={follower}
        action={action}
        onChange={setAction}
        seconds={seconds}
        onSeconds={setSeconds}
        thing={reported.kind}
      />
    </Dialog>
  );
}
