import * as words from "#messages/comments.json";
import * as common from "#messages/common.json";
import { fill } from "#app/lib/text/messages.tsx";

type Props = {
  /** why it was not sent; undefined while it is being sent */
  problem: string | undefined;
  onAgain: () => void;
  onDiscard: () => void;
};

const act = "-mx-2 -my-1.5 flex h-11 items-center px-2 hover:text-base-content";

/** Replaces a comment's actions while it is being sent. */
export function SendStatus({ problem, onAgain, onDiscard }: Props) {
  if (problem === undefined) return <span className="py-1.5">{words.sending}</span>;
  return (
    <>
      <span role="alert" className="basis-full font-medium text-danger">
        {fill(words.notPosted, { problem })}
      </span>
      <button type="button" onClick={onAgain} className={`${act} font-medium`}>
        {common.tryAgain}
      </button>
      <button type="button" onClick={onDiscard} className={act}>
        {words.discard}
      </button>
    </>
  );
}
