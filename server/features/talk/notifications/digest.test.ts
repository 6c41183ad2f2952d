import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { openMail } from "#server/adapters/mail/open-mail.ts";
import type { Database } from "#server/platform/db/database.ts";
import { lowestId } from "#server/platform/db/cursors.ts";
import { idAt } from "#server/platform/db/ids.ts";
import { dueRecipients, type Waiting } from "#server/features/talk/notifications/digest.queries.ts";
import { createDigest } from "#server/features/talk/notifications/digest.ts";
import { createJobs } from "#server/platform/jobs.ts";
import { insertAccounts } from "#server/test/bulk-insert.ts";
import { freshDatabase } from "#server/test/database.ts";
import { everything } from "#server/test/everything.ts";
import { costsOf } from "#server/test/explain.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { openMailbox } from "#server/test/mailbox.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

const hourMs = 60 * 60 * 1000;
const log = pino({ level: "silent" });
const mailFrom = { name: "Our Town", address: "photos@example.org" };

const languages = ["en", "de", "ar"];

let db: Database;
let on: TestFeatures;
let mailbox: Awaited<ReturnType<typeof openMailbox>>;
let digest: ReturnType<typeof createDigest>;
let deliver: () => Promise<unknown>;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  mailbox = await openMailbox();
  const jobs = createJobs({ db, log });
  const config = { smtpUrl: mailbox.url, mailFrom };
  const mail = openMail({ config, files: on.files, jobs, log });
  const publicUrl = "https://photos.example.org";
  const secret = "a secret of this test";
  digest = createDigest({ db, mail, secret, publicUrl, site: on.site, languages });
  deliver = () => jobs.runDue();
});

/** Emails to this member that a run of the job wrote. */
async function emailsTo({ email }: Viewer) {
  mailbox.received.length = 0;
  await digest.sweep();
  await deliver();
  return mailbox.received.filter(({ envelope }) => envelope.to.includes(email));
}

async function reader(name: string): Promise<Viewer> {
  const viewer = await on.member(name);
  await query(db, "update accounts set email_verified = true where id = $1", [viewer.id]);
  return viewer;
}

const hoursAgo = (hours: number) => idAt(Date.now() - hours * hourMs);

