import { sql } from "#server/platform/db/sql.ts";
import { beforeAll, describe, expect, test } from "vitest";
import type { Database } from "#server/platform/db/database.ts";
import { describeError } from "#server/platform/log.ts";
import { freshDatabase } from "#server/test/database.ts";
import { asCookieHeader, client, goodPassword, testIdentity } from "#server/test/identity.ts";
import { limits } from "#shared/limits.ts";

let db: Database;
let identity: ReturnType<typeof testIdentity>;
let failure: Error | null = null;

beforeAll(async () => {
  ({ db } = await freshDatabase());
  identity = testIdentity(db, { failToRecord: () => failure });
});

const tables = [
  "accounts",
  "usernames",
  "account_counters",
  "credentials",
  "sessions",
  "images",
] as const;

/** The number of rows and files, which a refused sign-up must not change. */
async function everything(): Promise<Record<string, number>> {
  const counts = await Promise.all(
    tables.map(async (table) => {
      const rows = await db.query(sql`select from ${sql.table(table)}`);
      return [table, rows.length] as const;
    }),
  );
  return { ...Object.fromEntries(counts), files: await identity.storedImages() };
}

describe("signing up", () => {
  test("makes the account, its counters, username, password, avatar and session at once", async () => {
    const before = await everything();
    const { viewer, cookies } = await identity.join({
      email: "  Jose.Angel@Example.org ",
      firstName: " José ",
      secondName: "Ángel  Ruiz",
    });
    const after = await everything();
    for (const name of [...tables, "files"]) expect(after[name]).toBe((before[name] ?? 0) + 1);

    expect(viewer).toMatchObject({
      username: "jose_angel_ruiz",
      name: "José Ángel Ruiz",
      firstName: "José",
      secondName: "Ángel Ruiz",
      email: "Jose.Angel@Example.org",
      avatar: { width: 64, height: 48, widths: [64], alt: "" },
    });
    expect(viewer.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    expect(viewer.avatar?.thumbhash).toMatch(/^[\w+/]{20,}=*$/);
    expect(await identity.sessions.viewerOf({ cookie: asCookieHeader(cookies) })).toEqual(viewer);

    const [account] = await db.query(sql`select * from accounts where id = ${viewer.id}`);
    expect(account).toMatchObject({
      email: "jose.angel@example.org",
      email_as_typed: "Jose.Angel@Example.org",
      email_verified: false,
      search_name: "joseangelruiz jose_angel_ruiz",
    });
    const [credential] = await db.query<{ id: string; password: string }>(sql`
      select id, password from credentials where account_id = ${viewer.id}
    `);
    expect(credential?.password).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(credential?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    const [image] = await db.query<{ claimed_at: Date | null }>(sql`
      select claimed_at from images where account_id = ${viewer.id}
    `);
    expect(image?.claimed_at).toBeInstanceOf(Date);
  });

  test("takes a username of one's own, as Settings would, and refuses before anything is written", async () => {
    const { viewer } = await identity.join({ firstName: "نور", username: " @Noor_Reads " });
    expect(viewer).toMatchObject({ username: "noor_reads", name: "نور" });
    const before = await everything();
    for (const [username, expected] of [
      ["noor_reads", { code: "username-taken", status: 409 }],
      ["no", { code: "input-invalid", fields: { username: "Use at least 3 characters." } }],
      ["settings", { fields: { username: "This word is reserved. Please choose another." } }],
      ["نور", { fields: { username: "Use only the letters a to z, digits and _." } }],
    ] as const) {
      await expect(identity.join({ username }), username).rejects.toMatchObject(expected);
    }
    // Every field's problem at once.
    await expect(identity.join({ username: "no", password: "short" })).rejects.toMatchObject({
      fields: { username: expect.any(String), password: expect.any(String) },
    });
    expect(await everything()).toEqual(before);
  });

  test("says beforehand of a username whether it can be had, and suggests one from a readable name", async () => {
    const { viewer } = await identity.join({ firstName: "Vera", secondName: "Known" });
    const check = (asked: { username?: string; name?: string }) =>
      identity.signUp.checkUsername({ username: "", name: "", ...asked }, client());
    const free = { state: "free", problem: null };
    expect(await check({ username: "@Nobody_Yet" })).toEqual({ username: "nobody_yet", ...free });
    expect(await check({ username: viewer.username })).toMatchObject({
      state: "taken",
      problem: "This username is taken or was used before. Please choose another.",
    });
    expect(await check({ username: "admin" })).toMatchObject({
      state: "not allowed",
      problem: "This word is reserved. Please choose another.",
    });
    expect(await check({ name: "Þór Freeman" })).toEqual({ username: "thor_freeman", ...free });
    expect((await check({ name: "Vera Known" })).username).toMatch(/^vera_known_[a-z2-9]{4}$/);
    for (const name of ["", "محمد علي"]) expect((await check({ name })).username).toBeNull();
  });

  test("gives people without a name a username", async () => {
    const { viewer } = await identity.join();
    expect(viewer.username).toMatch(/^user_[a-z0-9]{7}$/);
    expect(viewer.name).toBe(viewer.username);
  });

  test("distinguishes people of one name, and reserves words the product needs", async () => {
    const [first, second] = [
      await identity.join({ firstName: "Mia" }),
      await identity.join({ firstName: "Mia" }),
    ];
    expect(first.viewer.username).toBe("mia");
    expect(second.viewer.username).toMatch(/^mia_[a-z0-9]{4}$/);
    const upload = await identity.join({ firstName: "Upload" });
    expect(upload.viewer.username).toMatch(/^upload_[a-z0-9]{4}$/);
  });

  test("distinguishes people of one name who sign up at the same moment", async () => {
    const joined = await Promise.all(
      Array.from({ length: 6 }, () => identity.join({ firstName: "Noor", secondName: "Same" })),
    );
    const names = joined.map(({ viewer }) => viewer.username);
    expect(new Set(names).size).toBe(6);
    expect(names).toContain("noor_same");
  });

  test("never gives out somebody's former username", async () => {
    const { viewer } = await identity.join();
    await db.query(sql`
      insert into usernames (username, account_id) values ('former_star', ${viewer.id})
    `);
    const other = await identity.join({ firstName: "Former", secondName: "Star" });
    expect(other.viewer.username).toMatch(/^former_star_/);
  });

  test("makes one account of many simultaneous sign-ups with one email", async () => {
    const before = await everything();
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) =>
        identity.join({ email: index % 2 ? "Twelve@example.org" : "twelve@EXAMPLE.org" }),
      ),
    );
    const refused = results.filter((result) => result.status === "rejected");
    expect(refused).toHaveLength(11);
    for (const { reason } of refused) {
      expect(reason).toMatchObject({ code: "email-in-use", message: "Email Already in use" });
    }
    const after = await everything();
    for (const name of [...tables, "files"]) expect(after[name]).toBe((before[name] ?? 0) + 1);
  });

  test("makes one account of two sign-ups, one of which is just being written", async () => {
    const email = "just@example.org";
    const written = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const first = db.transaction(async () => {
      const joined = await identity.join({ email, firstName: "Just", secondName: "Now" });
      written.resolve();
      await mayCommit.promise;
      return joined;
    });
    await written.promise;
    const sameEmail = identity.join({ email }).catch((error: unknown) => error);
    const sameName = identity.join({ firstName: "Just", secondName: "Now" });
    await expect.poll(waitingForLocks, { timeout: 5_000 }).toBe(2);
    mayCommit.resolve();
    expect((await first).viewer.username).toBe("just_now");
    expect(await sameEmail).toMatchObject({ code: "email-in-use" });
    expect((await sameName).viewer.username).toMatch(/^just_now_[a-z0-9]{4}$/);
  });

  test("leaves a member's session alone when somebody signs up with their email", async () => {
    const { viewer, cookies } = await identity.join({ email: "taken@example.org" });
    const cookie = asCookieHeader(cookies);
    const again = identity.join({
      email: "TAKEN@example.org",
      client: client({ cookieHeader: cookie }),
    });
    await expect(again).rejects.toMatchObject({ code: "email-in-use", status: 409 });
    expect(await identity.sessions.viewerOf({ cookie })).toEqual(viewer);
    await expect(
      identity.signIn.withPassword({
        email: "taken@example.org",
        password: goodPassword,
        client: client(),
      }),
    ).resolves.toMatchObject({ viewer: { id: viewer.id } });
  });

  test("ends the earlier session of the browser", async () => {
    const cookie = asCookieHeader((await identity.join()).cookies);
    await identity.join({ client: client({ cookieHeader: cookie }) });
    expect(await identity.sessions.viewerOf({ cookie })).toBeNull();
  });
});

