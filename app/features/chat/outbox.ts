import type { MessageView } from "#shared/views.ts";
import { createListeners, createStore, type Store } from "#app/lib/store.ts";
import { callErrorOf, isUnreachable, errorMessage } from "#app/lib/api-client.ts";

/** A message that is being sent. */
export type Outgoing = {
  /** idempotency key: sent again with the same key, it is stored once */
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
  /** fraction of its photo's bytes that are sent, 0 to 1 */
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
  /** outlives the document, and is shared with other tabs of this browser */
  store: {
    /** @returns whether it was stored: some browsers store nothing */
    put: (message: Outgoing) => Promise<boolean>;
    drop: (clientKey: string) => Promise<void>;
    /** "gone" where it is not there any more; null where that cannot be known */
    stateOf: (clientKey: string) => Promise<Outgoing["state"] | "gone" | null>;
    of: (senderId: string, threadId: string) => Promise<Outgoing[]>;
  };
  /** resolves when the connection seems to be back, or after `ms` at most if it seems to work */
  pause: (ms: number) => Promise<void>;
  onLine: () => boolean;
};

/** Wait while the server cannot be reached: doubled from the first to the last, milliseconds. */
const pauses = { first: 1000, most: 30_000 };
/** On a connection that seems to work, the writer is asked after so many attempts. */
const attempts = 5;

type State = Deps & {
  messages: Store<readonly Outgoing[]>;
  delivered: ReturnType<typeof createListeners<[message: MessageView, threadId: string]>>;
  /** conversations that are being sent */
  running: Set<string>;
  /** keys of those that are known to be stored */
  stored: Set<string>;
};

const isThere = ({ messages }: State, clientKey: string) =>
  messages.now().some((one) => one.clientKey === clientKey);

function update({ messages }: State, clientKey: string, part: Partial<Outgoing>): void {
  messages.set(
    messages.now().map((one) => (one.clientKey === clientKey ? { ...one, ...part } : one)),
  );
}

async function save({ store, stored }: State, message: Outgoing): Promise<void> {
  if (await store.put(message)) stored.add(message.clientKey);
}

function drop(state: State, clientKey: string): void {
  const { messages, stored, store } = state;
  if (isThere(state, clientKey)) {
    messages.set(messages.now().filter((one) => one.clientKey !== clientKey));
  }
  stored.delete(clientKey);
  void store.drop(clientKey);
}

/** Another tab showed it as failed, or its writer discarded it there. */
async function isMarked({ stored, store }: State, { clientKey }: Outgoing): Promise<boolean> {
  if (!stored.has(clientKey)) return false;
  const state = await store.stateOf(clientKey);
  return state === "failed" || state === "gone";
}

/** Sends what is waiting in a conversation, one after the other. */
async function run(state: State, threadId: string): Promise<void> {
  const { messages, running, onLine, pause } = state;
  if (running.has(threadId)) return;
  running.add(threadId);
  let tried = 0;
  for (;;) {
    const next = messages.now().find((one) => one.threadId === threadId && one.state !== "failed");
    if (!next) break;
    const { clientKey } = next;
    if (!onLine()) {
      await pause(0);
      continue;
    }
    if (await isMarked(state, next)) {
      update(state, clientKey, { state: "failed" });
      continue;
    }
    if (!isThere(state, clientKey)) continue;
    tried += 1;
    try {
      await send(state, next);
      tried = 0;
    } catch (error) {
      if (!isThere(state, clientKey)) continue;
      if (isUnreachable(error) && (!onLine() || tried < attempts)) {
        update(state, clientKey, { state: "waiting" });
        await pause(Math.min(pauses.first * 2 ** (tried - 1), pauses.most));
      } else {
        tried = 0;
        fail(state, next, error);
      }
    }
  }
  running.delete(threadId);
}

async function send(state: State, message: Outgoing): Promise<void> {
  const { clientKey, threadId } = message;
  update(state, clientKey, { state: "sending", fraction: 0 });
  const there = await state.send(message, (fraction) => update(state, clientKey, { fraction }));
  // In this order: the sent message is shown before this one disappears.
  state.delivered.emit(there, threadId);
  drop(state, clientKey);
}

function fail(state: State, { clientKey, threadId }: Outgoing, error: unknown): void {
  const { code = null } = callErrorOf(error);
  // A refused message is not the others' fault; a server that failed would fail the next one as well.
  const takesAlong = isServerFault(error);
  const behind = (one: Outgoing) =>
    takesAlong && one.threadId === threadId && one.state === "waiting";
  const why = { problem: errorMessage(error), code };
  state.messages.set(
    state.messages.now().map((one) => {
      if (one.clientKey === clientKey) return marked(state, { ...one, ...why });
      return behind(one) ? marked(state, one) : one;
    }),
  );
}

function marked(state: State, message: Outgoing): Outgoing {
  const failed = { ...message, state: "failed" as const };
  void save(state, failed);
  return failed;
}

/** Sends one that failed again, and no other. */
function retry(state: State, clientKey: string): void {
  const all = state.messages.now();
  const failed = all.find((one) => one.clientKey === clientKey && one.state === "failed");
  if (!failed) return;
  const again: Outgoing = { ...failed, state: "waiting", ...noProblem };
  state.messages.set(all.map((one) => (one === failed ? again : one)));
  // The stored mark is cleared before `run` checks it.
  void save(state, again).then(() => run(state, again.threadId));
}

/** Offers again what an earlier document of this browser could not send. */
async function restore(state: State, senderId: string, threadId: string): Promise<void> {
  const { store, messages, stored } = state;
  const found = await store.of(senderId, threadId);
  const lost = found.filter(({ clientKey }) => !isThere(state, clientKey));
  if (lost.length === 0) return;
  for (const { clientKey } of lost) stored.add(clientKey);
  const offered = lost.map((one) => marked(state, { ...one, ...noProblem }));
  messages.set([...offered.toSorted((a, b) => a.at - b.at), ...messages.now()]);
}

/**
 * Messages that are being sent: one after the other in each conversation, in the order they were written.
 * One that failed because of the connection is retried automatically; one that failed otherwise stops those
 * after it. What was shown as failed, in this tab or in another one, is sent by its own Retry only.
 */
export function createOutbox(deps: Deps) {
  const messages = createStore<readonly Outgoing[]>([]);
  const delivered = createListeners<[message: MessageView, threadId: string]>();
  const state: State = { ...deps, messages, delivered, running: new Set(), stored: new Set() };
  return {
    subscribe: messages.subscribe,
    onDelivered: delivered.on,
    all: messages.now,

    add(message: New): void {
      const added: Outgoing = { ...message, state: "waiting", fraction: 0, ...noProblem };
      messages.set([...messages.now(), added]);
      void save(state, added);
      void run(state, added.threadId);
    },

    retry: (clientKey: string) => retry(state, clientKey),

    /** It is sent already, or its writer discarded it. */
    drop: (clientKey: string) => drop(state, clientKey),

    restore: (senderId: string, threadId: string) => restore(state, senderId, threadId),
  };
}

function isServerFault(error: unknown): boolean {
  const status = (error as { status?: number } | null)?.status ?? 500;
  return status === 0 || status >= 500;
}
