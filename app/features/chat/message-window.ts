import type { MessageView } from "#shared/views.ts";
import type { MessageSlice } from "#app/features/chat/read-conversation.server.ts";

/** Messages in the page at once; a conversation may have any number of them. */
export const mostShown = 200;

const lastOf = (window: MessageSlice) => window.messages.at(-1)?.seq ?? 0;

/**
 * The shown part of a conversation, with a message that arrived, changed or was deleted. One that does not
 * follow the last without a gap is left to be read later: `newer` says so.
 */
export function withMessage(window: MessageSlice, message: MessageView): MessageSlice {
  const { messages } = window;
  const at = messages.findIndex(({ seq }) => seq === message.seq);
  if (at !== -1) return { ...window, messages: messages.with(at, message) };
  if (message.seq < lastOf(window)) return window;
  if (window.newer) return window;
  if (message.seq > lastOf(window) + 1) return { ...window, newer: true };
  return cutTop({ ...window, messages: [...messages, message] });
}

/** With older messages added. The newest are dropped when it gets too long. */
export function withOlder(
  window: MessageSlice,
  read: { messages: MessageView[]; more: boolean },
): MessageSlice {
  const first = window.messages[0]?.seq ?? Infinity;
  const older = read.messages.filter(({ seq }) => seq < first);
  const messages = [...older, ...window.messages];
  return {
    messages: messages.slice(0, mostShown),
    older: read.more,
    newer: window.newer || messages.length > mostShown,
  };
}

/** With newer messages added. The oldest are dropped when it gets too long. */
export function withNewer(
  window: MessageSlice,
  read: { messages: MessageView[]; more: boolean },
): MessageSlice {
  const newer = read.messages.filter(({ seq }) => seq > lastOf(window));
  return cutTop({ ...window, messages: [...window.messages, ...newer], newer: read.more });
}

/** With messages that were read again: changed ones are replaced, and newer ones are added at the end. */
export function withRead(window: MessageSlice, read: readonly MessageView[]): MessageSlice {
  return read.reduce(withMessage, window);
}

function cutTop(window: MessageSlice): MessageSlice {
  const { messages } = window;
  if (messages.length <= mostShown) return window;
  return { ...window, messages: messages.slice(-mostShown), older: true };
}
