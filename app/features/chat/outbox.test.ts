import { beforeEach, expect, test } from "vitest";
import type { MessageView } from "#shared/views.ts";
import { createOutbox, type Outgoing } from "#app/features/chat/outbox.ts";
import { callError } from "#app/lib/api-client.ts";

let onLine = true;
let answers: (null | ReturnType<typeof callError>)[] = [];
let sent: string[] = [];
let stored = new Map<string, Outgoing>();
let comeBack = Promise.withResolvers<void>();

const away = () => callError("away", "Away.", 0);
const broken = () => callError("internal", "Broken.", 500);
const refused = () => callError("chat-closed", "Closed.", 403);

const outbox = () =>
  createOutbox({
    send: async (message) => {
      const error = answers.shift();
      if (error) throw error;
      sent.push(message.body);
      return { clientKey: message.clientKey, body: message.body } as MessageView;
    },
    store: {
      put: async (message) => {
        stored.set(message.clientKey, message);
        return true;
      },
      stateOf: async (clientKey) => stored.get(clientKey)?.state ?? "gone",
      drop: async (clientKey) => void stored.delete(clientKey),
      of: async () => [...stored.values()],
    },
    pause: () => (onLine ? Promise.resolve() : comeBack.promise),
    onLine: () => onLine,
  });

type Outbox = ReturnType<typeof outbox>;

function write(box: Outbox, ...bodies: string[]): void {
  for (const body of bodies) {
    const message = { clientKey: `key of ${body}`, threadId: "bo", chatId: "ana.bo", body };
    box.add({ ...message, senderId: "ana", picture: null, at: stored.size });
  }
}

const states = (box: Outbox) => box.all().map(({ body, state }) => `${body} ${state}`);
const settled = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
  onLine = true;
  answers = [];
  sent = [];
  stored = new Map();
  comeBack = Promise.withResolvers();
});

test("messages are sent one after the other in the order they were written, and then removed from the store", async () => {
  const box = outbox();
  const shown: string[] = [];
  box.onDelivered(({ body }) => shown.push(`${body} of ${box.all().length}`));
  write(box, "one", "two", "three");
  expect(stored.size).toBe(3);
  await settled();
  expect(sent).toEqual(["one", "two", "three"]);
  // Each was still stored when the server's message replaced it.
  expect(shown).toEqual(["one of 3", "two of 2", "three of 1"]);
  expect(box.all()).toEqual([]);
  expect(stored.size).toBe(0);
});

test("without a connection they wait as long as it takes, and are sent in order when it is back", async () => {
  onLine = false;
  answers = [away(), null, null];
  const box = outbox();
  write(box, "one", "two");
  await settled();
  expect(states(box)).toEqual(["one waiting", "two waiting"]);
  expect(answers).toHaveLength(3);
  onLine = true;
  comeBack.resolve();
  await settled();
  expect(sent).toEqual(["one", "two"]);
});

test("a server that cannot be reached is retried, but not for ever", async () => {
  answers = [away(), away(), null, ...Array.from({ length: 5 }, away)];
  const box = outbox();
  write(box, "one", "two");
  await settled();
  expect(sent).toEqual(["one"]);
  expect(states(box)).toEqual(["two failed"]);
});

test("a message that failed stops those after it; each is sent by its own Retry only", async () => {
  answers = [null, broken()];
  const box = outbox();
  write(box, "one", "two", "three");
  await settled();
  expect(states(box)).toEqual(["two failed", "three failed"]);
  expect(box.all()[0]?.problem).toBe("Broken.");
  write(box, "four");
  await settled();
  expect(sent).toEqual(["one", "four"]);
  box.retry("key of three");
  await settled();
  expect(sent).toEqual(["one", "four", "three"]);
  expect(states(box)).toEqual(["two failed"]);
  box.retry("key of two");
  await settled();
  expect(sent).toEqual(["one", "four", "three", "two"]);
  expect(box.all()).toEqual([]);
});

test("a message that another tab showed as failed, or discarded, is sent automatically by no tab", async () => {
  onLine = false;
  const first = outbox();
  write(first, "one", "two", "three");
  await settled();
  const second = outbox();
  await second.restore("ana", "bo");
  expect(states(second)).toEqual(["one failed", "two failed", "three failed"]);
  second.drop("key of two");
  onLine = true;
  comeBack.resolve();
  await settled();
  expect(sent).toEqual([]);
  expect(states(first)).toEqual(["one failed", "two failed", "three failed"]);
  second.retry("key of three");
  await settled();
  expect(sent).toEqual(["three"]);
});

test("a browser that stores nothing still sends what is waiting", async () => {
  onLine = false;
  const box = createOutbox({
    send: async ({ body }) => {
      sent.push(body);
      return {} as MessageView;
    },
    store: {
      put: async () => false,
      drop: async () => undefined,
      stateOf: async () => null,
      of: async () => [],
    },
    pause: () => (onLine ? Promise.resolve() : comeBack.promise),
    onLine: () => onLine,
  });
  write(box, "one");
  await settled();
  onLine = true;
  comeBack.resolve();
  await settled();
  expect(sent).toEqual(["one"]);
});

test("a refused message delays no other", async () => {
  answers = [refused()];
  const box = outbox();
  write(box, "one", "two");
  await settled();
  expect(sent).toEqual(["two"]);
  expect(states(box)).toEqual(["one failed"]);
  box.drop("key of one");
  expect(box.all()).toEqual([]);
  expect(stored.size).toBe(0);
});

test("a message that an earlier document could not send is offered again, once", async () => {
  answers = [broken()];
  write(outbox(), "lost");
  await settled();
  const later = outbox();
  await later.restore("ana", "bo");
  await later.restore("ana", "bo");
  expect(states(later)).toEqual(["lost failed"]);
  later.retry("key of lost");
  await settled();
  expect(sent).toEqual(["lost"]);
  expect(stored.size).toBe(0);
});
