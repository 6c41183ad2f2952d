import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { describeIn } from "#server/features/talk/index.ts";
import type { Database } from "#server/platform/db/database.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type MadePost, type TestFeatures } from "#server/test/factories.ts";
import { asCookieHeader, client, goodPassword } from "#server/test/identity.ts";
import { emailsIn } from "#server/test/mailbox.ts";
import { query } from "#server/test/query.ts";
import { chatIdOf } from "#shared/chat.ts";
import type { CaseView, ReportTarget } from "#shared/reports.ts";
import type { Viewer } from "#shared/views.ts";

let db: Database;
let on: TestFeatures;
let moderator: Viewer;
let ada: Viewer;
let bob: Viewer;
let post: MadePost;

const spam = { reason: "spam", words: "" } as const;
const aPost = ({ author, number }: MadePost): ReportTarget => ({
  kind: "post",
  author: author.username,
  number,
});

/** With the role as the session look-up gives it. */
async function makeModerator(name: string): Promise<Viewer> {
  const viewer = await on.member(name);
  await on.administration.setRole(viewer.id, "moderator");
  return { ...viewer, moderator: true };
}

/** The one case that waits. */
async function onlyCase(): Promise<CaseView> {
  const { items } = await on.moderation.queue(moderator, null);
  expect(items).toHaveLength(1);
  return on.moderation.find(moderator, items[0]?.id ?? "");
}

const decide = async (verdict: Parameters<TestFeatures["moderation"]["decide"]>[2]) => {
  const { id } = await onlyCase();
  await on.moderation.decide(moderator, id, verdict);
  return id;
};

async function notificationsOf(viewer: Viewer): Promise<string[]> {
  const { items } = await on.notifications.list(viewer, "all", null);
  return items.map((view) => describeIn("en", view));
}

/** As if the days of a suspension were over. */
const letItEnd = () =>
  query(db, "update accounts set suspended_until = now() where id = $1", [ada.id]);

const signIn = ({ email }: Viewer) =>
  on.identity.signIn.withPassword({ email, password: goodPassword, client: client() });

beforeAll(async () => {
  ({ db } = await freshDatabase());
  on = testFeatures(db);
  moderator = await makeModerator("Mo Derator");
});

beforeEach(async () => {
  await query(db, "delete from moderation_cases");
  await query(db, "delete from notifications");
  [ada, bob] = [await on.member("Ada Reported"), await on.member("Bob Reporter")];
  post = await on.photoPost(ada, "Buy my coins", ["a coin"]);
});

