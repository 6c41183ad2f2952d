import { axeFinds } from "./support/axe.ts";
import { query } from "./support/installation.ts";
import { addMember } from "./support/members.ts";
import {
  addPasskey,
  authenticatorOf,
  passkeysAddress as address,
  passkeysSection as section,
} from "./support/passkeys.ts";
import { desktop, expect, expectNoSidewaysScroll, test } from "./support/stories.ts";

test("a member makes a passkey, signs in with it and nothing else, and removes it", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Kia", secondName: "Keys" });
  const page = await open(member, { expects: /status of 40\d/ });
  await authenticatorOf(page);
  await addPasskey(page, "not my password", "My phone");
  await expect(section(page).getByText("This isn't your current password.")).toBeVisible();
  await section(page).getByLabel("Your password").fill(member.password);
  await section(page).getByRole("button", { name: "Add a passkey" }).click();
  const listed = section(page).getByRole("listitem");
  await expect(listed).toHaveCount(1);
  await expect(listed).toContainText("My phone");
  await expect(listed).toContainText("Not used yet");
  expect(await axeFinds(page)).toEqual([]);
  await expectNoSidewaysScroll(page);

  // The same device again: it refuses by itself.
  await addPasskey(page, member.password);
  await expect(page.getByText("This device already has a passkey for your account.")).toBeVisible();

  await page.context().clearCookies();
  await page.goto("/signIn?returnTo=/saved");
  const sent = page.waitForRequest("**/calls/passkey-sign-in/answer");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByRole("dialog", { name: "Success" })).toContainText(
    "Signed In Successfully",
  );
  const request = await sent;
  const again = await fetch(request.url(), {
    method: "POST",
    headers: {
      Origin: postcard,
      Cookie: (await request.allHeaders())["cookie"] ?? "",
      "Content-Type": "application/json",
    },
    body: request.postData(),
  });
  expect(again.status, "a passkey's answer is accepted once").toBe(400);
  expect(again.headers.getSetCookie()).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/saved");
  await expect(page.getByRole("heading", { name: "Saved" })).toBeVisible();

  await page.goto(address);
  await expect(listed).toContainText("Last used: Today");
  await section(page).getByRole("button", { name: "Remove My phone" }).click();
  await expect(page.getByText("That passkey no longer works.")).toBeVisible();
  await expect(listed).toHaveCount(0);

  await page.context().clearCookies();
  await page.goto("/signIn");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("We don't recognize this passkey.")).toBeVisible();
});

test("a passkey of a suspended account leads to the reason, and one of an account being deleted to keeping it", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Sue", secondName: "Spended" });
  const page = await open(member);
  await authenticatorOf(page);
  await addPasskey(page, member.password);
  await expect(section(page).getByRole("listitem")).toHaveCount(1);
  // The page is read again until then, as somebody who is not suspended.
  await expect(section(page).getByText("Your passkey is ready.")).toBeVisible();
  const signsIn = async (state: string) => {
    await query(postcard, `update accounts set ${state} where id = $1`, [member.id]);
    await page.context().clearCookies();
    await page.goto("/signIn");
    await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  };
  await signsIn("suspended_at = now()");
  await expect(page).toHaveURL("/suspended");
  await expect(page.getByRole("heading", { name: "Your account is suspended" })).toBeVisible();
  await expect(page.getByText("Sue Spended")).toBeVisible();
  await signsIn(
    "suspended_at = null, deleted_at = now(), deletion_due_at = now() + interval '7 days'",
  );
  await expect(page).toHaveURL("/keepAccount");
  await expect(page.getByRole("heading", { name: "Welcome back" })).toBeVisible();
});

test("a device that does not verify its owner, or is cancelled, makes no passkey and signs nobody in", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Una", secondName: "Unverified" });
  const page = await open(member, { viewport: desktop, expects: /status of 40[01]/ });
  const { devtools, authenticatorId } = await authenticatorOf(page, { verifies: false });
  await addPasskey(page, member.password);
  await expect(section(page).getByRole("button", { name: "Add a passkey" })).not.toHaveAttribute(
    "aria-busy",
    "true",
  );
  await expect(section(page).getByRole("listitem")).toHaveCount(0);

  await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: true });
  await addPasskey(page, member.password);
  await expect(section(page).getByRole("listitem")).toContainText("Chrome on Linux");
  await devtools.send("WebAuthn.setUserVerified", { authenticatorId, isUserVerified: false });
  await page.context().clearCookies();
  // A browser that was set not to ask: the server checks by itself.
  await page.route("**/calls/passkey-sign-in", async (route) => {
    const answer = await route.fetch();
    const body = (await answer.text()).replace(
      '"userVerification":"required"',
      '"userVerification":"discouraged"',
    );
    await route.fulfill({ response: answer, body });
  });
  await page.goto("/signIn");
  await page.getByRole("button", { name: "Sign in with a passkey" }).click();
  await expect(page.getByText("The passkey didn't work.")).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  expect((await page.goto("/settings/security"))?.status()).toBe(401);
});

test("opened at an IP address, where passkeys cannot work, none is offered", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Ira", secondName: "Address" });
  const page = await open(null);
  const { port } = new URL(postcard);
  await page.goto(`http://127.0.0.1:${port}/signIn`);
  const signIn = page.locator("main").getByRole("button", { name: "Sign In", exact: true });
  await expect(signIn).toBeVisible();
  await expect(page.getByRole("button", { name: "Sign in with a passkey" })).toHaveCount(0);
  await page.getByLabel("Email").fill(member.email);
  await page.getByLabel("Password", { exact: true }).fill(member.password);
  await signIn.click();
  await page.getByRole("button", { name: "OK" }).click();
  await page.goto(`http://127.0.0.1:${port}${address}`);
  await expect(section(page)).toContainText("passkeys only work at an https address with a name");
  await expect(section(page).getByRole("button", { name: "Add a passkey" })).toHaveCount(0);
});