describe("a refused sign-up leaves no row and no file", () => {
  const long = "x".repeat(100_000);
  const refusals: [string, Record<string, unknown>, object][] = [
    ["no email", { email: " " }, { fields: { email: "required*" } }],
    ["no password", { password: "" }, { fields: { password: "required*" } }],
    [
      "neither",
      { email: "", password: "" },
      { fields: { email: "required*", password: "required*" } },
    ],
    ["no address", { email: "somebody" }, { fields: { email: "Invalid email address" } }],
    ["a NUL in the email", { email: "a\0b@example.org" }, { code: "input-invalid" }],
    ["an email of 100,000 characters", { email: `${long}@example.org` }, { code: "input-invalid" }],
    ["an email that is a list", { email: ["a@example.org"] }, { code: "input-invalid" }],
    [
      "a password of 7",
      { password: "7 chars" },
      { fields: { password: expect.stringContaining("8") } },
    ],
    [
      "a password of 129",
      { password: "ab".repeat(64) + "c" },
      { fields: { password: expect.stringContaining("128") } },
    ],
    ["a password of 100,000", { password: long }, { code: "input-invalid" }],
    ["a password that is a list", { password: [goodPassword] }, { code: "input-invalid" }],
    [
      "the own email as the password",
      { email: "ada.own@example.org", password: "Ada.Own@example.org" },
      { fields: { password: expect.stringContaining("Your name and email") } },
    ],
    [
      "a common password",
      { password: "PassWord123" },
      { fields: { password: expect.stringContaining("common") } },
    ],
    [
      "a first name of 51",
      { firstName: "é".repeat(51) },
      { fields: { firstName: expect.stringContaining("50") } },
    ],
    [
      "a second name of 100,000",
      { secondName: long },
      { fields: { secondName: expect.any(String) } },
    ],
    ["a name that is a list", { firstName: ["a"] }, { code: "input-invalid" }],
    [
      "one letter with 3,000 accents",
      { firstName: `e${"\u0301".repeat(3000)}` },
      { code: "input-invalid" },
    ],
    [
      "no image",
      { picture: null },
      { code: "picture-required", message: "Please select a profile image" },
    ],
  ];

  test.each(refusals)("%s", async (_name, fields, expected) => {
    const before = await everything();
    await expect(identity.join(fields)).rejects.toMatchObject(expected);
    expect(await everything()).toEqual(before);
  });

  test("an image that cannot be read", async () => {
    const before = await everything();
    const picture = await identity.upload("no picture");
    await expect(identity.join({ picture })).rejects.toMatchObject({
      code: "picture-required",
      message: "Please select a profile image",
      fields: { picture: expect.stringContaining("can't use this file") },
    });
    expect(await everything()).toEqual(before);
  });

  test("a failure at the last step", async () => {
    const before = await everything();
    failure = new Error("the disk of the database is full");
    try {
      await expect(identity.join({ email: "half@example.org" })).rejects.toThrow(failure.message);
    } finally {
      failure = null;
    }
    expect(await everything()).toEqual(before);
    await expect(identity.join({ email: "half@example.org" })).resolves.toBeTruthy();
  });
});

