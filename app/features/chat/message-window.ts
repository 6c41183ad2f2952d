import type { MessageView } from "#shared/views.ts";
import type { MessageSlice } from "#app/features/chat/read-conversation.server.ts";

/** Messages that stand in the page at once; a thread may have any number of them. */
export const mostShown = 200;

const lastOf = (window: MessageSlice) => window.messages.at(-1)?.seq ?? 0;

/**
 * The part of a thread that is shown, with a message that came, changed or was taken back. One
 * that does not follow the last without a gap is left to be read: `newer` says so.
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

/** With what came before it. The newest give way when it gets too long. */
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

/** With what came after it. The oldest give way when it gets too long. */
export function withNewer(
  window: MessageSlice,
  read: { messages: MessageView[]; more: boolean },
): MessageSlice {
  const newer = read.messages.filter(({ seq }) => seq > lastOf(window));
  return cutTop({ ...window, messages: [...window.messages, ...newer], newer: read.more });
}

/** With what was read again of it: changed ones change, and the rest of the end is added. */
export function withRead(window: MessageSlice, read: readonly MessageView[]): MessageSlice {
  return read.reduce(withMessage, window);
}

function cutTop(window: MessageSlice): MessageSlice {
  const { messages } = window;
  if (messages.length <= mostShown) return window;
  return { ...window, messages: messages.slice(-mostShown), older: true };
}
