import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { newId } from "#server/platform/db/ids.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { emailsIn, linkIn, openMailbox, type Received } from "#server/test/mailbox.ts";
import { asCookieHeader } from "#server/test/identity.ts";
import { query } from "#server/test/query.ts";
import { appCode } from "#server/test/authenticator-app.ts";
import type { Viewer } from "#shared/views.ts";
import { afterFile } from "#server/test/after-file.ts";

let db: Database;
let town: TestFeatures;
let received: Received[];

const client: ClientInfo = { ip: "192.0.2.9", userAgent: "a browser", cookieHeader: "" };
const password = "correct horse battery 9";
const newPassword = "a stamp for every letter";

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const mailbox = await openMailbox();
  afterFile(mailbox.close);
  ({ received } = mailbox);
  town = testFeatures(db, { smtpUrl: mailbox.url });
});

/** Runs the waiting jobs and answers the emails they sent. */
async function delivered(): Promise<Received[]> {
  const before = received.length;
  const { failed } = await town.jobs.runDue();
  expect(failed).toEqual([]);
  return received.slice(before);
}

/** The only email to this address among those sent, and the token of its link. */
async function emailTo(address: string) {
  const emails = (await delivered()).filter(({ envelope }) => envelope.to[0] === address);
  expect(emails).toHaveLength(1);
  const [message] = emails as [Received];
  const link = linkIn(message);
  return { message, link, token: link.slice(link.lastIndexOf("/") + 1) };
}

/** The suspension that the browser may read after a sign-in. */
const reasonFor = ({ cookies }: { cookies: string[] }) =>
  town.identity.suspension.suspendedOf({ cookie: asCookieHeader(cookies) });

/** The emails that its owner got, and nobody else. */
async function emailsTo(ada: Viewer, change: () => Promise<unknown>): Promise<Received[]> {
  await change();
  const emails = await delivered();
  for (const { envelope } of emails) expect(envelope.to).toEqual([ada.email]);
  return emails;
}

async function newcomer(name?: string): Promise<Viewer> {
  const viewer = await town.member(name);
  return viewer;
}

async function confirmedMember(name?: string): Promise<Viewer> {
  const viewer = await newcomer(name);
  const { token } = await emailTo(viewer.email);
  await town.verification.confirmEmail(token);
  return { ...viewer, emailVerified: true };
}

async function accountOf({ id }: { id: string }) {
  const [row] = await query<{ email: string; email_as_typed: string; email_verified: boolean }>(
    db,
    "select email, email_as_typed, email_verified from accounts where id = $1",
    [id],
  );
  return row;
}

async function sessionsOf({ id }: { id: string }): Promise<number> {
  return (await query(db, "select from sessions where account_id = $1", [id])).length;
}

async function signsIn(email: string, with_: string): Promise<boolean> {
  const entered = town.identity.signIn.withPassword({ email, password: with_, client });
  return entered.then(
    () => true,
    () => false,
  );
}

async function age(minutes: number): Promise<void> {
  await query(db, `update mailed_links set expires_at = expires_at - interval '${minutes} min'`);
}

async function withProvider(viewer: Viewer): Promise<void> {
  await query(
    db,
    `insert into credentials (id, account_id, provider_id, subject) values ($1, $2, 'github', $3)`,
    [newId(), viewer.id, viewer.username],
  );
}

async function withPasskey(viewer: Viewer): Promise<string> {
  const [{ id } = { id: "" }] = await query<{ id: string }>(
    db,
    `insert into passkeys
      (id, account_id, name, credential_id, public_key, counter, device_type, backed_up)
     values ($1::uuid, $2, 'A phone', $1::uuid::text, 'x', 0, 'singleDevice', false) returning id`,
    [newId(), viewer.id],
  );
  return id;
}

const signInMethods = async ({ id }: Viewer) =>
  (
    await query<{ provider_id: string }>(
      db,
      "select provider_id from credentials where account_id = $1",
      [id],
    )
  ).map(({ provider_id }) => provider_id);

const fresh = () => `New.Address+${Math.random().toString(36).slice(2)}@example.org`;

const used = { code: "link-used", status: 410 };

