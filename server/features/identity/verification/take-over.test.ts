import { beforeAll, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { afterFile } from "#server/test/after-file.ts";
import { builtScreens, testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader } from "#server/test/identity.ts";
import { linkIn, openMailbox, type Received } from "#server/test/mailbox.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

// Somebody knows a member's password, asks for another address and tries to end up with the account:
// every request of both, as their browsers without scripts send it.

const password = "correct horse battery 9";
const newPassword = "a stamp for every letter";

let db: Database;
let on: Awaited<ReturnType<typeof testApp>>;
let received: Received[];
/** the owner, in a browser that is signed in */
let owner: Viewer;
let ownersBrowser: string;
/** the one who knows the password, in another browser */
let thiefsBrowser: string;
let thiefsAddress: string;
let members = 0;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const mailbox = await openMailbox();
  afterFile(mailbox.close);
  ({ received } = mailbox);
  const screens = await builtScreens();
  on = await testApp(db, {}, { smtpUrl: mailbox.url, screens });
});

/** Sends a form; the Cookie header is the browser's. */
async function post(path: string, fields: Record<string, string>, cookie = "") {
  const answer = await on.app.inject({
    method: "POST",
    url: path,
    payload: new URLSearchParams(fields).toString(),
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      ...(cookie ? { cookie } : {}),
    },
  });
  return { status: answer.statusCode, text: answer.body, answer };
}

async function look(path: string, cookie = "") {
  const headers = cookie ? { cookie } : {};
  const answer = await on.app.inject({ method: "GET", url: path, headers });
  return { status: answer.statusCode, text: answer.body };
}

async function signIn(email: string, typed: string): Promise<{ status: number; cookie: string }> {
  const { status, answer } = await post("/signIn", { email, password: typed });
  return { status, cookie: asCookieHeader([answer.headers["set-cookie"] ?? []].flat()) };
}

/** The path of the link in the newest email to this address with this subject, once it came. */
async function mailedPath(address: string, subject: string): Promise<string> {
  const { failed } = await on.features.jobs.runDue();
  expect(failed).toEqual([]);
  const found = received.findLast(
    (one) => one.envelope.to[0] === address && one.subject === subject,
  );
  return new URL(linkIn(found)).pathname;
}

async function addressOfOwner(): Promise<string> {
  const [row] = await query<{ email: string }>(
    db,
    "select email_as_typed as email from accounts where id = $1",
    [owner.id],
  );
  return row?.email ?? "";
}

/** An owner with a confirmed address, a thief who signed in with the password and asked to change it. */
async function begin(): Promise<{ confirm: string; keep: string }> {
  members += 1;
  thiefsAddress = `thief${members}@example.net`;
  owner = await on.features.member("Ada Lovelace");
  const welcome = await mailedPath(owner.email, "Confirm your email address");
  expect((await post(welcome, {})).status).toBe(200);
  ({ cookie: ownersBrowser } = await signIn(owner.email, password));
  ({ cookie: thiefsBrowser } = await signIn(owner.email, password));
  const change = { change: "email", email: thiefsAddress, password };
  expect((await post("/settings/email", change, thiefsBrowser)).status).toBe(200);
  return {
    confirm: await mailedPath(thiefsAddress, "Confirm your new email address"),
    keep: await mailedPath(owner.email, "Your email address is about to change"),
  };
}

test("an owner who changes the password has ended the change of address, and every link from before", async () => {
  const { confirm } = await begin();
  await post("/signIn/forgot", { email: owner.email });
  const reset = await mailedPath(owner.email, "Choose a new password");
  await post("/signIn/link", { email: owner.email });
  const signInLink = await mailedPath(owner.email, "Your link to sign in");

  const seen = await look("/settings/email", ownersBrowser);
  expect(seen.text, "its owner sees what waits").toContain(thiefsAddress);
  expect(seen.text).toContain("Cancel the change");
  const change = { change: "password", currentPassword: password, password: newPassword };
  const changed = await post("/settings/security", change, ownersBrowser);
  expect(changed.text).toContain("signed out everywhere else.");

  // the thief, signed out, continues anyway
  expect((await look("/settings/email", thiefsBrowser)).status).toBe(401);
  expect((await look(confirm)).status).toBe(410);
  for (const [path, fields] of [
    [confirm, {}],
    [confirm, { password }],
    [reset, { password: "the thief's own" }],
    [signInLink, {}],
  ] as const) {
    expect([path, (await post(path, fields)).status]).toEqual([path, 410]);
  }
  await post("/signIn/forgot", { email: thiefsAddress });
  await on.features.jobs.runDue();
  const emails = received.filter(({ envelope }) => envelope.to[0] === thiefsAddress);
  expect(emails.map(({ subject }) => subject)).toEqual(["Confirm your new email address"]);
  expect((await signIn(owner.email, password)).status).toBe(401);

  expect(await addressOfOwner()).toBe(owner.email);
  expect((await look("/settings/email", ownersBrowser)).text).not.toContain(thiefsAddress);
});

