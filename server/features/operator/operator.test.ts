import { randomBytes } from "node:crypto";
import { afterEach, describe, expect, test } from "vitest";
import { parseCommand } from "#server/commands/commands.ts";
import { createInvitations } from "#server/features/operator/invitations.ts";
import type { Installation } from "#server/installation.ts";
import { testApp } from "#server/test/app.ts";
import { freshDatabase } from "#server/test/database.ts";
import { authSecret, client } from "#server/test/identity.ts";
import { imageForm } from "#server/test/image-form.ts";
import { codeOf, oidcSettings, testProviders } from "#server/test/providers.ts";
import { query } from "#server/test/query.ts";
import { scriptedProvider } from "#server/test/scripted-provider.ts";

const { db } = await freshDatabase();
const { features: on, app } = await testApp(db);
const { operatorSettings, invitations } = on;

afterEach(async () => {
  await query(db, "delete from operator_settings");
});

const newEmail = () => `${randomBytes(6).toString("hex")}@example.org`;

async function signUp(invitation: string | null = null, email = newEmail()) {
  const names = { firstName: "New", secondName: "Comer" };
  const password = "correct horse battery 9";
  const picture = await on.photo();
  return on.identity.signUp.withPassword({
    email,
    password,
    ...names,
    picture,
    invitation,
    client: client(),
  });
}

const accounts = async () => (await query(db, "select 1 from accounts")).length;

describe("what an operator sets", () => {
  test("has a default, and is listed with its meaning", async () => {
    expect(await operatorSettings.get("sign-up")).toBe("open");
    expect(await operatorSettings.list()).toEqual([
      { name: "sign-up", meaning: expect.stringContaining("who may sign up"), value: "open" },
      {
        name: "new-accounts",
        meaning: expect.stringContaining("the posts of new accounts"),
        value: "public",
      },
      {
        name: "storage-per-member",
        meaning: expect.stringContaining("storage for the pictures"),
        value: "10 GB",
      },
      { name: "site-name", meaning: expect.stringContaining("is called"), value: "Postcard" },
      { name: "site-line", meaning: expect.any(String), value: expect.stringContaining("small") },
      {
        name: "rules",
        meaning: expect.stringContaining("a rule a line"),
        value: expect.stringContaining("Be kind."),
      },
      {
        name: "explore",
        meaning: expect.stringContaining("who sees recent photos"),
        value: "everyone",
      },
    ]);
  });

  test.each([
    ["sign-up", "invitation", "invitation"],
    ["storage-per-member", "1.5tb", "1.5 TB"],
    ["storage-per-member", "100 MB", "100 MB"],
    ["site-name", " Harbour\u202eStreet\n", "Harbour Street"],
    ["explore", "members", "members"],
    ["rules", " Be kind.\r\n\n\u202eNo\tcoins. \n", "Be kind.\nNo coins."],
    ["storage-per-member", "unlimited", "unlimited"],
  ])("%s %s", async (name, text, shown) => {
    expect(await operatorSettings.set(name, text)).toBe(shown);
    const listed = await operatorSettings.list();
    expect(listed.find((each) => each.name === name)?.value).toBe(shown);
  });

  test.each([
    [
      "signup",
      "open",
      '"signup" isn\'t a setting. Settings: sign-up, new-accounts, storage-per-member, site-name, site-line, rules, explore.',
    ],
    ["toString", "open", '"toString" isn\'t a setting'],
    ["sign-up", "shut", '"shut" isn\'t a valid value for sign-up: who may sign up'],
    ["storage-per-member", "99 MB", '"99 MB" isn\'t a valid value for storage-per-member'],
    ["storage-per-member", "10", '"10" isn\'t a valid value for storage-per-member'],
    ["storage-per-member", "-1 GB", "isn't a valid value"],
    ["site-name", " \n ", "isn't a valid value for site-name"],
    ["site-name", "x".repeat(41), "isn't a valid value for site-name"],
    ["explore", "off", '"off" isn\'t a valid value for explore'],
  ])("refuses %s %s with a sentence", async (name, text, sentence) => {
    await expect(operatorSettings.set(name, text)).rejects.toThrow(sentence);
  });

  test("is checked when it is read, too: an invalid value in the database opens nothing", async () => {
    await query(db, `insert into operator_settings (key, value) values ('sign-up', '"shut"')`);
    await expect(operatorSettings.get("sign-up")).rejects.toThrow("holds no value of its own");
    await expect(signUp()).rejects.toThrow("holds no value of its own");
  });
});