describe("after a sign-up", () => {
  test("an email asks to confirm the address, and its link does it once", async () => {
    const ada = await newcomer("Visit evil.example now");
    expect(ada.emailVerified).toBe(false);
    const { message, link, token } = await emailTo(ada.email);
    expect(message.subject).toBe("Confirm your email address");
    expect(link).toMatch(/^http:\/\/localhost:3000\/verify\/[A-Za-z0-9]{32}$/);
    expect(message.text, "no stranger's words in an email to an unverified mailbox").not.toContain(
      "evil.example",
    );
    const { username, email } = ada;
    for (let look = 0; look < 2; look += 1) {
      expect(await town.verification.confirmationOf(token)).toEqual({
        email,
        username,
        asks: "nothing",
      });
    }
    expect((await accountOf(ada))?.email_verified).toBe(false);
    expect(await town.verification.confirmEmail(token)).toMatchObject({ email, username });
    expect((await accountOf(ada))?.email_verified).toBe(true);
    expect(await town.verification.confirmationOf(token)).toBeNull();
    await expect(town.verification.confirmEmail(token)).rejects.toMatchObject(used);
  });

  test("the email is sent again on request, and not once it is confirmed", async () => {
    const ada = await newcomer();
    await delivered();
    await town.verification.resend(ada, client);
    const { token } = await emailTo(ada.email);
    await town.verification.resend(ada, client);
    await town.verification.confirmEmail(token);
    expect(await delivered(), "confirmed before the email was written").toEqual([]);
    await town.verification.resend({ ...ada, emailVerified: true }, client);
    expect(await delivered()).toEqual([]);
  });

  test("a link is valid for a day", async () => {
    const ada = await newcomer();
    const { token } = await emailTo(ada.email);
    await age(24 * 60 - 1);
    expect(await town.verification.confirmationOf(token)).not.toBeNull();
    await age(2);
    expect(await town.verification.confirmationOf(token)).toBeNull();
    await expect(town.verification.confirmEmail(token)).rejects.toMatchObject(used);
  });
});

