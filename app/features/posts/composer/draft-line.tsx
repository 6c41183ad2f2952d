import { ask } from "#app/ui/ask.ts";
import { Button } from "#app/ui/button.tsx";

type Props = {
  /** drafts besides the one that stands here */
  others: number;
  /** something stands here */
  begun: boolean;
  onDiscard: () => void;
  onOther: () => void;
};

/** Says that a draft was brought back, and leads to a fresh start or to the next draft. */
export function DraftLine({ others, begun, onDiscard, onOther }: Props) {
  async function discard(): Promise<void> {
    const sure = await ask({
      title: "Discard this draft?",
      text: "Its words and photos are removed from this device.",
      ok: "Discard",
      cancel: "Keep it",
      danger: true,
    });
    if (sure) onDiscard();
  }
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-x-1 border-b border-line bg-base-100 ps-4 pe-1 text-sm md:mb-3 md:rounded-box md:border"
    >
      <p className="grow py-2.5">
        {begun ? "Your unsent draft is back. " : ""}
        {others > 0
          ? `${others === 1 ? "One more draft is" : `${others} more drafts are`} kept here.`
          : ""}
      </p>
      {others > 0 ? (
        <Button look="quiet" className="px-3" onClick={onOther}>
          Open it
        </Button>
      ) : null}
      {begun ? (
        <Button look="quiet" className="px-3" onClick={() => void discard()}>
          Discard
        </Button>
      ) : null}
    </div>
  );
}
