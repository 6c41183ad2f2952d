import { useState } from "react";
import { useLocation } from "react-router";
import type { ReportTarget } from "#shared/reports.ts";
import type { AccountSummary } from "#shared/views.ts";
import * as words from "#messages/people.json";
import { reportQuery } from "#app/features/reports/report-path.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { DotsThreeIcon } from "#app/ui/icons.ts";
import { notifyAndClose, lazyComponent } from "#app/ui/lazy-component.tsx";
import { LinkButton } from "#app/ui/link-button.tsx";

const HideDialog = lazyComponent(
  async () => (await import("#app/features/blocks/hide-dialog.tsx")).HideDialog,
  notifyAndClose,
);

type Props = {
  account: AccountSummary;
  /** what is already known of it where the button is */
  muted?: boolean;
  follower?: boolean;
  /** the page is theirs and disappears with a block */
  theirPage?: boolean;
  /** where a block leads from a page that is theirs; home by default */
  leaveTo?: string;
  /** what a report is about; the account by default */
  reported?: ReportTarget;
  className?: string;
};

/** Mute, block or report somebody: a dialog, loaded when it opens; without scripts a page with the same choices. */
export function HideButton({ account, className = "", ...about }: Props) {
  const { pathname, search } = useLocation();
  const [open, setOpen] = useState(false);
  return (
    <>
      <LinkButton
        href={`/block/${account.id}${reportQuery(about.reported, pathname + search)}`}
        onPress={() => setOpen(true)}
        aria-label={fill(words.muteBlockReportName, { name: account.name })}
        title={words.options}
        className={`grid size-11 shrink-0 place-items-center rounded-full text-muted hover:bg-base-content/8 hover:text-base-content ${className}`}
      >
        <DotsThreeIcon className="size-6" aria-hidden />
      </LinkButton>
      {open && <HideDialog account={account} {...about} onClose={() => setOpen(false)} />}
    </>
  );
}
