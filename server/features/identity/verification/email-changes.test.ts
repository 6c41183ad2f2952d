import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import type { ClientInfo } from "#server/features/types.ts";
import { afterFile } from "#server/test/after-file.ts";
import { freshDatabase } from "#server/test/database.ts";
import { testFeatures, type TestFeatures } from "#server/test/factories.ts";
import { linkIn, openMailbox, type Received } from "#server/test/mailbox.ts";
import { query } from "#server/test/query.ts";
import type { Viewer } from "#shared/views.ts";

const client: ClientInfo = { ip: "192.0.2.9", userAgent: "a browser", cookieHeader: "" };
const password = "correct horse battery 9";
const newPassword = "a stamp for every letter";
const used = { code: "link-used", status: 410 };

let db: Database;
let town: TestFeatures;
let received: Received[];
let addresses = 0;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  const mailbox = await openMailbox();
  afterFile(mailbox.close);
  ({ received } = mailbox);
  town = testFeatures(db, { smtpUrl: mailbox.url });
});

function freshAddress(): string {
  addresses += 1;
  return `New.${addresses}@example.org`;
}

async function deliver(): Promise<void> {
  const { failed } = await town.jobs.runDue();
  expect(failed).toEqual([]);
}

function subjectsTo(address: string): string[] {
  const own = received.filter(({ envelope }) => envelope.to[0] === address);
  return own.map(({ subject = "" }) => subject);
}

/** The token in the newest email to this address. */
async function tokenTo(address: string): Promise<string> {
  await deliver();
  const link = linkIn(received.findLast(({ envelope }) => envelope.to[0] === address));
  return link.slice(link.lastIndexOf("/") + 1);
}

async function confirmedMember(): Promise<Viewer> {
  const viewer = await town.member();
  await town.verification.confirmEmail(await tokenTo(viewer.email));
  return { ...viewer, emailVerified: true };
}

const asSelf = (viewer: Viewer) => ({ viewer, password: "" });

/** Requests another address; answers the tokens of both emails. */
async function askFor(viewer: Viewer, email: string): Promise<{ confirm: string; keep: string }> {
  await town.verification.requestChange(viewer, { email, password }, client);
  const confirm = await tokenTo(email);
  return { confirm, keep: await tokenTo(viewer.email) };
}

/** Moves the account; answers the viewer it has now, and the link that would undo it. */
async function move(viewer: Viewer, email: string): Promise<{ moved: Viewer; keep: string }> {
  const { confirm, keep } = await askFor(viewer, email);
  await town.verification.confirmEmail(confirm, asSelf(viewer));
  await deliver();
  return { moved: { ...viewer, email }, keep };
}

async function emailOf({ id }: Viewer): Promise<string | undefined> {
  const [row] = await query<{ email: string }>(
    db,
    "select email_as_typed as email from accounts where id = $1",
    [id],
  );
  return row?.email;
}

/** As if this much time had passed for every change and every link. */
async function age(time: string): Promise<void> {
  await query(
    db,
    `update email_changes set created_at = created_at - interval '${time}',
       confirmed_at = confirmed_at - interval '${time}'`,
  );
  await query(db, `update mailed_links set expires_at = expires_at - interval '${time}'`);
}

const pendingOf = async (viewer: Viewer) =>
  (await town.verification.emailState(viewer)).pending?.email;