describe("a daily email", () => {
  test("has nothing of a post that its reader may not see any more", async () => {
    const [ada, bob] = [await reader("Ada"), await on.member("Bob")];
    const post = await on.textPost(bob, `A secret of @${ada.username}`);
    await query(db, "update notifications set latest_id = $2 where account_id = $1", [
      ada.id,
      hoursAgo(2),
    ]);
    await on.posts.edit(bob, bob.username, post.number, { version: 0, audience: "followers" });
    expect(await emailsTo(ada)).toEqual([]);
    await on.posts.edit(bob, bob.username, post.number, { version: 1, audience: "everyone" });
    expect((await emailsTo(ada)).map(({ text }) => text)).toEqual([
      expect.stringContaining("A secret of"),
    ]);
  });

  test("lists what is unread once, says how to end it, and comes once a day", async () => {
    const [ada, bob] = [await reader("Ada"), await on.member("Bob")];
    const post = await on.textPost(ada, "A few\nwords");
    await on.notifications.notify.followed(bob.id, ada.id, hoursAgo(3));
    await on.notifications.notify.liked(bob.id, post, hoursAgo(2));
    const [email, ...others] = await emailsTo(ada);
    expect(others).toEqual([]);
    expect(email?.subject).toBe("What you haven't seen yet");
    expect(email?.text).toContain("Bob followed you.");
    expect(email?.text).toContain("Bob liked your post: “A few words”");
    expect(email?.text).toContain("https://photos.example.org/notifications");
    const [stop = ""] =
      /https:\/\/photos\.example\.org\/stopEmails\/\S+/.exec(email?.text ?? "") ?? [];
    const headers = Object.fromEntries(
      (email?.headers ?? []).map(({ key, value }) => [key, value]),
    );
    expect(headers).toMatchObject({
      "list-unsubscribe": `<${stop}>`,
      "list-unsubscribe-post": "List-Unsubscribe=One-Click",
    });
    expect(await emailsTo(ada), "again at once").toEqual([]);

    await query(
      db,
      "update notification_settings set digested_at = now() - interval '24 hours' where account_id = $1",
      [ada.id],
    );
    await on.notifications.notify.followed(bob.id, ada.id, hoursAgo(1.5));
    const [next] = await emailsTo(ada);
    expect(next?.text, "only what is new").toContain("Bob followed you.");

    await digest.stop(stop.slice(stop.lastIndexOf("/") + 1));
    expect(await on.notifications.settings(ada)).toMatchObject({ digest: false, like: true });
  });

  test.each([
    ["was read", (ada: Viewer) => on.notifications.markAllRead(ada)],
    ["comes from somebody blocked", (ada: Viewer, bob: Viewer) => on.blocks.block(ada, bob.id)],
    ["comes from a suspended account", (_ada: Viewer, bob: Viewer) => on.suspend(bob)],
    ["is for a suspended account", (ada: Viewer) => on.suspend(ada)],
    [
      "is for somebody who wants none",
      (ada: Viewer) => on.notifications.changeSettings(ada, { digest: false }),
    ],
    [
      "goes to an email nobody verified",
      (ada: Viewer) =>
        query(db, "update accounts set email_verified = false where id = $1", [ada.id]),
    ],
  ])("is not written for what %s", async (_what, change) => {
    const [ada, bob] = [await reader("Ada"), await on.member("Bob")];
    await on.notifications.notify.followed(bob.id, ada.id, hoursAgo(2));
    await change(ada, bob);
    expect(await emailsTo(ada)).toEqual([]);
  });

  test("waits an hour, and leaves out old notifications", async () => {
    const [ada, bob] = [await reader("Ada"), await on.member("Bob")];
    const post = await on.textPost(ada);
    await on.notifications.notify.liked(bob.id, post, hoursAgo(0.5));
    await on.notifications.notify.followed(bob.id, ada.id, hoursAgo(60));
    expect(await emailsTo(ada)).toEqual([]);
  });

  test("comes the same day once there is something to say, when all that waited was hidden", async () => {
    const [ada, bob] = [await reader("Ada"), await on.member("Bob")];
    await on.notifications.notify.followed(bob.id, ada.id, hoursAgo(3));
    await on.suspend(bob);
    expect(await emailsTo(ada)).toEqual([]);
    const [cleo, post] = [await on.member("Cleo"), await on.textPost(ada)];
    await on.notifications.notify.liked(cleo.id, post, hoursAgo(2));
    const [email] = await emailsTo(ada);
    expect(email?.text).toContain("Cleo liked your post");
    expect(email?.text).not.toContain("Bob");
  });

  test("is written once by processes that run at the same time", async () => {
    const [ada, bob] = [await reader("Ada"), await on.member("Bob")];
    await on.notifications.notify.followed(bob.id, ada.id, hoursAgo(2));
    mailbox.received.length = 0;
    await Promise.all([digest.sweep(), digest.sweep(), digest.sweep()]);
    await deliver();
    expect(mailbox.received.filter(({ envelope }) => envelope.to.includes(ada.email))).toHaveLength(
      1,
    );
  });

  test("reads what waits part by part, each once", async () => {
    await query(db, "delete from notifications");
    const people = await insertAccounts(db, everything ? 3000 : 1000);
    const ids = people.map(({ id }) => id);
    await query(db, "update accounts set email_verified = true where id = any($1)", [ids]);
    const [from, to] = [hoursAgo(6), hoursAgo(4)];
    await query(
      db,
      `insert into notifications (account_id, id, kind, subject_id, latest_id)
      select id, $2, 'follow', id, $2 from unnest($1::uuid[]) id`,
      [ids, hoursAgo(5)],
    );
    await query(db, "vacuum analyze");
    const found = new Set<string>();
    let looks = 0;
    let after: Waiting | null = { latestId: from, accountId: lowestId };
    while (after) {
      const part: Waiting = after;
      const look = (there: Database) => dueRecipients(there, { after: part, to, among: 100 });
      for (const plan of looks < 3 ? (["generic", "custom"] as const) : []) {
        const [cost] = await costsOf(db, look, plan);
        // a hundred rows, their accounts and their settings, of which there are a few here
        expect(cost?.rowsRead, `look ${looks}`).toBeLessThanOrEqual(1000);
      }
      const { due, next } = await look(db);
      for (const { id } of due) found.add(id);
      after = next;
      looks += 1;
    }
    expect(looks).toBe(people.length / 100 + 1);
    expect(found).toEqual(new Set(ids));
  });

  test("is ended only by an address of this installation", async () => {
    const ada = await on.member("Ada");
    for (const token of ["", ada.id, `${ada.id}.`, `${ada.id}.${"a".repeat(43)}`, "x.y"]) {
      await expect(digest.stop(token), token).rejects.toMatchObject({ code: "not-found" });
    }
    expect(await on.notifications.settings(ada)).toMatchObject({ digest: true });
  });
});
