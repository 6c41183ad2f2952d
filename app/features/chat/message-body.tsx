import * as words from "#messages/chat.json";
import { isOnlyEmoji } from "#app/features/chat/only-emoji.ts";
import { LinkedText } from "#app/features/posts/linked-text.tsx";

const bubble = "w-fit max-w-full rounded-2xl px-3.5 py-2 forced-colors:border";
const own = `${bubble} ms-auto rounded-ee-md bg-primary text-primary-content [&_a]:text-inherit [&_a]:underline`;
const others = `${bubble} rounded-es-md bg-base-300`;

type Props = {
  body: string;
  mine: boolean;
  /** as in LinkedText */
  mentions?: readonly string[];
};

/** The text of a message, on its writer's side. */
export function MessageBody({ body, mine, mentions }: Props) {
  if (isOnlyEmoji(body)) {
    return <p className={`text-5xl leading-tight ${mine ? "text-end" : ""}`}>{body}</p>;
  }
  return (
    // The side is the writer's, whatever the direction of the text.
    <div className={mine ? own : others}>
      <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
        <LinkedText text={body} mentions={mentions} />
      </p>
    </div>
  );
}

/** Replaces a deleted message. */
export function DeletedBody({ mine }: { mine: boolean }) {
  return (
    <p
      className={`w-fit rounded-2xl border border-line px-3.5 py-2 text-muted italic ${mine ? "ms-auto" : ""}`}
    >
      {mine ? words.youDeleted : words.messageDeleted}
    </p>
  );
}