describe("a forgotten password", () => {
  test("is replaced by a mailed link: once, and every session ends", async () => {
    const ada = await confirmedMember("Ada Lovelace");
    await town.identity.signIn.complete(ada.id, client, "link");
    await town.verification.requestReset({ email: ada.email.toUpperCase(), client });
    const { message, link, token } = await emailTo(ada.email);
    expect(message.subject).toBe("Choose a new password");
    expect(message.to?.[0]?.name).toBe("Ada Lovelace");
    expect(link).toMatch(/^http:\/\/localhost:3000\/signIn\/reset\/[A-Za-z0-9]{32}$/);
    await town.verification.requestReset({ email: ada.email, client });
    const other = await emailTo(ada.email);

    expect(await sessionsOf(ada)).toBe(2);
    await town.verification.resetPassword({ token, password: newPassword });
    expect(await sessionsOf(ada)).toBe(0);
    expect(await signsIn(ada.email, password)).toBe(false);
    expect(await signsIn(ada.email, newPassword)).toBe(true);
    for (const again of [token, other.token]) {
      expect(await town.verification.resetLinkOf(again)).toBeNull();
      await expect(
        town.verification.resetPassword({ token: again, password: "yet another one" }),
      ).rejects.toMatchObject(used);
    }
    expect((await delivered()).map(({ subject }) => subject)).toEqual([
      "Your password was changed",
    ]);
  });

  test("a link is valid for 30 minutes", async () => {
    const ada = await confirmedMember();
    await town.verification.requestReset({ email: ada.email, client });
    const { token } = await emailTo(ada.email);
    await age(29);
    expect(await town.verification.resetLinkOf(token)).not.toBeNull();
    await age(2);
    await expect(
      town.verification.resetPassword({ token, password: newPassword }),
    ).rejects.toMatchObject(used);
    expect(await signsIn(ada.email, password)).toBe(true);
  });

  test("of many who follow one link at once, one gets through", async () => {
    const ada = await confirmedMember();
    await town.verification.requestReset({ email: ada.email, client });
    const { token } = await emailTo(ada.email);
    const tries = await Promise.allSettled(
      Array.from({ length: 8 }, (_, number) =>
        town.verification.resetPassword({ token, password: `${newPassword} ${number}` }),
      ),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    await delivered();
  });

  test("an unacceptable password gets a message, and the link stays valid", async () => {
    const ada = await confirmedMember();
    await town.verification.requestReset({ email: ada.email, client });
    const { token } = await emailTo(ada.email);
    const wrong = {
      "": "required*",
      short: "Use at least 8",
      password123: "too common",
      postcard1: "too common",
      aaaaaaaa: "repeats itself",
      [ada.email]: "Your name and email",
    };
    for (const [password, sentence] of Object.entries(wrong)) {
      await expect(town.verification.resetPassword({ token, password })).rejects.toMatchObject({
        code: "input-invalid",
        fields: { password: expect.stringContaining(sentence) },
      });
    }
    await town.verification.resetPassword({ token, password: newPassword });
    await delivered();
  });

  test("no link is in the database in a form that could be followed", async () => {
    const ada = await confirmedMember();
    await town.verification.requestReset({ email: ada.email, client });
    const { token } = await emailTo(ada.email);
    const tables = await query<{ rows: string }>(
      db,
      `select (select json_agg(v)::text from mailed_links v) as rows
       union all select (select json_agg(j)::text from pgboss.job j)`,
    );
    for (const { rows } of tables) expect(rows).not.toContain(token);
  });

  test.each(["nobody@example.org", "not a link", "x".repeat(32), "a/b", ""])(
    "a link that was never made opens nothing: %s",
    async (token) => {
      expect(await town.verification.resetLinkOf(token)).toBeNull();
      expect(await town.verification.signInLinkOf(token)).toBeNull();
      expect(await town.verification.confirmationOf(token)).toBeNull();
      const password = newPassword;
      await expect(town.verification.resetPassword({ token, password })).rejects.toMatchObject(
        used,
      );
      await expect(town.verification.signInByLink({ token, client })).rejects.toMatchObject(used);
      await expect(town.verification.confirmEmail(token)).rejects.toMatchObject(used);
    },
  );

  test("a link is for what it was made for, and nothing else", async () => {
    const ada = await confirmedMember();
    await town.verification.requestReset({ email: ada.email, client });
    const { token } = await emailTo(ada.email);
    await expect(town.verification.signInByLink({ token, client })).rejects.toMatchObject(used);
    await expect(town.verification.confirmEmail(token)).rejects.toMatchObject(used);
    expect(await town.verification.resetLinkOf(token)).not.toBeNull();
  });
});

describe("an account whose address was never confirmed", () => {
  test("goes to the owner of the mailbox: every other sign-in method and every session ends", async () => {
    const squatter = await newcomer();
    await delivered();
    await withProvider(squatter);
    await query(
      db,
      "insert into two_factors (account_id, secret, confirmed_at) values ($1, 'x', now())",
      [squatter.id],
    );
    await town.verification.requestReset({ email: squatter.email, client });
    const { message, token } = await emailTo(squatter.email);
    expect(message.text).toContain("removes every other way to sign in");
    await town.verification.resetPassword({ token, password: newPassword });
    expect(await signInMethods(squatter)).toEqual(["credential"]);
    const factors = "select from two_factors where account_id = $1";
    expect(await query(db, factors, [squatter.id]), "nor a second factor").toEqual([]);
    expect(await sessionsOf(squatter)).toBe(0);
    expect((await accountOf(squatter))?.email_verified).toBe(true);
    await delivered();
  });

  test("keeps its sign-in methods when the address was confirmed before", async () => {
    const ada = await confirmedMember();
    await withProvider(ada);
    await town.verification.requestReset({ email: ada.email, client });
    const { token } = await emailTo(ada.email);
    await town.verification.resetPassword({ token, password: newPassword });
    expect((await signInMethods(ada)).sort()).toEqual(["credential", "github"]);
    await delivered();
  });

  test("is not signed in to by a mailed link: a new password comes first", async () => {
    const squatter = await newcomer();
    await delivered();
    await town.verification.requestSignInLink({ email: squatter.email, client });
    const { message, link } = await emailTo(squatter.email);
    expect(link).toContain("/signIn/reset/");
    expect(message.text).toContain("never confirmed");
  });
});

describe("an address confirmed by somebody who may not have made the account", () => {
  test("comes with what was set before, and a link that ends all of it", async () => {
    const squatter = await newcomer();
    await withPasskey(squatter);
    await withProvider(squatter);
    const { token } = await emailTo(squatter.email);
    const { takeOver } = await town.verification.confirmEmail(token);
    expect(takeOver).toMatchObject({ password: true, passkeys: 1, providers: [] });
    expect(await sessionsOf(squatter), "confirming alone ends nothing").toBe(1);

    const reset = takeOver?.path.replace("/signIn/reset/", "") ?? "";
    await town.verification.resetPassword({ token: reset, password: newPassword });
    expect(await signInMethods(squatter)).toEqual(["credential"]);
    const passkeys = "select from passkeys where account_id = $1";
    expect(await query(db, passkeys, [squatter.id])).toEqual([]);
    expect(await sessionsOf(squatter)).toBe(0);
    expect(await signsIn(squatter.email, password)).toBe(false);
    expect(await signsIn(squatter.email, newPassword)).toBe(true);
    await delivered();
  });

  test("comes with nothing to end for the account's own member", async () => {
    const ada = await newcomer();
    const { token } = await emailTo(ada.email);
    expect(
      (await town.verification.confirmEmail(token, { viewer: ada, password: "" })).takeOver,
    ).toBeNull();
  });
});

describe("a link to sign in", () => {
  test("begins a session, once, within a quarter of an hour", async () => {
    const ada = await confirmedMember();
    await town.verification.requestSignInLink({ email: ada.email, client });
    const { link, token } = await emailTo(ada.email);
    expect(link).toMatch(/^http:\/\/localhost:3000\/signIn\/link\/[A-Za-z0-9]{32}$/);
    expect(await town.verification.signInLinkOf(token)).toEqual({ username: ada.username });
    const { entered, returnTo } = await town.verification.signInByLink({ token, client });
    expect(entered.viewer?.id).toBe(ada.id);
    expect(entered.cookies).toHaveLength(2);
    expect(returnTo).toBe("/");
    await expect(town.verification.signInByLink({ token, client })).rejects.toMatchObject(used);

    await town.verification.requestSignInLink({ email: ada.email, client });
    const second = await emailTo(ada.email);
    await age(16);
    const late = town.verification.signInByLink({ token: second.token, client });
    await expect(late).rejects.toMatchObject(used);
  });

  test.each([
    ["/saved?tab=2", "/saved?tab=2"],
    [`/${"x".repeat(600)}`, "/"],
  ])("leads on to where its reader was going", async (returnTo, to) => {
    const ada = await confirmedMember();
    await town.verification.requestSignInLink({ email: ada.email, client, returnTo });
    const { token, link } = await emailTo(ada.email);
    expect(link).not.toContain("saved");
    expect(await town.verification.signInByLink({ token, client })).toMatchObject({ returnTo: to });
  });

  test("opens no suspended account, but shows its owner the reason, as a new password does", async () => {
    const ada = await confirmedMember();
    await town.verification.requestSignInLink({ email: ada.email, client });
    const { token: before } = await emailTo(ada.email);
    await town.suspend(ada);
    await town.verification.requestSignInLink({ email: ada.email, client });
    const { token: after } = await emailTo(ada.email);
    for (const token of [before, after]) {
      expect(await town.verification.signInLinkOf(token)).toEqual({ username: ada.username });
      const { entered } = await town.verification.signInByLink({ token, client });
      expect(entered).toMatchObject({ viewer: null, suspended: true });
      expect(await reasonFor(entered)).toMatchObject({ accountId: ada.id });
    }
    await town.verification.requestReset({ email: ada.email, client });
    const { token } = await emailTo(ada.email);
    await town.verification.resetPassword({ token, password: newPassword });
    const right = { email: ada.email, password: newPassword, client };
    expect(await reasonFor(await town.identity.signIn.withPassword(right))).not.toBeNull();
    const wrong = { ...right, password: "not the password" };
    await expect(town.identity.signIn.withPassword(wrong)).rejects.toMatchObject({
      code: "wrong-credentials",
    });
    expect(await sessionsOf(ada)).toBe(0);
    await delivered();
  });

  test("is offered only where mail arrives; everything else works through the folder", async () => {
    const village = testFeatures(db);
    expect(village.verification.mailLeaves).toBe(false);
    const ada = await village.signUp();
    await expect(
      village.verification.requestSignInLink({ email: ada.email, client }),
    ).rejects.toMatchObject({ code: "not-found" });
    await village.verification.requestReset({ email: ada.email, client });
    await village.jobs.runDue();
    const emails = await emailsIn(village.files);
    expect(emails.map(({ subject }) => subject).sort()).toEqual([
      "Choose a new password",
      "Confirm your email address",
    ]);
  });
});

describe("a new address", () => {
  test("asks for the password, is confirmed by link, stored as typed, and the old one is notified", async () => {
    const ada = await confirmedMember();
    const email = fresh();
    for (const wrong of ["", "not this one"]) {
      await expect(
        town.verification.requestChange(ada, { email, password: wrong }, client),
      ).rejects.toMatchObject({ fields: { password: expect.any(String) } });
    }
    await town.verification.requestChange(ada, { email, password }, client);
    const { message, token } = await emailTo(email);
    expect(message.to?.[0]).toEqual({ name: "", address: email });
    await delivered();
    expect((await accountOf(ada))?.email_as_typed, "nothing changed yet").toBe(ada.email);
    expect(received.at(-1)?.envelope.to).toEqual([ada.email]);
    expect(received.at(-1)?.subject).toBe("Your email address is about to change");

    await town.verification.requestReset({ email: ada.email, client });
    const old = await emailTo(ada.email);
    const follower = { viewer: ada, password: "" };
    expect(await town.verification.confirmEmail(token, follower)).toMatchObject({ email });
    expect(await accountOf(ada)).toEqual({
      email: email.toLowerCase(),
      email_as_typed: email,
      email_verified: true,
    });
    expect(await town.verification.resetLinkOf(old.token), "mailed to the old one").toBeNull();
    const [notice] = await delivered();
    expect(notice?.envelope.to).toEqual([ada.email]);
    expect(notice?.subject).toBe("Your email address was changed");
    expect(await signsIn(email, password)).toBe(true);
    expect(await signsIn(ada.email, password)).toBe(false);
    await expect(town.verification.confirmEmail(token)).rejects.toMatchObject(used);
  });

  test("that somebody else has is reported only to that mailbox", async () => {
    const ada = await confirmedMember();
    const bob = await confirmedMember();
    const answer = await town.verification.requestChange(
      ada,
      { email: bob.email, password },
      client,
    );
    expect(answer).toBeUndefined();
    const emails = await delivered();
    expect(emails.map(({ envelope, subject }) => [envelope.to, subject])).toEqual([
      [[bob.email], "This address already has an account"],
    ]);
    expect(emails[0]?.text).not.toContain(ada.username);
    expect((await accountOf(ada))?.email_as_typed).toBe(ada.email);
  });

  test("that was taken meanwhile is refused, and the account stays as it was", async () => {
    const ada = await confirmedMember();
    const email = fresh();
    await town.verification.requestChange(ada, { email, password }, client);
    const { token } = await emailTo(email);
    const bob = await newcomer();
    await query(db, "update accounts set email = lower($2), email_as_typed = $2 where id = $1", [
      bob.id,
      email,
    ]);
    const follower = { viewer: ada, password: "" };
    await expect(town.verification.confirmEmail(token, follower)).rejects.toMatchObject({
      code: "email-in-use",
    });
    expect((await accountOf(ada))?.email_as_typed).toBe(ada.email);
    await delivered();
  });

  test("must be an address, and another one", async () => {
    const ada = await confirmedMember();
    for (const [email, sentence] of [
      ["ada", "Invalid email address"],
      ["ada@example.org\r\nBcc: all@example.org", "Invalid email address"],
      ["", "required*"],
      [ada.email, "This is already your address."],
    ] as const) {
      await expect(
        town.verification.requestChange(ada, { email, password }, client),
      ).rejects.toMatchObject({ code: "input-invalid", fields: { email: sentence } });
    }
    expect(await delivered()).toEqual([]);
  });
});

describe("the operator", () => {
  test("gets a reset link for an email or a username, which verifies no mailbox", async () => {
    const ada = await newcomer();
    await delivered();
    const { username, url } = await town.verification.issueResetLink(ada.username);
    expect(username).toBe(ada.username);
    expect(url).toMatch(/^http:\/\/localhost:3000\/signIn\/reset\/[A-Za-z0-9]{32}$/);
    const byEmail = await town.verification.issueResetLink(ada.email.toUpperCase());
    const token = byEmail.url.slice(byEmail.url.lastIndexOf("/") + 1);
    await town.verification.resetPassword({ token, password: newPassword });
    expect(await signsIn(ada.email, newPassword)).toBe(true);
    expect((await accountOf(ada))?.email_verified).toBe(false);
    expect(await delivered(), "no email to an unverified mailbox").toEqual([]);
    for (const address of ["nobody", "nobody@example.org", ""]) {
      await expect(town.verification.issueResetLink(address)).rejects.toMatchObject({
        code: "not-found",
      });
    }
  });
});

describe("limits", () => {
  test("five emails an hour to one address, known or not, and twenty by one network", async () => {
    const strict = testFeatures(db, { rateLimits: true });
    const ada = await confirmedMember();
    const outcome = (email: string, ip: string) =>
      strict.verification.requestReset({ email, client: { ...client, ip } }).then(
        () => "asked",
        (error: { code: string }) => error.code,
      );
    for (const email of [ada.email, "nobody-at-all@example.org"]) {
      const outcomes = [];
      for (let time = 0; time < 6; time += 1)
        outcomes.push(await outcome(email, `198.51.100.${time}`));
      expect(outcomes).toEqual([...Array<string>(5).fill("asked"), "too-many-attempts"]);
    }
    const outcomes = [];
    for (let time = 0; time < 21; time += 1) {
      outcomes.push(await outcome(`somebody-${time}@example.org`, "203.0.113.5"));
    }
    expect(outcomes).toEqual([...Array<string>(20).fill("asked"), "too-many-attempts"]);
    await strict.jobs.runDue();
  });
});

describe("a change of sign-in methods", () => {
  test("is mailed to the owner: the password, passkeys, the second step", async () => {
    const ada = await confirmedMember("Ada Lovelace");
    const { identity } = town;
    const subjects = async (change: () => Promise<unknown>) =>
      (await emailsTo(ada, change)).map(({ subject }) => subject);
    const [notice] = await emailsTo(ada, () =>
      identity.password.change(ada, { currentPassword: password, password: newPassword }),
    );
    expect(notice?.subject).toBe("Your password was changed");
    expect(notice?.text).toContain(`the Postcard account @${ada.username} at localhost:3000`);
    expect(linkIn(notice)).toBe("http://localhost:3000/signIn/forgot");

    const id = await withPasskey(ada);
    expect(await subjects(() => identity.passkeys.remove(ada, id))).toEqual([
      "A passkey was removed",
    ]);
    expect(await subjects(() => identity.passkeys.remove(ada, id)), "it was gone").toEqual([]);

    const proof = { password: newPassword };
    const { uri } = await identity.twoFactor.begin(ada, proof);
    const code = await appCode(new URL(uri).searchParams.get("secret") ?? "");
    expect(await subjects(() => identity.twoFactor.turnOn(ada, code))).toEqual([
      "Two-step sign-in is on",
    ]);
    expect(await subjects(() => identity.twoFactor.renewCodes(ada, proof))).toEqual([
      "You have new recovery codes",
    ]);
    expect(await subjects(() => identity.twoFactor.turnOff(ada, proof))).toEqual([
      "Two-step sign-in is off",
    ]);
  });

  test("that is refused is mailed to nobody, nor is one to an unverified mailbox", async () => {
    const ada = await confirmedMember();
    const wrong = { currentPassword: "not this one", password: newPassword };
    const refused = town.identity.password.change(ada, wrong);
    expect(await emailsTo(ada, () => expect(refused).rejects.toThrow())).toEqual([]);

    const newcomerHere = await newcomer();
    await delivered();
    const right = { currentPassword: password, password: newPassword };
    await town.identity.password.change(newcomerHere, right);
    expect(await delivered()).toEqual([]);
  });
});
