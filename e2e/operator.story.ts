import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "@playwright/test";
import { axeFinds } from "./support/axe.ts";
import { query } from "./support/installation.ts";
import { addMember, type Member } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { startPostcard, type PostcardServer } from "./support/postcard-server.ts";
import {
  desktop,
  enterAs,
  expect,
  expectNoSidewaysScroll,
  phone,
  test,
} from "./support/stories.ts";

// A separate server: who may sign up is decided for the whole site.
test.describe.configure({ mode: "serial", timeout: 180_000 });

let server: PostcardServer;
let opal: Member;
let backups: string;

test.beforeAll(async () => {
  backups = await mkdtemp(join(tmpdir(), "postcard-backups-"));
  server = await startPostcard({ BACKUP_DIR: backups });
  opal = await addMember(server.url, { firstName: "Opal", secondName: "Operator" });
});
test.afterAll(async () => {
  await server.stop();
  await rm(backups, { recursive: true, force: true, maxRetries: 5 });
});

/** The link that a server's start writes into its log, as stored in its row. */
async function firstLink(): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const hash = createHash("sha256").update(token).digest();
  await query(
    server.url,
    `insert into operator_link (token_hash, expires_at) values ($1, now() + interval '1 hour')
     on conflict (is_only) do update set token_hash = excluded.token_hash,
       expires_at = excluded.expires_at, used_at = null`,
    [hash],
  );
  return `/operator/first/${token}`;
}

async function open(
  browser: Browser,
  who: Member | null,
  options: Parameters<typeof enterAs>[3] = {},
): Promise<Page> {
  const context = await enterAs(browser, server.url, who, { viewport: desktop, ...options });
  return context.newPage();
}

/** The scripts took over the page. */
const alive = (page: Page) => expect(page.locator("html[data-alive]")).toHaveCount(1);

