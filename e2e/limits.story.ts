import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { limits } from "../shared/limits.ts";
import { addMember, enter, type Member } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { startPostcard, type PostcardServer } from "./support/postcard-server.ts";
import { expect, expectNoSidewaysScroll, phone, test } from "./support/stories.ts";

const program = fileURLToPath(new URL("../server/admin.ts", import.meta.url));

// One server for all of them, one after the other: a setting applies to everybody on it.
test.describe.configure({ mode: "default" });

let server: PostcardServer;

test.beforeAll(async () => {
  server = await startPostcard({ RATE_LIMITS: "on" });
});
test.afterAll(async () => {
  await server.stop();
});

/** The operator's command, beside the running server. */
async function admin(...words: string[]): Promise<string> {
  const env = { ...process.env, DATA_DIR: server.dataDir, DATABASE_URL: "" };
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...words], { env });
  return stdout;
}

test("the operator closes the sign-up, invites one person, and the invitation is good once", async ({
  browser,
}) => {
  const context = await browser.newContext({
    baseURL: server.url,
    viewport: phone,
    javaScriptEnabled: false,
  });
  const page = await context.newPage();
  await admin("set", "sign-up", "closed");
  await page.goto("/signUp");
  await expect(page.getByText("isn't accepting new accounts right now")).toBeVisible();
  await expect(page.locator("main form")).toHaveCount(0);

  await admin("set", "sign-up", "invitation");
  const [, code = ""] = /\?invitation=(\S+)/.exec(await admin("invite")) ?? [];
  const fill = async (email: string) => {
    await page.locator("input[type=file]").setInputFiles(await plainPhoto("#20506a"));
    await page.getByLabel("Email").fill(email);
    await page.getByLabel("Password", { exact: true }).fill("correct horse battery 9");
    await page.locator("main").getByRole("button", { name: "Sign Up" }).click();
  };
  await page.goto("/");
  await expect(
    page.getByText("Ask the person who runs this place for an invitation."),
  ).toBeVisible();
  await page.goto("/signUp?invitation=WRONG");
  // Reported before anything is filled in.
  await expect(page.getByText("This invitation doesn't work")).toBeVisible();
  await fill("guest@example.org");
  await expect(page.getByText("This invitation doesn't work")).toBeVisible();
  await expect(page.getByLabel("Invitation")).toHaveValue("WRONG");
  await expect(page.getByLabel("Email")).toHaveValue("guest@example.org");

  await page.goto(`/signUp?invitation=${code}`);
  await expect(page.getByLabel("Invitation")).toHaveValue(code);
  await fill("guest@example.org");
  await expect(page.getByText("Account created Successfully")).toBeVisible();

  await context.clearCookies();
  await page.goto(`/signUp?invitation=${code}`);
  const used = page.getByText("This invitation was already used. Ask for another one.");
  await expect(used).toBeVisible();
  await expectNoSidewaysScroll(page);
  await fill("second.guest@example.org");
  await expect(used).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue("second.guest@example.org");
  // Another code in its field is enough.
  const [, other = ""] = /\?invitation=(\S+)/.exec(await admin("invite")) ?? [];
  await page.getByLabel("Invitation").fill(other);
  await page.locator("input[type=file]").setInputFiles(await plainPhoto("#20506a"));
  await page.getByLabel("Password", { exact: true }).fill("correct horse battery 9");
  await page.locator("main").getByRole("button", { name: "Sign Up" }).click();
  await expect(page.getByText("Account created Successfully")).toBeVisible();
  await admin("set", "sign-up", "open");
  await context.close();
});

test("a member without storage left is informed in the composer, sees it in Settings, and keeps the words", async ({
  browser,
}) => {
  const member = await addMember(server.url, { firstName: "Fay", secondName: "Full" });
  await admin("quota", member.username, "0.001MB");
  const { page, context } = await opened(member);
  await page.goto("/upload");
  await page.getByLabel("Write a Caption").fill("These words stay.");
  await page.locator("input[type=file]").setInputFiles(await plainPhoto("#704030"));
  await page.locator("main").getByRole("button", { name: "Post", exact: true }).click();
  await expect(page.getByText("Your storage is full: you can use 1 kB.")).toBeVisible();
  await expect(page.getByLabel("Write a Caption")).toHaveValue("These words stay.");
  await page.goto("/settings");
  await expect(page.getByText(/^You use [\d.]+ (kB|MB) of 1 kB\.$/)).toBeVisible();
  await context.close();

  async function opened(who: Member) {
    const made = await browser.newContext({
      baseURL: server.url,
      viewport: phone,
      javaScriptEnabled: false,
    });
    await enter(made, server.url, who);
    return { page: await made.newPage(), context: made };
  }
});

test("a member who writes too much, or looks up too many emails, is told until when, and keeps the words", async ({
  browser,
}) => {
  const member = await addMember(server.url, { firstName: "Flo", secondName: "Od" });
  const context = await browser.newContext({ baseURL: server.url, viewport: phone });
  await enter(context, server.url, member);
  const page = await context.newPage();
  const headers = { origin: server.url };
  for (let n = 0; n < limits.writes.posts.newcomer; n += 1) {
    const words = { caption: `words ${n}`, clientKey: String(n) };
    expect((await post("/upload", words)).status).toBe(200);
  }
  const refusedCall = await page.request.post("/api/posts", { data: { caption: "more" }, headers });
  expect(refusedCall.status()).toBe(429);
  expect(Number(refusedCall.headers()["retry-after"])).toBeGreaterThan(0);
  expect(await post("/upload", { caption: "more" })).toEqual({ status: 429, waits: true });
  await page.goto("/upload");
  await page.getByLabel("Write a Caption").fill("One too many.");
  await page.locator("main").getByRole("button", { name: "Post", exact: true }).click();
  await expect(
    page.getByText("You've published a lot of posts in the last hour.").first(),
  ).toBeVisible();
  await expect(page.getByLabel("Write a Caption")).toHaveValue("One too many.");

  for (let n = 0; n < limits.emailSearch.queriesPerHour; n += 1) {
    expect((await page.request.get(`/post/nobody-${n}@x.example/1`)).status()).toBe(404);
  }
  const refused = await page.goto("/post/nobody-at-all@x.example/1");
  expect(refused?.status()).toBe(429);
  expect(Number(refused?.headers()["retry-after"])).toBeGreaterThan(0);
  await expect(page.getByText("You've looked up many different emails")).toBeVisible();
  const lookedUp = await page.request.delete("/api/posts/a@x.example/1", { headers });
  expect(lookedUp.status()).toBe(429);
  await context.close();

  async function post(path: string, form: Record<string, string>) {
    const answer = await page.request.post(path, { form, headers });
    return { status: answer.status(), waits: Number(answer.headers()["retry-after"]) > 0 };
  }
});