describe("a report", () => {
  test("shows moderators what was reported as it was, whatever happens to it later", async () => {
    await on.reports.report(bob, aPost(post), { reason: "spam", words: "The third today" });
    await on.posts.edit(ada, ada.username, post.number, { version: 0, caption: "Nice weather" });
    await on.posts.remove(ada, ada.username, post.number);

    const found = await onlyCase();
    expect(found).toMatchObject({
      subject: "post",
      account: { id: ada.id },
      said: "Buy my coins",
      reasons: ["spam"],
      reports: 1,
      path: null,
      reportedBy: [{ account: { id: bob.id }, words: "The third today", said: null }],
    });
    expect(found.images).toMatchObject([{ alt: "a coin", width: 96, height: 64 }]);
    const bytes = await on.moderation.image(moderator, found.id, found.images[0]?.key ?? "");
    expect(bytes.subarray(8, 12).toString()).toBe("WEBP");
  });

  test("is of what its reporter may see, and shows moderators of a narrow post the copy alone", async () => {
    const eve = await on.member("Eve Else");
    await on.follows.follow(bob, ada.id);
    const narrow = await on.publish(ada, { caption: "Buy my shells", audience: "followers" });
    const comment = await on.comments.add(bob, narrow, "Never", null);
    const aComment = { ...aPost(narrow), kind: "comment", commentId: comment.id } as ReportTarget;
    for (const about of [aPost(narrow), aComment]) {
      const never = on.reports.report(eve, about, spam);
      await expect(never).rejects.toMatchObject({ code: "not-found" });
    }
    await on.reports.report(bob, aPost(narrow), spam);
    const found = await onlyCase();
    expect(found).toMatchObject({ said: "Buy my shells", path: null });
    expect(await on.moderation.find(null, found.id), "the command line").toMatchObject({
      path: `/post/${ada.username}/${narrow.number}`,
    });
    expect(await on.posts.get(moderator, ada.username, narrow.number)).toBeNull();
    await decide({ act: "take-down", reason: "Spam", days: null, takeDown: true });
    expect(await on.posts.get(ada, ada.username, narrow.number)).toBeNull();
  });

  test("is one line of the queue with those of others, each with its own text", async () => {
    const others = await on.members(2);
    await on.reports.report(bob, aPost(post), spam);
    await on.posts.edit(ada, ada.username, post.number, { version: 0, caption: "Worse" });
    for (const other of others) {
      await on.reports.report(other, aPost(post), { reason: "hate", words: "This is hate" });
    }
    const found = await onlyCase();
    expect(found).toMatchObject({ reports: 3, reasons: ["spam", "hate"], said: "Buy my coins" });
    expect(found.reportedBy.map(({ said }) => said)).toEqual(["Worse", "Worse", null]);
    expect(await notificationsOf(moderator), "once, until it is read").toEqual([
      "Members reported something",
    ]);
  });

  test("sent twice, or at once, is one report with its last text", async () => {
    await Promise.all([1, 2, 3, 4].map(() => on.reports.report(bob, aPost(post), spam)));
    await on.reports.report(bob, aPost(post), { reason: "privacy", words: "My own coins" });
    const found = await onlyCase();
    expect(found).toMatchObject({ reports: 1, reasons: ["spam", "privacy"] });
    expect(found.reportedBy).toMatchObject([{ reason: "privacy", words: "My own coins" }]);
  });

  test("is of accounts and comments, too", async () => {
    const { id: commentId } = await on.comments.add(ada, await on.textPost(bob), "Ugly", null);
    await on.reports.report(bob, { kind: "account", accountId: ada.id }, spam);
    await on.reports.report(
      bob,
      { kind: "comment", author: bob.username.toUpperCase(), number: 1, commentId },
      spam,
    );
    const { items } = await on.moderation.queue(moderator, null);
    expect(items).toMatchObject([
      { subject: "account", said: `Ada Reported\n@${ada.username}`, account: { id: ada.id } },
      { subject: "comment", said: "Ugly", account: { id: ada.id } },
    ]);
    const found = await on.moderation.find(moderator, items[1]?.id ?? "");
    expect(found.path).toBe(`/post/${bob.username}/1?comment=${commentId}#comment-${commentId}`);
  });

  test("about a message shows only that message, and only its receiver can make it", async () => {
    await on.follows.follow(ada, bob.id);
    await on.follows.follow(bob, ada.id);
    const send = (from: Viewer, body: string) =>
      on.chat.send(from, chatIdOf(ada, bob), { body, picture: null, clientKey: null });
    await send(bob, "A secret of ours");
    const { conversationId } = await send(ada, "You are a fool");
    await send(bob, "Leave me alone");
    const about: ReportTarget = { kind: "message", conversationId, seq: 2 };
    await expect(on.reports.report(moderator, about, spam)).rejects.toMatchObject({
      code: "not-found",
    });
    await expect(on.reports.report(ada, about, spam)).rejects.toMatchObject({
      code: "self-report",
    });
    await on.reports.report(bob, about, { reason: "harassment", words: "" });
    const found = await onlyCase();
    expect(found).toMatchObject({ subject: "message", said: "You are a fool", path: null });
    const shown = JSON.stringify(found);
    for (const other of ["A secret of ours", "Leave me alone", conversationId]) {
      expect(shown).not.toContain(other);
    }
    await decide({ act: "take-down", reason: "Be kind" });
    const { messages } = await on.chat.conversation(bob, chatIdOf(ada, bob));
    expect(messages.items.map(({ body }) => body)).toEqual([
      "Leave me alone",
      "",
      "A secret of ours",
    ]);
  });

  test("shows the photo of a message only to moderators", async () => {
    await on.follows.follow(ada, bob.id);
    await on.follows.follow(bob, ada.id);
    const picture = await on.photo();
    const sending = { body: "", picture, clientKey: null };
    const { conversationId, seq } = await on.chat.send(ada, chatIdOf(ada, bob), sending);
    await on.reports.report(bob, { kind: "message", conversationId, seq }, spam);
    const { id, images } = await onlyCase();
    const key = images[0]?.key ?? "";
    expect((await on.moderation.image(moderator, id, key)).length).toBeGreaterThan(50);
    await expect(on.moderation.image(bob, id, key)).rejects.toMatchObject({
      code: "moderators-only",
    });
  });

  test("is possible where one blocked the other, and answers nothing of them", async () => {
    await on.blocks.block(ada, bob.id);
    expect(await on.reports.report(bob, aPost(post), spam)).toEqual({ id: expect.any(String) });
    await on.reports.report(bob, { kind: "account", username: `@${ada.username}` }, spam);
    const own = await on.reports.list(bob, null);
    expect(JSON.stringify(own)).not.toContain(ada.id);
    expect(JSON.stringify(own)).not.toContain(ada.username);
    expect((await on.moderation.queue(moderator, null)).items).toHaveLength(2);
  });

  test.each([
    ["of nothing that is there", { kind: "post", author: "nobody_at_all", number: 1 }, "not-found"],
    ["of a number that is none", { kind: "post", author: "ada", number: -1 }, "not-found"],
    ["of an account that nobody has", { kind: "account", username: "nobody" }, "not-found"],
    ["of no account", { kind: "account" }, "not-found"],
    ["of no kind", { kind: "town" }, "not-found"],
    ["of nothing", null, "not-found"],
  ])("%s is refused", async (_name, about, code) => {
    await expect(on.reports.report(bob, about, spam)).rejects.toMatchObject({ code });
  });

  test("of oneself is refused, and so are an unknown reason and too long a text", async () => {
    const refusals: [Viewer, { reason: string; words: string }, object][] = [
      [ada, spam, { code: "self-report" }],
      [bob, { reason: "taste", words: "" }, { fields: { reason: "Please choose a reason." } }],
      [bob, { reason: "other", words: " " }, { fields: { words: "Please say what's wrong." } }],
      [bob, { reason: "spam", words: "x".repeat(1001) }, { code: "input-invalid" }],
      [bob, { reason: "spam", words: "e\u0301\u0327".repeat(6000) }, { code: "input-invalid" }],
    ];
    for (const [who, input, refusal] of refusals) {
      await expect(on.reports.report(who, aPost(post), input as typeof spam)).rejects.toMatchObject(
        refusal,
      );
    }
    expect((await on.moderation.queue(moderator, null)).items).toEqual([]);
  });

  test("is deleted with its reporter's account, and the case stays", async () => {
    await on.reports.report(bob, aPost(post), { reason: "hate", words: "From Bob" });
    await on.deletion.requestFor(bob.id, 0);
    await on.deletion.deleteDue();
    expect(await onlyCase()).toMatchObject({ reports: 1, reasons: ["hate"], reportedBy: [] });
  });

  test("is counted within an hour", async () => {
    const limited = testFeatures(db, { rateLimits: true });
    for (let number = 1; number <= 10; number += 1) {
      await limited.reports.report(bob, aPost(post), spam);
    }
    await expect(limited.reports.report(bob, aPost(post), spam)).rejects.toMatchObject({
      code: "too-many-writes",
      message: expect.stringContaining("You've reported a lot"),
    });
  });
});

