import * as words from "#messages/composer.json";
import type { useDraft } from "#app/features/posts/composer/use-draft.ts";
import { counted } from "#app/lib/text/messages.tsx";
import { ask } from "#app/ui/ask.ts";
import { Button } from "#app/ui/button.tsx";

type Props = {
  draft: Pick<ReturnType<typeof useDraft>, "restored" | "discard" | "openOther">;
  /** a draft was restored */
  begun: boolean;
  /** the composer has content */
  any: boolean;
};

/** Says that a draft was restored, with buttons for a fresh start and for the next draft. */
export function DraftNotice({ draft, begun, any }: Props) {
  const { restored } = draft;
  if (!restored || (!any && restored.others === 0)) return null;
  const { others } = restored;

  async function discard(): Promise<void> {
    const sure = await ask({
      title: words.discardDraft,
      text: words.discardDraftText,
      ok: words.discard,
      cancel: words.keepDraft,
      danger: true,
    });
    if (sure) await draft.discard();
  }
  return (
    <div
      role="status"
      className="composer-notice flex flex-wrap items-center gap-x-1 border-b border-line bg-base-100 ps-4 pe-1 text-sm md:rounded-box md:border"
    >
      <p className="grow py-2.5">
        {begun ? words.draftIsBack : ""} {others > 0 ? counted(words.moreDrafts, others) : ""}
      </p>
      {others > 0 ? (
        <Button look="quiet" className="px-3" onClick={() => void draft.openOther()}>
          {words.openDraft}
        </Button>
      ) : null}
      {begun ? (
        <Button look="quiet" className="px-3" onClick={() => void discard()}>
          {words.discard}
        </Button>
      ) : null}
    </div>
  );
}
