import { setImmediate as soon } from "node:timers/promises";
import { expect, test } from "vitest";
import { createDecodeQueue } from "#server/features/posts/images/decode-queue.ts";

const bounds = {
  atOnce: 2,
  atOnceEach: 1,
  mostWaiting: 40,
  patienceMs: { waiting: 60_000, decoding: 45_000 },
};
const megapixels = 1_000_000;

/** A queue whose turns the test ends itself, and what happened in it, in order. */
function watchedQueue(changed: Partial<typeof bounds> = {}) {
  const queue = createDecodeQueue({ ...bounds, ...changed });
  const began: string[] = [];
  const open: { sender: string; end: (error?: Error) => void }[] = [];

  function send(sender: string, size = 12): Promise<string> {
    const work = queue.run(sender, ({ charge }) => {
      charge(size * megapixels);
      began.push(sender);
      const turn = Promise.withResolvers<void>();
      open.push({ sender, end: (error) => (error ? turn.reject(error) : turn.resolve()) });
      return turn.promise;
    });
    return work.then(
      () => "done",
      (error: Error & { code?: string }) => error.code ?? error.message,
    );
  }

  /** Ends the turn that began first, of `sender` where one is named. */
  async function endOne(sender?: string, error?: Error): Promise<void> {
    const index = sender ? open.findIndex((turn) => turn.sender === sender) : 0;
    open.splice(index, 1)[0]?.end(error);
    await soon();
  }
  return { send, endOne, began, running: () => queue.count().running };
}

test("one sender's flood leaves a slot free: another's image begins at once", async () => {
  const { send, began } = watchedQueue();
  for (let n = 0; n < 20; n += 1) void send("ana", 50);
  await soon();
  void send("bea");
  await soon();
  expect(began).toEqual(["ana", "bea"]);
});

test("with every slot taken, a newcomer is next, however long others have waited", async () => {
  const { send, endOne, began } = watchedQueue();
  for (let n = 0; n < 6; n += 1) for (const sender of ["ana", "bob", "cid"]) void send(sender, 50);
  await soon();
  for (let n = 0; n < 4; n += 1) await endOne();
  const turns = began.length;
  void send("dora");
  await endOne();
  await endOne();
  expect(began.slice(turns)).toContain("dora");
});

test.each([
  ["as fast as they may", 0],
  ["again and again, each time one was refused", 1],
])(
  "a photo takes at most three times as long as alone while one sends the worst images %s",
  async (_how, failing) => {
    const { send, endOne, began } = watchedQueue({ atOnce: 1 });
    const error = new Error("unreadable");
    for (let n = 0; n < 10; n += 1) void send("ana", 50);
    await soon();
    let turnsOfOthers = 0;
    for (let photo = 0; photo < 5; photo += 1) {
      void send("bea", 12);
      const before = began.length;
      while (!began.slice(before).includes("bea")) {
        await endOne("ana", failing ? error : undefined);
        void send("ana", 50);
      }
      turnsOfOthers += began.slice(before).filter((sender) => sender === "ana").length;
      await endOne("bea");
    }
    // With just one slot, it waits for the current turn; never for a second one.
    expect(turnsOfOthers).toBe(0);
  },
);

test("between two senders who always have something waiting, pixels are divided equally, not images", async () => {
  const { send, endOne, began } = watchedQueue({ atOnce: 1 });
  for (let n = 0; n < 30; n += 1) void send("large", 49);
  for (let n = 0; n < 10; n += 1) void send("small", 9);
  await soon();
  for (let n = 0; n < 11; n += 1) await endOne();
  const first = began.slice(0, 12);
  expect(first.filter((sender) => sender === "small")).toHaveLength(10);
});

test("failures count as successes do", async () => {
  const { send, endOne, began } = watchedQueue({ atOnce: 1 });
  for (let n = 0; n < 4; n += 1) void send("fails", 30);
  for (let n = 0; n < 4; n += 1) void send("works", 30);
  await soon();
  for (let n = 0; n < 7; n += 1) {
    await endOne(undefined, began.at(-1) === "fails" ? new Error("unreadable") : undefined);
  }
  expect(began).toEqual(["fails", "works", "fails", "works", "fails", "works", "fails", "works"]);
});

test("senders whose last image took very long leave a slot to everybody else", async () => {
  const { send, endOne, began } = watchedQueue();
  for (let n = 0; n < 6; n += 1) for (const sender of ["ana", "bob"]) void send(sender, 750);
  await soon();
  for (let n = 0; n < 4; n += 1) await endOne();
  const turns = began.length;
  void send("cid");
  await soon();
  expect(began.slice(turns)).toEqual(["cid"]);
  // after an ordinary image, the one before no longer counts against them
  await endOne("cid");
  for (const sender of ["ana", "bob"]) void send(sender, 12);
  for (let n = 0; n < 20; n += 1) await endOne();
  for (const sender of ["ana", "bob"]) void send(sender, 12);
  await soon();
  expect(began.slice(-2).toSorted()).toEqual(["ana", "bob"]);
});

test("time away earns no credit", async () => {
  const { send, endOne, began } = watchedQueue({ atOnce: 1 });
  for (let n = 0; n < 20; n += 1) void send("ana", 10);
  await soon();
  for (let n = 0; n < 10; n += 1) await endOne();
  for (let n = 0; n < 6; n += 1) void send("late", 10);
  const turns = began.length;
  for (let n = 0; n < 6; n += 1) await endOne();
  expect(began.slice(turns).filter((sender) => sender === "ana").length).toBeGreaterThan(1);
});

test("when no more can wait, the sender with most waiting gives way, with a sentence", async () => {
  const { send, endOne, began } = watchedQueue({ mostWaiting: 4 });
  const floods = Array.from({ length: 5 }, () => send("ana"));
  expect(await send("ana")).toBe("picture-timeout");
  const others = [send("bea"), send("cid")];
  // bea has the second slot; the last of ana's had to make room for cid
  expect(await floods.at(-1)).toBe("picture-timeout");
  for (let n = 0; n < 8; n += 1) await endOne();
  expect(await Promise.all(others)).toEqual(["done", "done"]);
  expect(await Promise.all(floods.slice(0, 4))).toEqual(["done", "done", "done", "done"]);
  expect(began).toHaveLength(6);
});

test("a sender who waited too long gets the error then, not when the turn comes", async () => {
  const patienceMs = { waiting: 20, decoding: 45_000 };
  const { send, endOne, began, running } = watchedQueue({ patienceMs });
  const first = send("ana");
  expect(await send("ana")).toBe("picture-timeout");
  expect(running()).toBe(1);
  await endOne();
  expect(await first).toBe("done");
  expect([began, running()]).toEqual([["ana"], 0]);
});