describe("moderators", () => {
  test("see nothing that is about themselves, and decide nothing of it", async () => {
    const other = await makeModerator("Other Moderator");
    const theirs = await on.textPost(other, "By a moderator");
    await on.reports.report(bob, aPost(theirs), spam);
    const { id } = await onlyCase();
    expect((await on.moderation.queue(other, null)).items).toEqual([]);
    await expect(on.moderation.find(other, id)).rejects.toMatchObject({ code: "not-found" });
    await expect(
      on.moderation.decide(other, id, { act: "dismiss", reason: "Me" }),
    ).rejects.toMatchObject({ code: "not-found" });
    expect(await notificationsOf(other)).toEqual([]);
    expect(await notificationsOf(moderator)).toEqual(["Members reported something"]);
  });

  test("are those who have the role now", async () => {
    await on.reports.report(bob, aPost(post), spam);
    const { id } = await onlyCase();
    const reads = [
      () => on.moderation.queue(bob, null),
      () => on.moderation.find(bob, id),
      () => on.moderation.decide(bob, id, { act: "dismiss", reason: "Me" }),
      () => on.moderation.log(bob, null),
    ];
    for (const read of reads) {
      await expect(read()).rejects.toMatchObject({ code: "moderators-only" });
    }
    const { cookies } = await on.identity.signIn.complete(moderator.id, client(), "link");
    const viewer = await on.identity.sessions.viewerOf({ cookie: asCookieHeader(cookies) });
    expect(viewer?.moderator).toBe(true);
    await on.administration.setRole(moderator.id, "member");
    const after = await on.identity.sessions.viewerOf({ cookie: asCookieHeader(cookies) });
    expect(after?.moderator).toBe(false);
    await on.administration.setRole(moderator.id, "moderator");
  });

  test("decide once, the faster one", async () => {
    await on.reports.report(bob, aPost(post), spam);
    const { id } = await onlyCase();
    const outcomes = await Promise.allSettled(
      ["warn", "dismiss", "warn"].map((act) =>
        on.moderation.decide(moderator, id, { act: act as "warn", reason: "So it is" }),
      ),
    );
    const refused = outcomes.filter(({ status }) => status === "rejected");
    expect(refused).toHaveLength(2);
    expect(refused[0]).toMatchObject({ reason: { code: "case-decided" } });
  });

  test("give a reason, and take down no account", async () => {
    await on.reports.report(bob, { kind: "account", accountId: ada.id }, spam);
    const { id } = await onlyCase();
    for (const verdict of [
      { act: "warn", reason: " " },
      { act: "take-down", reason: "Gone" },
      { act: "suspend", reason: "Too long", days: 366 },
      { act: "suspend", reason: "Too short", days: 0 },
      { act: "erase", reason: "What" },
    ]) {
      await expect(
        on.moderation.decide(moderator, id, verdict as { act: "warn"; reason: string }),
      ).rejects.toMatchObject({ code: "input-invalid" });
    }
    expect(await onlyCase()).toMatchObject({ state: "reported", verdict: null });
  });

  test("see the history of both sides", async () => {
    await on.reports.report(bob, aPost(post), spam);
    await decide({ act: "warn", reason: "No adverts" });
    await on.reports.report(bob, { kind: "account", accountId: ada.id }, spam);
    await decide({ act: "dismiss", reason: "Nothing to see" });
    await on.reports.report(bob, aPost(post), spam);
    const found = await onlyCase();
    expect(found.earlier).toMatchObject([
      { subject: "account", act: "dismiss" },
      { subject: "post", act: "warn" },
    ]);
    expect(found.reportedBy[0]?.history).toEqual({
      reports: 3,
      acted: 1,
      dismissed: 1,
      verdicts: 0,
    });
  });
});