describe("a pending change of address", () => {
  test("is shown until it is confirmed or a day is over; a later one replaces it", async () => {
    const ada = await confirmedMember();
    expect(await pendingOf(ada)).toBeUndefined();
    const [first, second] = [freshAddress(), freshAddress()];
    const replaced = await askFor(ada, first);
    expect(await pendingOf(ada)).toBe(first);
    await askFor(ada, second);
    expect(await pendingOf(ada)).toBe(second);
    expect(await town.verification.confirmationOf(replaced.confirm, ada)).toBeNull();
    await expect(
      town.verification.confirmEmail(replaced.confirm, asSelf(ada)),
    ).rejects.toMatchObject(used);
    await age("25 hours");
    expect(await pendingOf(ada)).toBeUndefined();
  });

  test("is one, however many are requested at once", async () => {
    const ada = await confirmedMember();
    const asked = Array.from({ length: 5 }, freshAddress);
    await Promise.all(
      asked.map((email) => town.verification.requestChange(ada, { email, password }, client)),
    );
    const waiting = await pendingOf(ada);
    expect(asked).toContain(waiting);
    await deliver();
    expect(asked.filter((email) => subjectsTo(email).length > 0)).toEqual([waiting]);
  });

  test("is mailed to nobody once the password was changed before the email was sent", async () => {
    const ada = await confirmedMember();
    const email = freshAddress();
    await town.verification.requestChange(ada, { email, password }, client);
    await town.verification.requestReset({ email: ada.email, client });
    await town.verification.requestSignInLink({ email: ada.email, client });
    await town.identity.password.change(ada, { currentPassword: password, password: newPassword });
    await deliver();
    expect(subjectsTo(email)).toEqual([]);
    expect(subjectsTo(ada.email)).toEqual([
      "Confirm your email address",
      "Your password was changed",
    ]);
    await town.verification.requestReset({ email: ada.email, client });
    await deliver();
    expect(subjectsTo(ada.email)).toContain("Choose a new password");
  });

  test("does not affect the email of a sign-up when the password is changed", async () => {
    const newcomer = await town.member();
    const confirm = await tokenTo(newcomer.email);
    const change = { currentPassword: password, password: newPassword };
    await town.identity.password.change(newcomer, change);
    expect(await town.verification.confirmEmail(confirm)).toMatchObject({ email: newcomer.email });
  });

  test("of an account without a password is confirmed by its session only", async () => {
    const ada = await confirmedMember();
    const { confirm } = await askFor(ada, freshAddress());
    await query(db, "delete from credentials where account_id = $1", [ada.id]);
    expect(await town.verification.confirmationOf(confirm)).toMatchObject({ asks: "sign-in" });
    expect(await town.verification.confirmationOf(confirm, ada)).toMatchObject({ asks: "nothing" });
    await expect(
      town.verification.confirmEmail(confirm, { viewer: null, password }),
    ).rejects.toMatchObject({ code: "sign-in-required" });
    await town.verification.confirmEmail(confirm, asSelf(ada));
  });

  test("is tried with ten passwords in a quarter of an hour, which block its owner nowhere", async () => {
    const strict = testFeatures(db, { rateLimits: true });
    const ada = await confirmedMember();
    const { confirm } = await askFor(ada, freshAddress());
    const outcomes: string[] = [];
    for (let tried = 0; tried < 11; tried += 1) {
      await strict.verification
        .confirmEmail(confirm, { viewer: null, password: `guess ${tried}` })
        .catch(({ code }: { code: string }) => outcomes.push(code));
    }
    expect(outcomes).toEqual([...Array<string>(10).fill("wrong-password"), "too-many-attempts"]);
    const change = { currentPassword: password, password: newPassword };
    await strict.identity.password.change(ada, change);
  });
});

