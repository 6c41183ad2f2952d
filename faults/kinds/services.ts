import { createECDH, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openMailbox } from "#server/test/mailbox.ts";
import { query } from "#server/test/query.ts";
import { ask, send, type Member } from "../client.ts";
import { halfAnAccount } from "../controls.ts";
import {
  examine,
  install,
  checkAlive,
  waitForWrites,
  withOpenInstallation,
  remove,
  start,
  stop,
  whileTheyWrite,
  type Target,
} from "../target.ts";
import { begin, seconds, type Fault } from "../result.ts";
import { password } from "../writers.ts";
import { importHook } from "./early-acknowledgement.ts";

/** The longest wait for delayed emails, milliseconds. */
const patienceMs = 60_000;

/**
 * A mail server and push services that accept the connection and never answer: neither people nor other jobs
 * wait for them (an archive is made meanwhile), the server stops within its time, and the emails are sent
 * once a mail server answers.
 */
export const services: Fault = {
  name: "services",
  short: false,
  run: async ({ short }) => {
    const silent = await openSilence();
    const hanging = {
      ...importHook("hanging-push"),
      FAULTS_SILENT: String(silent.push.port),
      SMTP_URL: `smtp://127.0.0.1:${silent.mail.port}`,
    };
    const target = await install();
    const mailbox = await openMailbox();
    try {
      await stop(target);
      await subscribe(target);
      await start(target, hanging);
      const result = begin(target);
      const known = new Set(target.ledger.deeds.keys());
      await whileTheyWrite(target, async () => {
        await waitForWrites(target, 60);
        const [, asks] = target.members;
        if (asks) await orderArchive(target, asks);
        const since = performance.now();
        while (performance.now() - since < (short ? 5000 : 45_000)) {
          await checkAlive(target);
          await sleep(500);
        }
      });
      const [asksNothing, asks] = target.members as [Member, Member];
      const archive = await hasArchive(target, asks);
      if (!archive) target.ledger.isWrong("an archive was not made while emails and pushes wait");
      if (await hasArchive(target, asksNothing))
        target.ledger.isWrong("an archive that nobody asked for was not missed");
      for (const [name, { asked }] of Object.entries(silent)) {
        if (asked() === 0) target.ledger.isWrong(`nobody asked the silent ${name} service`);
      }
      const asked = performance.now();
      const code = await stop(target);
      const took = performance.now() - asked;
      if (code !== 0) target.ledger.isWrong(`it ended with code ${code} beside services that hang`);

      await withOpenInstallation(target, ({ db }) =>
        query(
          db,
          "update pgboss.job set state = 'retry', start_after = now() where state in ('active', 'retry')",
        ),
      );
      const expected = [...target.ledger.deeds.values()].filter(
        (deed) =>
          deed.kind === "sign-up" &&
          deed.state === "acknowledged" &&
          !known.has(`sign-up ${deed.key}`),
      );
      const addresses = () => mailbox.received.flatMap(({ envelope }) => envelope.to);
      const missing = (received: readonly string[]) =>
        expected.filter(({ key }) => !received.includes(key));
      await start(target, { SMTP_URL: mailbox.url });
      for (let waited = 0; waited < patienceMs && missing(addresses()).length > 0; waited += 100) {
        await sleep(100);
      }
      const { controls, ...verdict } = await examine(target, [halfAnAccount]);
      const received = addresses();
      for (const { key } of missing(received)) verdict.lost.push(`the email to ${key} never came`);
      const [first] = expected;
      if (!first || missing(received.filter((to) => to !== first.key)).length === 0) {
        target.ledger.isWrong("an email that never came was not named");
      }
      controls.push("a letter left out: named", "an archive that was not made: named");
      return [
        result(
          "mail and push services hang",
          `${silent.mail.asked()} and ${silent.push.asked()} connections without an answer`,
          { ...verdict, controls },
          [`stopped within ${seconds(took)}`, `${expected.length} letters came later`],
        ),
      ];
    } finally {
      await remove(target);
      await mailbox.close();
      silent.mail.close();
      silent.push.close();
    }
  },
};

/** A member's archive, which a job makes. */
async function orderArchive(target: Target, member: Member): Promise<void> {
  const form = new FormData();
  form.set("change", "export");
  form.set("password", password);
  await ask(target, "POST", "/settings/data", { member, form, expects: [302, 303] });
}

async function hasArchive({ address }: Target, member: Member): Promise<boolean> {
  for (let tries = 0; tries < 20; tries += 1) {
    const { text } = await send(address, "GET", "/settings/data", { member });
    if (/\/exports\/[^"]+\.zip/.test(text)) return true;
    await sleep(100);
  }
  return false;
}

/** A port that accepts and stays silent. */
async function silentPort() {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on("error", () => undefined).resume());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    asked: () => sockets.length,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

async function openSilence() {
  return { mail: await silentPort(), push: await silentPort() };
}

/** Every member has a browser that is subscribed to notifications. */
async function subscribe(target: Target): Promise<void> {
  await withOpenInstallation(target, async ({ db }) => {
    const sessions = await query<{ id: string; account: string }>(
      db,
      "select id, account_id as account from sessions",
    );
    for (const { id, account } of sessions) {
      const keys = createECDH("prime256v1").generateKeys().toString("base64url");
      const endpoint = `https://push.example.org/${randomBytes(8).toString("hex")}`;
      await query(
        db,
        `insert into push_subscriptions (account_id, id, session_id, endpoint, p256dh, auth)
         values ($1, gen_random_uuid(), $2, $3, $4, $5)`,
        [account, id, endpoint, keys, randomBytes(16).toString("base64url")],
      );
    }
  });
}