describe("a sign-up whose last answer from the database was lost", () => {
  test("keeps the avatar of the account that was made", async () => {
    const lossy = {
      ...db,
      transaction: async <T>(work: () => Promise<T>): Promise<T> => {
        await db.transaction(work);
        throw new Error("the connection broke");
      },
    };
    const unlucky = testIdentity(lossy);
    await expect(unlucky.join({ email: "lost@example.org" })).rejects.toThrow("connection broke");
    expect(await unlucky.storedImages()).toBe(1);
    const { viewer } = await unlucky.signIn.withPassword({
      email: "lost@example.org",
      password: goodPassword,
      client: client(),
    });
    expect(viewer?.avatar).toEqual(expect.objectContaining({ key: expect.any(String) as string }));
  });
});

describe("what may be typed", () => {
  test("takes names of 50 characters as people count them, and drops invisible ones", async () => {
    const family = "👨‍👩‍👧‍👦".repeat(limits.name);
    const { viewer } = await identity.join({ firstName: family, secondName: "a\0b\u0007" });
    expect(viewer.firstName).toBe(family);
    expect(viewer.secondName).toBe("ab");
  });

  test("takes passwords of 8 and 128 characters, with NUL, spaces and any script", async () => {
    for (const password of [
      "  hm hm ",
      "пароль!7",
      String.fromCodePoint(...Array.from({ length: 128 }, (_, number) => 0x1f400 + number)),
      "a\0b\0c\0d\0",
      "名前と暗証番号です",
    ]) {
      const { viewer } = await identity.join({ password });
      const { email } = viewer;
      const again = await identity.signIn.withPassword({ email, password, client: client() });
      expect(again.viewer?.id).toBe(viewer.id);
    }
  });
});

describe("the log", () => {
  test("names no email and no password", async () => {
    const before = identity.logged.length;
    await identity.join({ email: "private@example.org" });
    // where one sign-up overtakes another, the database's refusal names the constraint: until it
    // did
    const refused: unknown[] = [];
    const byTheDatabase = () => refused.some((error) => error instanceof Error && error.cause);
    for (let round = 0; round < 20 && !byTheDatabase(); round += 1) {
      const email = `private${round}@example.org`;
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => identity.join({ email })));
      refused.push(...outcomes.flatMap((each) => (each.status === "rejected" ? each.reason : [])));
    }
    expect(byTheDatabase()).toBe(true);
    await identity.signIn
      .withPassword({ email: "private@example.org", password: "not this one", client: client() })
      .catch((error: unknown) => refused.push(error));
    // what the feature logged, and what the server logs of what it threw
    const text = [
      ...identity.logged.slice(before),
      ...refused.map((error) => JSON.stringify(describeError(error))),
    ].join("");
    expect(text).toContain("accounts_email_key");
    expect(text).not.toMatch(/private\d*@|not this one|correct horse|argon2id/);
  });
});

async function waitingForLocks(): Promise<number> {
  const rows = await db.query<{ n: number }>(sql`
    select count(*)::integer as n from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'
  `);
  return rows[0]?.n ?? 0;
}