test("signing out everywhere ends it as well, and so does a new password by a mailed link", async () => {
  const first = await begin();
  await post("/settings/security", { change: "end-sessions" }, ownersBrowser);
  expect((await post(first.confirm, { password })).status).toBe(410);

  const second = await begin();
  await post("/signIn/forgot", { email: owner.email });
  const reset = await mailedPath(owner.email, "Choose a new password");
  expect((await post(reset, { password: newPassword })).status).toBe(200);
  expect((await post(second.confirm, { password: newPassword })).status).toBe(410);
  expect(await addressOfOwner()).toBe(owner.email);
});

test("its owner cancels it in Settings, or from the email without signing in", async () => {
  const first = await begin();
  const cancelled = await post("/settings/email", { change: "cancel" }, ownersBrowser);
  expect(cancelled.text).toContain("The change is cancelled.");
  expect(cancelled.text).not.toContain(thiefsAddress);
  expect((await post(first.confirm, { password }, thiefsBrowser)).status).toBe(410);
  expect((await look(first.keep)).text).toContain("nothing to cancel");

  const second = await begin();
  for (let prefetched = 0; prefetched < 2; prefetched += 1) {
    const page = await look(second.keep);
    expect(page.status).toBe(200);
    expect(page.text).toContain("Keep this address");
    expect(page.text, "the mailbox before does not learn the other address").not.toContain(
      thiefsAddress,
    );
  }
  expect((await look(second.confirm)).status, "looking cancelled nothing").toBe(200);
  expect((await post(second.keep, {})).text).toContain("Your email is unchanged");
  expect((await post(second.confirm, { password }, thiefsBrowser)).status).toBe(410);
  expect((await post(second.keep, {})).status, "once").toBe(410);
  expect(await addressOfOwner()).toBe(owner.email);
});

test("a mailbox alone confirms no change: that needs a session of the account, or its password", async () => {
  const { confirm } = await begin();
  for (let prefetched = 0; prefetched < 2; prefetched += 1) {
    expect((await look(confirm)).text).toContain('name="password"');
  }
  const stranger = await on.features.member("A Stranger");
  const strangersBrowser = (await signIn(stranger.email, password)).cookie;
  expect((await post(confirm, {})).status).toBe(400);
  expect((await post(confirm, { password: "a guess" })).status).toBe(403);
  expect((await post(confirm, { password: "a guess" }, strangersBrowser)).status).toBe(403);
  expect(await addressOfOwner()).toBe(owner.email);
  expect((await look(confirm, ownersBrowser)).text).not.toContain('name="password"');
  expect((await post(confirm, {}, ownersBrowser)).status).toBe(200);
  expect(await addressOfOwner()).toBe(thiefsAddress);
});

test("an owner whose account was taken over gets it back by the first email", async () => {
  const { confirm, keep } = await begin();
  expect((await post(confirm, {}, thiefsBrowser)).status).toBe(200);
  await post("/signIn/forgot", { email: thiefsAddress });
  const reset = await mailedPath(thiefsAddress, "Choose a new password");
  expect((await post(reset, { password: "the thief's own" })).status).toBe(200);
  expect((await look("/settings/email", ownersBrowser)).status).toBe(401);
  expect((await signIn(owner.email, password)).status).toBe(401);
  const thief = await signIn(thiefsAddress, "the thief's own");
  expect(thief.cookie).not.toBe("");

  // nor can an account with the address be made in the meantime
  const taken = on.features.identity.signUp.withPassword({
    email: owner.email,
    password,
    firstName: "",
    secondName: "",
    picture: await on.features.photo(),
    client: { ip: "192.0.2.1", userAgent: "a test", cookieHeader: "" },
  });
  await expect(taken).rejects.toMatchObject({ code: "email-in-use" });
  await post("/signIn/forgot", { email: thiefsAddress });
  const outstanding = await mailedPath(thiefsAddress, "Choose a new password");
  const again = { change: "email", email: `other.${thiefsAddress}`, password: "the thief's own" };
  await post("/settings/email", again, thief.cookie);
  const next = await mailedPath(`other.${thiefsAddress}`, "Confirm your new email address");
  const thiefsKeep = await mailedPath(thiefsAddress, "Your email address is about to change");

  const newest = await mailedPath(owner.email, "Your email address was changed");
  for (const path of [keep, newest]) {
    expect((await look(path)).text).toContain("Restore this address");
  }
  expect((await post(keep, {})).text).toContain("Your email is restored");
  expect(await addressOfOwner()).toBe(owner.email);

  expect((await look("/settings/email", thief.cookie)).status).toBe(401);
  for (const [path, fields] of [
    [outstanding, { password: newPassword }],
    [next, { password: "the thief's own" }],
    [thiefsKeep, {}],
    [newest, {}],
  ] as const) {
    expect([path, (await post(path, fields)).status]).toEqual([path, 410]);
  }
  expect((await signIn(thiefsAddress, "the thief's own")).status).toBe(401);
  await on.features.jobs.runDue();
  const notice = received.findLast(({ envelope }) => envelope.to[0] === thiefsAddress);
  expect(notice?.subject).toBe("Your email address was changed back");

  expect((await signIn(owner.email, "the thief's own")).status, "not for a moment").toBe(401);
  await post("/signIn/forgot", { email: owner.email });
  const own = await mailedPath(owner.email, "Choose a new password");
  expect((await post(own, { password: newPassword })).status).toBe(200);
  expect((await signIn(owner.email, newPassword)).cookie).not.toBe("");
});