test("the link of the log leads a visitor through signing in and makes them the operator, once", async ({
  browser,
}) => {
  const link = await firstLink();
  const page = await open(browser, null);
  expect((await page.goto(link))?.status()).toBe(401);
  await alive(page);
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole("main").getByRole("link", { name: "Sign In" }).click();
  await page.getByLabel("Email").fill(opal.email);
  await page.getByLabel("Password", { exact: true }).fill(opal.password);
  await page.locator("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await page.getByRole("button", { name: "OK" }).click();
  await expect(page.getByRole("heading", { name: "Look after this place?" })).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await page.getByRole("button", { name: "Become the operator" }).click();
  await expect(page.getByRole("heading", { name: "Overview" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Operator", exact: true })).toBeVisible();

  const late = await addMember(server.url, { firstName: "Lee", secondName: "Late" });
  const other = await open(browser, late);
  expect((await other.goto(link))?.status()).toBe(409);
  await expect(other.getByText("This place already has an operator.")).toBeVisible();
  expect((await other.goto("/operator"))?.status()).toBe(404);
  expect((await other.goto("/operator/people"))?.status()).toBe(404);
  await expect(other.getByRole("link", { name: "Operator", exact: true })).toHaveCount(0);
  const visitor = await open(browser, null);
  expect((await visitor.goto("/operator/log"))?.status()).toBe(401);
});

test("without scripts an operator closes sign-up, invites somebody, who signs up, and suspends them", async ({
  browser,
}) => {
  const plain = { javaScriptEnabled: false };
  const page = await open(browser, opal, plain);
  await page.goto("/operator/place");
  await page.getByLabel("People with an invitation").check();
  await page.getByRole("textbox", { name: "Name" }).fill("Harbour");
  await page.getByLabel("Storage for each member").fill("plenty");
  await page.getByLabel("Your current password").fill("a wrong one");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("This isn't your current password.")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Harbour");
  await page.getByLabel("Your current password").fill(opal.password);
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Not a value for this:")).toBeVisible();
  await expect(page.getByRole("textbox", { name: "Name" })).toHaveValue("Harbour");
  // asked for once
  await expect(page.getByLabel("Your current password")).toHaveCount(0);
  await page.getByLabel("Storage for each member").fill("2 GB");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();

  await page.goto("/operator/invitations");
  await page.getByLabel("For (your note)").fill("Aunt May");
  await page.getByRole("button", { name: "Create links" }).click();
  const link = await page.getByText("/signUp?invitation=").textContent();
  await expect(page.getByText("Aunt May")).toBeVisible();

  const may = await open(browser, null, plain);
  await may.goto(link ?? "");
  const code = new URL(link ?? "").searchParams.get("invitation") ?? "";
  await expect(may.getByLabel("Invitation")).toHaveValue(code);
  const form = new FormData();
  const fields = { email: "may@example.org", password: opal.password, firstName: "May" };
  for (const [name, value] of Object.entries({ ...fields, invitation: code }))
    form.set(name, value);
  form.set("secondName", "Parker");
  const avatar = await plainPhoto("#2b6cc9");
  form.set("picture", new Blob([new Uint8Array(avatar.buffer)]), avatar.name);
  const answer = await fetch(`${server.url}/signUp`, {
    method: "POST",
    redirect: "manual",
    headers: { Origin: server.url },
    body: form,
  });
  expect(answer.headers.getSetCookie().join()).toContain("session");

  await page.goto("/operator/people?q=may");
  await page.getByRole("link", { name: "May Parker" }).click();
  await page.getByText("No one can see them or their posts").click();
  await page.getByLabel("No end date").check();
  await page.getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByText("Please write a reason.")).toBeVisible();
  await expect(page.getByLabel("No end date")).toBeChecked();
  await page.getByLabel("Your reason").fill("Only adverts");
  await page.getByRole("button", { name: "Suspend" }).click();
  await expect(page.getByText("is suspended: hidden, and signed out everywhere.")).toBeVisible();

  await may.goto("/signIn");
  await may.getByLabel("Email").fill("may@example.org");
  await may.getByLabel("Password", { exact: true }).fill(opal.password);
  await may.locator("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await expect(may.getByText("Only adverts")).toBeVisible();

  await page.goto("/operator/log");
  await expect(page.getByText("Opal Operator suspended May Parker")).toBeVisible();
  await expect(page.getByText("Name: Harbour")).toBeVisible();
});

for (const theme of ["light", "synthwave"] as const) {
  for (const viewport of [phone, desktop]) {
    test(`the operator's pages are not cut off at ${viewport.width} in ${theme}`, async ({
      browser,
    }) => {
      const page = await open(browser, opal, { theme, viewport });
      await query(
        server.url,
        `insert into recent_errors (id, message, detail) values (gen_random_uuid(), 'a job was given up', 'Error ECONNREFUSED: connect')`,
        [],
      );
      await query(
        server.url,
        `insert into failed_jobs (id, name, data, error) values (gen_random_uuid(), 'mail', '{}', 'Error: the mail server hung up')`,
        [],
      );
      const paths = ["", "/people", `/people/${opal.id}`, "/invitations", "/place", "/log"];
      for (const path of paths) {
        await page.goto(`/operator${path}`);
        await alive(page);
        await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
        expect(await axeFinds(page), path).toEqual([]);
        await expectNoSidewaysScroll(page);
      }
    });
  }
}

test("without scripts the operator's first line says how many things need them, and each has its button", async ({
  browser,
}) => {
  const page = await open(browser, opal, { javaScriptEnabled: false });
  await query(server.url, "delete from failed_jobs", []);
  await page.goto("/operator");
  const needs = page.getByRole("region", { name: /thing|All well/ });
  // This installation backs itself up and sends no email.
  await expect(needs.getByRole("heading")).toHaveText("1 thing needs you");
  await expect(needs.getByText("Email isn't set up.")).toBeVisible();
  await needs.getByText("Set up", { exact: true }).click();
  await expect(needs.getByText("Set SMTP_URL to the address")).toBeVisible();

  await query(
    server.url,
    `insert into failed_jobs (id, name, data, error)
     values (gen_random_uuid(), 'avif', '{}', 'Error: no'), (gen_random_uuid(), 'avif', '{}', 'Error: no')`,
    [],
  );
  await query(
    server.url,
    `insert into troubles (id, kind, place, said)
     values (gen_random_uuid(), 'disk', 'story', 'The disk of /data has 1 GB of 100 GB free (1 %).')`,
    [],
  );
  await page.reload();
  await expect(needs.getByRole("heading")).toHaveText("3 things need you");
  await expect(needs.getByRole("listitem")).toHaveCount(3);
  await expect(needs.getByText("2 jobs failed.")).toBeVisible();
  await expect(page.getByText("avif")).toHaveCount(0);
  await expect(needs.getByRole("link", { name: "See storage" })).toHaveAttribute(
    "href",
    "#storage",
  );
  await needs.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByText("They are tried again now.")).toBeVisible();
  await expect(needs.getByRole("heading")).toHaveText("2 things need you");
  // A friend's page: nobody to follow beside it.
  await expect(page.getByRole("complementary", { name: "About" })).toBeHidden();

  await query(server.url, "delete from troubles", []);
});

test("the operator's page lists a real backup with its test, and the checks run when asked", async ({
  browser,
}) => {
  const page = await open(browser, opal, { viewport: phone });
  await page.goto("/operator");
  await alive(page);
  const checks = page.getByRole("region", { name: "Checks" });
  await checks.getByRole("button", { name: "Run checks" }).click();
  await expect(page.getByText("The checks are running.")).toBeVisible();
  // They run in a process of their own, and the page asks for the result.
  await expect(checks.getByText("Last checked")).toBeVisible({ timeout: 120_000 });
  await expect(checks.getByRole("button", { name: "Run checks" })).toBeVisible();
  await checks.getByText("All other checks").click();
  await expect(checks.getByText("All of them match.")).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);

  // Taken by the server itself after its start, and restored as a drill.
  await expect(async () => {
    await page.reload();
    await expect(page.getByText("Tested in")).toContainText("all good", { timeout: 1000 });
  }).toPass({ timeout: 150_000, intervals: [1000] });
  await expect(page.getByText(/ of data, \d+ photos? \(/)).toBeVisible();
  const section = page.getByRole("region", { name: "Backups" });
  await expect(section.getByText("Last restored as a test")).toBeVisible();
  await section.getByText("How to restore").click();
  await expect(section.getByText(`npm run restore -- ${backups}`)).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);

  // Another one when asked, without scripts as well.
  const plain = await open(browser, opal, { viewport: phone, javaScriptEnabled: false });
  await plain.goto("/operator");
  await plain.getByRole("button", { name: "Back up now" }).click();
  await expect(plain.getByText("A backup has begun.")).toBeVisible();
  await expect(async () => {
    await page.reload();
    await expect(section.getByText("Earlier backups")).toBeVisible({ timeout: 1000 });
  }).toPass({ timeout: 150_000, intervals: [1000] });
  await expectNoSidewaysScroll(page);
});

test("the only operator is warned before deleting the account that nobody would look after the site", async ({
  browser,
}) => {
  const page = await open(browser, opal, { viewport: phone });
  await page.goto("/settings/delete");
  await alive(page);
  await expect(page.getByText("You're the only operator. If you leave")).toBeVisible();
  expect(await axeFinds(page)).toEqual([]);
  await expectNoSidewaysScroll(page);
  const lou = await addMember(server.url, { firstName: "Lou", secondName: "Second" });
  await query(server.url, "update accounts set role = 'operator' where id = $1", [lou.id]);
  await page.reload();
  await expect(page.getByRole("button", { name: "Delete my account" })).toBeVisible();
  await expect(page.getByText("You're the only operator. If you leave")).toHaveCount(0);
  await query(server.url, "update accounts set role = 'member' where id = $1", [lou.id]);
});

test("by keyboard an operator changes an account's role, and the last operator keeps theirs", async ({
  browser,
}) => {
  const page = await open(browser, opal);
  await page.goto(`/operator/people/${opal.id}`);
  await alive(page);
  await page.locator("summary", { hasText: "Role" }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel(/^Member/).focus();
  await page.keyboard.press("Space");
  const password = page.getByLabel("Your current password");
  if ((await password.count()) > 0) await password.last().fill(opal.password);
  await page.getByRole("button", { name: "Save role" }).press("Enter");
  await expect(page.getByText("You're the only operator.")).toBeVisible();
});