async function admin(...words: string[]) {
  const said: string[] = [];
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = ((text: string) => said.push(text) > 0) as typeof process.stdout.write;
  try {
    const open = { features: on, db, publicUrl: "https://photos.example" };
    const code = await parseCommand(words).work?.(open as unknown as Installation);
    return { code, said: said.join("") };
  } finally {
    process.stdout.write = write;
  }
}

describe("the operator's commands", () => {
  test("list, set and invite", async () => {
    expect((await admin("set")).said).toContain("sign-up is open\n  who may sign up");
    expect(await admin("set", "sign-up", "invitation")).toEqual({
      code: 0,
      said: "sign-up is now invitation.\n",
    });
    const { said } = await admin("invite", "--days", "3", "--count", "2");
    const codes = [...said.matchAll(/\/signUp\?invitation=(\S+)/g)].map(([, code]) => code ?? "");
    expect(codes).toHaveLength(2);
    for (const code of codes) await signUp(code);
  });

  test("give one member a quota of their own", async () => {
    const { username } = (await signUp()).viewer;
    expect((await admin("quota", username, "20GB")).said).toMatch(/ of 20 GB\.\n$/);
    expect((await admin("quota", username, "default")).said).toMatch(/ of 10 GB\.\n$/);
    expect((await admin("quota", username, "unlimited")).said).not.toContain(" of ");
  });

  test("remove a post from the landing page, by its name or its link, and allow it again", async () => {
    const author = await on.member("Ada Early", Date.now() - 2 * 86_400_000);
    const post = await on.photoPost(author);
    const shown = async () => (await on.explore.recent(null, null)).items.map(({ id }) => id);
    const name = `${author.username}/${post.number}`;
    const hidden = await admin("hide-from-explore", `https://photos.example/post/${name}`);
    expect(hidden).toEqual({
      code: 0,
      said: `${name} is no longer on the front page and Search.\n`,
    });
    expect(await shown()).toEqual([]);
    await admin("hide-from-explore", `@${name}`, "--undo");
    expect(await shown()).toEqual([post.postId]);
    await expect(admin("hide-from-explore", "nobody/1")).rejects.toMatchObject({
      code: "not-found",
    });
  });

  test.each([
    [["hide-from-explore", "ada"], '"ada" isn\'t a post.'],
    [["set", "sign-up"], "What should sign-up be?"],
    [["invite", "--days", "0"], "--days is 0, but must be a number from 1 to 365."],
    [["invite", "--count", "many"], "--count is many, but must be a number from 1 to 100."],
    [["quota", "ada", "lots"], '"lots" isn\'t a size'],
  ])("%j is answered with a sentence", (words, sentence) => {
    expect(parseCommand(words).text).toContain(sentence);
  });
});

