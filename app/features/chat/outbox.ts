import type { MessageView } from "#shared/views.ts";
import { callErrorOf, isAway, sentenceOf } from "#app/lib/forms/post-form.ts";

/** A message on its way. */
export type Outgoing = {
  /** sent again with the same key, it is there once */
  clientKey: string;
  senderId: string;
  /** of the other member, or of the conversation */
  threadId: string;
  chatId: string;
  body: string;
  picture: Blob | null;
  /** when it was written, epoch ms */
  at: number;
  /** waiting: for the connection, or for those before it */
  state: "sending" | "waiting" | "failed";
  /** of its picture's bytes that are sent, 0 to 1 */
  fraction: number;
  /** why it failed, as a sentence and as the server's code */
  problem: string | null;
  code: string | null;
};

type New = Omit<Outgoing, "state" | "fraction" | "problem" | "code">;

const noProblem = { problem: null, code: null };

type Deps = {
  /** @throws CallError */
  send: (message: Outgoing, onProgress: (fraction: number) => void) => Promise<MessageView>;
  /** what outlives the document, and what other tabs of this browser see of it */
  kept: {
    /** @returns whether it is kept there: some browsers store nothing */
    put: (message: Outgoing) => Promise<boolean>;
    drop: (clientKey: string) => Promise<void>;
    /** "gone" where it is not there any more; null where that cannot be said */
    stateOf: (clientKey: string) => Promise<Outgoing["state"] | "gone" | null>;
    of: (senderId: string, threadId: string) => Promise<Outgoing[]>;
  };
  /** resolves when the connection seems to be back, on one that seems to work after `ms` at most */
  pause: (ms: number) => Promise<void>;
  onLine: () => boolean;
};

/** While the server cannot be reached: doubled from the first to the last, milliseconds. */
const pauses = { first: 1000, most: 30_000 };
/** On a connection that seems to work, after so many attempts its writer is asked. */
const attempts = 5;

/**
 * Messages on their way: one after the other in each thread, in the order they were written. One
 * that did not come through for want of a connection is sent again by itself; one that failed
 * takes those behind it along. What was shown as failed, in this tab or in another one, is sent by its
 * own Retry alone.
 */
export function createOutbox({ send, kept, pause, onLine }: Deps) {
  let all: readonly Outgoing[] = [];
  const running = new Set<string>();
  /** keys of those that are known to be kept */
  const stored = new Set<string>();
  const listeners = new Set<() => void>();
  const deliveredListeners = new Set<(message: MessageView, threadId: string) => void>();

  function change(next: readonly Outgoing[]): void {
    all = next;
    for (const listener of listeners) listener();
  }
  async function keep(message: Outgoing): Promise<void> {
    if (await kept.put(message)) stored.add(message.clientKey);
  }
  const update = (clientKey: string, part: Partial<Outgoing>) =>
    change(all.map((one) => (one.clientKey === clientKey ? { ...one, ...part } : one)));

  function drop(clientKey: string): void {
    if (all.some((one) => one.clientKey === clientKey)) {
      change(all.filter((one) => one.clientKey !== clientKey));
    }
    stored.delete(clientKey);
    void kept.drop(clientKey);
  }

  /** Another tab showed it as failed, or its writer discarded it there. */
  async function isMarked({ clientKey }: Outgoing): Promise<boolean> {
    if (!stored.has(clientKey)) return false;
    const state = await kept.stateOf(clientKey);
    return state === "failed" || state === "gone";
  }

  async function run(threadId: string): Promise<void> {
    if (running.has(threadId)) return;
    running.add(threadId);
    let tried = 0;
    for (;;) {
      const next = all.find((one) => one.threadId === threadId && one.state !== "failed");
      if (!next) break;
      const { clientKey } = next;
      if (!onLine()) {
        await pause(0);
        continue;
      }
      if (await isMarked(next)) {
        update(clientKey, { state: "failed" });
        continue;
      }
      if (!all.some((one) => one.clientKey === clientKey)) continue;
      update(clientKey, { state: "sending", fraction: 0 });
      tried += 1;
      try {
        const message = await send(next, (fraction) => update(clientKey, { fraction }));
        tried = 0;
        // In this order: what replaces it is shown before it goes.
        for (const listener of deliveredListeners) listener(message, threadId);
        drop(clientKey);
      } catch (error) {
        if (!all.some((one) => one.clientKey === clientKey)) continue;
        if (isAway(error) && (!onLine() || tried < attempts)) {
          update(clientKey, { state: "waiting" });
          await pause(Math.min(pauses.first * 2 ** (tried - 1), pauses.most));
        } else {
          tried = 0;
          fail(next, error);
        }
      }
    }
    running.delete(threadId);
  }

  function fail({ clientKey, threadId }: Outgoing, error: unknown): void {
    const { code = null } = callErrorOf(error);
    // A message that was refused is nobody else's fault; a server that failed would fail the next.
    const takesAlong = isServerFault(error);
    const behind = (one: Outgoing) =>
      takesAlong && one.threadId === threadId && one.state === "waiting";
    const why = { problem: sentenceOf(error), code };
    change(
      all.map((one) => {
        if (one.clientKey === clientKey) return marked({ ...one, ...why });
        return behind(one) ? marked(one) : one;
      }),
    );
  }

  function marked(message: Outgoing): Outgoing {
    const failed = { ...message, state: "failed" as const };
    void keep(failed);
    return failed;
  }

  return {
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onDelivered(listener: (message: MessageView, threadId: string) => void) {
      deliveredListeners.add(listener);
      return () => void deliveredListeners.delete(listener);
    },
    all: () => all,

    add(message: New): void {
      const added: Outgoing = { ...message, state: "waiting", fraction: 0, ...noProblem };
      change([...all, added]);
      void keep(added);
      void run(added.threadId);
    },

    /** Sends one that failed again, and no other. */
    retry(clientKey: string): void {
      const failed = all.find((one) => one.clientKey === clientKey && one.state === "failed");
      if (!failed) return;
      const again: Outgoing = { ...failed, state: "waiting", ...noProblem };
      change(all.map((one) => (one === failed ? again : one)));
      // The mark is gone before it is looked for.
      void keep(again).then(() => run(again.threadId));
    },

    /** It is there already, or its writer gave it up. */
    drop,

    /** Offers again what an earlier document of this browser did not get through. */
    async restore(senderId: string, threadId: string): Promise<void> {
      const found = await kept.of(senderId, threadId);
      const known = new Set(all.map(({ clientKey }) => clientKey));
      const lost = found.filter(({ clientKey }) => !known.has(clientKey));
      if (lost.length === 0) return;
      for (const { clientKey } of lost) stored.add(clientKey);
      const offered = lost.map((one) => marked({ ...one, ...noProblem }));
      change([...offered.toSorted((a, b) => a.at - b.at), ...all]);
    },
  };
}

function isServerFault(error: unknown): boolean {
  const status = (error as { status?: number } | null)?.status ?? 500;
  return status === 0 || status >= 500;
}