describe("a verdict", () => {
  test("of a dismissal is shown to the reporter, with its reason, and to nobody else", async () => {
    await on.reports.report(bob, aPost(post), spam);
    await decide({ act: "dismiss", reason: "It's a joke among friends" });
    expect((await on.reports.list(bob, null)).items).toMatchObject([
      { outcome: "dismissed", answer: "It's a joke among friends" },
    ]);
    expect((await on.moderation.verdicts(ada, null)).items).toEqual([]);
    expect(await notificationsOf(ada)).toEqual([]);
    expect(await on.posts.get(bob, ada.username, post.number)).not.toBeNull();
  });

  test("takes a post down, and shows its author why and not who reported it", async () => {
    await on.reports.report(bob, aPost(post), { reason: "spam", words: "From Bob" });
    await decide({ act: "take-down", reason: "No adverts here" });
    expect(await on.posts.get(ada, ada.username, post.number)).toBeNull();
    expect(await notificationsOf(ada)).toEqual(["The moderators made a decision about you"]);
    const { items } = await on.moderation.verdicts(ada, null);
    expect(items).toMatchObject([
      { act: "take-down", takenDown: true, reason: "No adverts here", said: "Buy my coins" },
    ]);
    const shown = JSON.stringify([items, await on.notifications.list(ada, "all", null)]);
    for (const who of [bob, moderator]) {
      for (const text of [who.id, who.username, who.name]) expect(shown).not.toContain(text);
    }
    expect(shown).not.toContain("From Bob");
    expect((await on.reports.list(bob, null)).items).toMatchObject([
      { outcome: "acted", answer: "" },
    ]);
  });

  test("takes a comment down with its replies, also under a post that blocks hide", async () => {
    const under = await on.textPost(bob);
    const { id: commentId } = await on.comments.add(ada, under, "Ugly", null);
    await on.comments.add(bob, under, "Why?", null, commentId);
    await on.reports.report(
      bob,
      { kind: "comment", author: bob.username, number: under.number, commentId },
      spam,
    );
    await on.blocks.block(bob, moderator.id);
    await decide({ act: "take-down", reason: "Be kind" });
    expect(await on.posts.get(bob, bob.username, under.number)).toMatchObject({ commentCount: 0 });
  });

  test("of something that is deleted already is a verdict all the same", async () => {
    await on.reports.report(bob, aPost(post), spam);
    await on.posts.remove(ada, ada.username, post.number);
    await decide({ act: "take-down", reason: "No adverts here" });
    expect((await on.moderation.verdicts(ada, null)).items).toHaveLength(1);
  });

  test("is answered once, decided once more, and lifted where it was wrong", async () => {
    await on.reports.report(bob, aPost(post), spam);
    const id = await decide({ act: "warn", reason: "No adverts" });
    const [verdict] = (await on.moderation.verdicts(ada, null)).items;
    expect(verdict).toMatchObject({ mayAnswer: true, answer: null, outcome: null });
    const answers = await Promise.allSettled(
      [1, 2].map(() =>
        on.moderation.answer(ada.id, verdict?.id ?? "", { words: "They are chocolate" }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    await expect(
      on.moderation.answer(bob.id, verdict?.id ?? "", { words: "Not mine" }),
    ).rejects.toMatchObject({ code: "not-found" });

    const found = await onlyCase();
    expect(found).toMatchObject({
      id,
      state: "answered",
      verdict: { act: "warn", answer: "They are chocolate", moderator: { id: moderator.id } },
    });
    await expect(
      on.moderation.decide(moderator, id, { act: "dismiss", reason: "No" }),
    ).rejects.toMatchObject({ code: "case-decided" });
    await on.moderation.decide(moderator, id, { act: "lift", reason: "You're right, sorry" });
    expect((await on.moderation.verdicts(ada, null)).items).toMatchObject([
      { mayAnswer: false, outcome: { kept: false, reason: "You're right, sorry" } },
    ]);
    expect((await on.moderation.queue(moderator, null)).items).toEqual([]);
    await expect(
      on.moderation.answer(ada.id, verdict?.id ?? "", { words: "Again" }),
    ).rejects.toMatchObject({ code: "already-answered" });
  });

  test("cannot be answered after a long time", async () => {
    await on.reports.report(bob, aPost(post), spam);
    await decide({ act: "warn", reason: "No adverts" });
    const [verdict] = (await on.moderation.verdicts(ada, null)).items;
    const old = "01890000-0000-7000-8000-000000000001";
    await query(db, "update verdicts set id = $1 where id = $2", [old, verdict?.id]);
    expect((await on.moderation.verdicts(ada, null)).items).toMatchObject([{ mayAnswer: false }]);
    await expect(on.moderation.answer(ada.id, old, { words: "Late" })).rejects.toMatchObject({
      code: "answer-too-late",
    });
  });
});

describe("a suspension", () => {
  test("signs out, says why and until when to those with the password, and takes the answer", async () => {
    const { cookies: before } = await on.identity.signIn.complete(ada.id, client(), "link");
    await on.reports.report(bob, aPost(post), spam);
    await decide({ act: "suspend", reason: "Think about it", days: 7, takeDown: true });
    expect(await on.identity.sessions.viewerOf({ cookie: asCookieHeader(before) })).toBeNull();
    expect(await on.posts.get(bob, ada.username, post.number)).toBeNull();

    const entered = await signIn(ada);
    expect(entered).toMatchObject({ viewer: null, suspended: true });
    const cookie = asCookieHeader(entered.cookies);
    const suspended = await on.identity.suspension.suspendedOf({ cookie });
    expect(suspended).toMatchObject({ accountId: ada.id, name: "Ada Reported" });
    expect((suspended?.until ?? 0) - Date.now()).toBeGreaterThan(7 * 86_400_000 - 60_000);
    expect(
      await on.identity.suspension.suspendedOf({
        cookie: cookie.replace(ada.id, bob.id),
      }),
    ).toBeNull();

    const why = await on.moderation.suspensionOf(ada.id);
    expect(why).toMatchObject({ act: "suspend", takenDown: true, reason: "Think about it" });
    await on.moderation.answer(ada.id, why?.id ?? "", { words: "I did" });
    await decide({ act: "lift", reason: "Welcome back" });
    expect((await signIn(ada)).viewer).toMatchObject({ id: ada.id });
    expect(await notificationsOf(ada)).toEqual(["The moderators made a decision about you"]);
  });

  test("is announced by one email, to a verified address only, while it holds", async () => {
    const emails = async () => {
      await on.jobs.runDue();
      return (await emailsIn(on.files))
        .filter(({ to }) => to?.some(({ address }) => address === ada.email))
        .filter(({ subject }) => subject === "Your account is suspended");
    };
    const why = { reason: "Adverts,\nagain <b>", days: 7 };
    await on.moderation.suspendAccount(null, ada.id, why);
    expect(await emails()).toEqual([]);
    await on.administration.restore(ada.id);

    await query(db, "update accounts set email_verified = true where id = $1", [ada.id]);
    await on.moderation.suspendAccount(null, ada.id, why);
    await on.administration.restore(ada.id);
    expect(await emails(), "lifted before it was sent").toEqual([]);

    await on.moderation.suspendAccount(null, ada.id, why);
    const until = await on.moderation.suspendAccount(null, ada.id, { ...why, reason: "Once more" });
    const [first, ...more] = await emails();
    expect(more).toEqual([]);
    expect(first?.text).toContain("The reason given: “Once more”");
    expect(first?.text).toContain(`It comes back by itself on ${until?.getUTCDate()} `);
    expect(first?.html).not.toContain("<b>");
    await on.moderation.suspendAccount(null, ada.id, why);
    expect(await emails(), "as long as before").toHaveLength(1);
    await on.moderation.suspendAccount(null, ada.id, { ...why, days: null });
    expect((await emails()).map(({ text }) => text?.includes("No end is set.")).sort()).toEqual([
      false,
      true,
    ]);
  });

  test("ends by itself: by the job, or by signing in", async () => {
    for (const end of [() => on.jobs.runDue(), () => on.identity.sweep(), async () => {}]) {
      await on.identity.suspension.suspend(ada.id, new Date(Date.now() + 60_000));
      expect((await signIn(ada)).viewer).toBeNull();
      await letItEnd();
      await query(db, "update pgboss.job set start_after = now() where name = 'end-suspensions'");
      await end();
      expect((await signIn(ada)).viewer).toMatchObject({ id: ada.id });
    }
  });

  test("by an operator at the command line shows no reason, nor that of an earlier one", async () => {
    await on.reports.report(bob, aPost(post), spam);
    await decide({ act: "suspend", reason: "A day", days: 1 });
    await query(db, "update verdicts set until = now() where account_id = $1", [ada.id]);
    await letItEnd();
    expect((await signIn(ada)).viewer).toMatchObject({ id: ada.id });
    await on.administration.suspend(ada.id);
    expect(await signIn(ada)).toMatchObject({ suspended: true });
    expect(await on.moderation.suspensionOf(ada.id)).toBeNull();
  });

  test("without an end stays, also after a shorter one, until it is lifted", async () => {
    await on.reports.report(bob, aPost(post), spam);
    await decide({ act: "suspend", reason: "For good" });
    const [first] = (await on.moderation.verdicts(ada, null)).items;
    await on.identity.suspension.suspend(ada.id, new Date(Date.now() + 1000));
    await letItEnd();
    await query(db, "update accounts set suspended_until = null where id = $1", [ada.id]);
    await on.identity.suspension.endDue();
    expect((await signIn(ada)).viewer).toBeNull();
    await on.moderation.answer(ada.id, first?.id ?? "", { words: "Please" });
    await decide({ act: "keep", reason: "No" });
    expect((await signIn(ada)).viewer).toBeNull();
  });

  test("that is lifted leaves another one that runs", async () => {
    await on.reports.report(bob, { kind: "account", accountId: ada.id }, spam);
    await decide({ act: "suspend", reason: "A month", days: 30 });
    await query(
      db,
      `insert into moderation_cases (account_id, id, subject, subject_id, waits_id, state, closed_at)
       select account_id, gen_random_uuid(), 'account', account_id, gen_random_uuid(), 'closed', now()
       from moderation_cases where account_id = $1`,
      [ada.id],
    );
    await query(
      db,
      `insert into verdicts (account_id, id, case_id, act, taken_down, reason, until)
       select account_id, gen_random_uuid(), id, 'suspend', false, 'A day', now() + interval '1 day'
       from moderation_cases c where account_id = $1
         and not exists (select from verdicts v where v.case_id = c.id)`,
      [ada.id],
    );
    const month = (await on.moderation.verdicts(ada, null)).items.find(
      ({ reason }) => reason === "A month",
    );
    await on.moderation.answer(ada.id, month?.id ?? "", { words: "Too long" });
    await decide({ act: "lift", reason: "True" });
    const cookie = asCookieHeader((await signIn(ada)).cookies);
    const until = (await on.identity.suspension.suspendedOf({ cookie }))?.until ?? 0;
    expect(until - Date.now()).toBeLessThan(86_400_000 + 60_000);
  });
});

describe("what is stored", () => {
  test("of a closed case is emptied after its days, and its history stays", async () => {
    await on.reports.report(bob, aPost(post), spam);
    const id = await decide({ act: "warn", reason: "No adverts" });
    await on.moderation.sweep();
    expect(await on.moderation.find(moderator, id)).toMatchObject({ said: "Buy my coins" });
    await query(db, "update moderation_cases set closed_at = now() - interval '91 days'");
    await on.moderation.sweep();
    expect(await on.moderation.find(moderator, id)).toMatchObject({
      said: "",
      images: [],
      pictures: 0,
      verdict: { reason: "No adverts" },
    });
  });

  test("in the log can be changed by nobody, and names no deleted account", async () => {
    await on.reports.report(bob, aPost(post), spam);
    await decide({ act: "suspend", reason: "Secret words", days: 1 });
    const [entry] = (await on.moderation.log(moderator, null)).items;
    expect(entry).toMatchObject({
      act: "suspend",
      actor: { id: moderator.id },
      account: { id: ada.id },
      subject: "post",
      subjectId: post.postId,
    });
    for (const change of [
      "update moderation_log set act = 'warn'",
      "delete from moderation_log",
      "truncate moderation_log",
      "delete from moderation_log where false",
    ]) {
      await expect(query(db, change), change).rejects.toThrow("only ever added to");
    }
    await on.deletion.requestFor(ada.id, 0);
    await on.deletion.deleteDue();
    const [after] = (await on.moderation.log(moderator, null)).items;
    expect(after).toMatchObject({ id: entry?.id, accountId: ada.id, account: null, caseId: null });
    const rows = await query(db, "select * from moderation_log");
    expect(JSON.stringify(rows)).not.toContain("Secret words");
  });
});