describe("signing up", () => {
  test("while it is closed creates no account, whatever is sent", async () => {
    const { code } = await invitations.issue(1);
    await operatorSettings.set("sign-up", "closed");
    const before = await accounts();
    await expect(signUp(code)).rejects.toMatchObject({ code: "sign-up-closed", status: 403 });
    expect(await accounts()).toBe(before);
    await operatorSettings.set("sign-up", "open");
    await signUp();
  });

  test("by invitation works once per code, also with two people at once", async () => {
    await operatorSettings.set("sign-up", "invitation");
    const needed = { code: "invitation-required", fields: { invitation: expect.any(String) } };
    await expect(signUp()).rejects.toMatchObject(needed);
    await expect(signUp("  ")).rejects.toMatchObject(needed);
    await expect(signUp("ABCDE-ABCDE-ABCDE-ABCDE")).rejects.toMatchObject(needed);
    const { code } = await invitations.issue(1);
    const before = await accounts();
    const ended = await Promise.allSettled([signUp(code), signUp(code), signUp(code)]);
    expect(ended.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await accounts()).toBe(before + 1);
    await expect(signUp(code)).rejects.toMatchObject(needed);
  });

  test("says of an opened invitation whether it still works", async () => {
    await operatorSettings.set("sign-up", "invitation");
    const used = "This invitation was already used. Ask for another one.";
    const gone = /^This invitation doesn't work: it has expired, was withdrawn/;
    const [one, withdrawn, late] = [
      await invitations.issue(1),
      await invitations.issue(1),
      await invitations.issue(1, "late"),
    ];
    for (const { code } of [one, withdrawn, late]) {
      expect(await invitations.problemOf(code)).toBeNull();
    }
    await signUp(one.code);
    expect(await invitations.problemOf(one.code)).toBe(used);
    await expect(signUp(one.code)).rejects.toMatchObject({ fields: { invitation: used } });
    const [, second] = (await invitations.list(null)).items;
    await invitations.withdraw(second?.id ?? "");
    expect(await invitations.problemOf(withdrawn.code)).toMatch(gone);
    await query(db, "update invitations set expires_at = now() where note = 'late'");
    expect(await invitations.problemOf(late.code)).toMatch(gone);
    expect(await invitations.problemOf("")).toBeNull();
    await operatorSettings.set("sign-up", "open");
    expect(await invitations.problemOf(one.code)).toBeNull();
  });

  test("accepts a code as people type it, and it stays valid for another try", async () => {
    await operatorSettings.set("sign-up", "invitation");
    const { code } = await invitations.issue(1);
    const taken = newEmail();
    await signUp((await invitations.issue(1)).code, taken);
    await expect(signUp(code, taken)).rejects.toMatchObject({ code: "email-in-use" });
    await signUp(` ${code.toLowerCase().replaceAll("-", " ")} `);
  });

  test("ends when the invitation expires, and its code is stored nowhere", async () => {
    await operatorSettings.set("sign-up", "invitation");
    const { code } = await invitations.issue(1);
    const rows = JSON.stringify(await query(db, "select * from invitations"));
    expect(rows).not.toContain(code);
    await query(db, "update invitations set expires_at = now() - interval '1 second'");
    await expect(signUp(code)).rejects.toMatchObject({ code: "invitation-required" });
    await invitations.sweep();
    expect(await query(db, "select 1 from invitations")).toEqual([]);
  });

  test("follows the setting in the documented call, which takes the code", async () => {
    await operatorSettings.set("sign-up", "invitation");
    const payload = await imageForm();
    const sent = await app.inject({ method: "POST", url: "/api/images", payload });
    const image = sent.json<{ data: { display_url: string } }>().data.display_url;
    const form = { email: newEmail(), password: "correct horse battery 9", image, fName: "Ada" };
    const post = (extra = {}) =>
      app.inject({ method: "POST", url: "/api/users", payload: { ...form, ...extra } });
    const refused = await post();
    expect([refused.statusCode, refused.json()]).toMatchObject([
      403,
      { error: { code: "invitation-required", fields: { invitation: "required*" } } },
    ]);
    const { code } = await invitations.issue(1);
    expect((await post({ invitation: code })).statusCode).toBe(201);
  });
});

const person = () => ({
  sub: randomBytes(8).toString("hex"),
  email: newEmail(),
  email_verified: true,
});

describe("a first sign-in at a provider", () => {
  test("follows the setting as well, and existing members can still sign in", async () => {
    const town = await scriptedProvider();
    const providers = testProviders(db, [oidcSettings("town", town)]);
    const own = createInvitations({ db, secret: authSecret, settings: operatorSettings });
    const known = person();
    expect(await providers.signIn("town", town, known)).toMatchObject({ outcome: "signed-up" });

    await operatorSettings.set("sign-up", "closed");
    const stranger = person();
    expect(await codeOf(await providers.signIn("town", town, stranger))).toBe("sign-up-closed");
    expect(await providers.signIn("town", town, known)).toMatchObject({ outcome: "signed-in" });

    await operatorSettings.set("sign-up", "invitation");
    const before = await accounts();
    expect(await codeOf(await providers.signIn("town", town, stranger))).toBe(
      "invitation-required",
    );
    expect(await accounts()).toBe(before);
    const { code: invitation } = await own.issue(1);
    const invited = await providers.signIn("town", town, stranger, { invitation });
    expect(invited).toMatchObject({ outcome: "signed-up" });
    const again = await providers.signIn("town", town, person(), { invitation });
    expect(await codeOf(again)).toBe("invitation-required");
    expect(await accounts()).toBe(before + 1);
  });

  test("that fails keeps the invitation it came with", async () => {
    const town = await scriptedProvider();
    const providers = testProviders(db, [oidcSettings("town", town)]);
    const begun = await providers.begin("town", { invitation: "ABCDE" });
    const state = new URL(begun.url).searchParams.get("state") ?? "";
    const { attempt } = await providers.finish({
      provider: "town",
      query: `error=access_denied&state=${state}`,
      viewer: null,
      client: begun.browser,
    });
    expect(attempt).toMatchObject({ invitation: "ABCDE" });
  });
});