describe("the previous mailbox", () => {
  test("undoes every change since its own, and the links of those in between do not work", async () => {
    const ada = await confirmedMember();
    const { moved, keep } = await move(ada, freshAddress());
    const between = await move(moved, freshAddress());
    expect(await emailOf(ada)).toBe(between.moved.email);
    expect(await town.verification.keptEmailOf(keep)).toEqual({
      username: ada.username,
      email: ada.email,
      change: "done",
    });
    await town.verification.keepEmail(keep);
    expect(await emailOf(ada)).toBe(ada.email);
    expect(await town.verification.keptEmailOf(between.keep)).toBeNull();
    await expect(town.verification.keepEmail(between.keep)).rejects.toMatchObject(used);
    await deliver();
    expect(subjectsTo(between.moved.email).at(-1)).toBe("Your email address was changed back");
  });

  test("removes what was added since the change, and leaves what was there and the second step", async () => {
    const ada = await confirmedMember();
    const provider = (subject: string) =>
      query(
        db,
        `insert into credentials (id, account_id, provider_id, subject)
         values (gen_random_uuid(), $1, 'github', $2)`,
        [ada.id, `${subject} ${ada.id}`],
      );
    const passkey = (name: string) =>
      query(
        db,
        `insert into passkeys
          (id, account_id, name, credential_id, public_key, counter, device_type, backed_up)
         values (gen_random_uuid(), $1, $2, gen_random_uuid(), 'k', 0, 'singleDevice', false)`,
        [ada.id, name],
      );
    await provider("own");
    await passkey("own");
    const { keep } = await move(ada, freshAddress());
    await provider("thief's");
    await passkey("thief's");
    await query(
      db,
      "insert into two_factors (account_id, secret, confirmed_at) values ($1, 'x', now())",
      [ada.id],
    );
    await town.verification.keepEmail(keep);
    const left = await query<{ way: string }>(
      db,
      `select subject as way from credentials where account_id = $1
       union all select name from passkeys where account_id = $1
       union all select 'second step' from two_factors where account_id = $1`,
      [ada.id],
    );
    expect(left.map(({ way }) => way).sort()).toEqual(["own", `own ${ada.id}`, "second step"]);
  });

  test("has seven days, in which nobody else gets the address in any way", async () => {
    const ada = await confirmedMember();
    const { moved, keep } = await move(ada, freshAddress());
    const bob = await confirmedMember();
    const ask = { email: ada.email, password };
    await age("6 days 23 hours");
    expect(await town.verification.keptEmailOf(keep)).not.toBeNull();
    await town.verification.requestChange(bob, ask, client);
    await deliver();
    expect(subjectsTo(ada.email).at(-1)).toBe("This address already has an account");
    const taken = town.identity.signUp.withPassword({
      email: ada.email.toUpperCase(),
      password,
      firstName: "",
      secondName: "",
      picture: await town.photo(),
      client,
    });
    await expect(taken).rejects.toMatchObject({ code: "email-in-use" });

    // its own account may go back to it at any time
    await age("2 hours");
    expect(await town.verification.keptEmailOf(keep)).toBeNull();
    await expect(town.verification.keepEmail(keep)).rejects.toMatchObject(used);
    await town.identity.sweep();
    const { confirm } = await askFor(moved, ada.email);
    await town.verification.confirmEmail(confirm, asSelf(moved));
    expect(await emailOf(ada)).toBe(ada.email);
  });

  test("that was never confirmed is sent no such link, and is reserved for nobody", async () => {
    const newcomer = await town.member();
    await deliver();
    const email = freshAddress();
    await town.verification.requestChange(newcomer, { email, password }, client);
    const confirm = await tokenTo(email);
    await town.verification.confirmEmail(confirm, asSelf(newcomer));
    await deliver();
    expect(subjectsTo(newcomer.email)).toEqual(["Confirm your email address"]);
    const again = town.identity.signUp.withPassword({
      email: newcomer.email,
      password,
      firstName: "",
      secondName: "",
      picture: await town.photo(),
      client,
    });
    expect((await again).viewer.email).toBe(newcomer.email);
  });

  test("cannot undo for a suspended account, and the sweep leaves no address behind", async () => {
    const ada = await confirmedMember();
    const { keep } = await move(ada, freshAddress());
    await town.suspend(ada);
    await expect(town.verification.keepEmail(keep)).rejects.toMatchObject(used);
    await town.identity.sweep();
    const left = "select from email_changes where account_id = $1";
    expect(await query(db, left, [ada.id])).toHaveLength(1);
    await age("8 days");
    await town.identity.sweep();
    expect(await query(db, left, [ada.id])).toEqual([]);
  });

  test("works for one of many at once", async () => {
    const ada = await confirmedMember();
    const { keep } = await move(ada, freshAddress());
    const tries = await Promise.allSettled(
      Array.from({ length: 6 }, () => town.verification.keepEmail(keep)),
    );
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await emailOf(ada)).toBe(ada.email);
  });
});
