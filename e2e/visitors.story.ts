import { addMember, post } from "./support/members.ts";
import { desktop, expect, test } from "./support/stories.ts";

test("a visitor who clicks Follow is sent to sign in and comes back", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Berta", secondName: "Brief" });
  const reader = await addMember(postcard, { firstName: "Carl", secondName: "Comesback" });
  const page = await open(null);
  await page.goto(`/search/${writer.id}?tab=texts`);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(page).toHaveURL(/\/signIn\?/);
  await page.getByLabel("Email").fill(reader.email);
  await page.getByLabel("Password", { exact: true }).fill(reader.password);
  await page.locator("main").getByRole("button", { name: "Sign In", exact: true }).click();
  await page.getByRole("button", { name: "OK" }).click();
  await expect(page).toHaveURL(`/search/${writer.id}?tab=texts`);
  await page.getByRole("button", { name: "Follow", exact: true }).click();
  await expect(page.getByRole("button", { name: "Following", exact: true })).toBeVisible();
});

test("pages for members ask a visitor to sign in, in place, and keep their address", async ({
  open,
}) => {
  const page = await open(null, { expects: /status of 401/ });
  for (const path of ["/", "/upload", "/profile?tab=texts", "/saved", "/notifications", "/chat"]) {
    const answer = await page.goto(path);
    expect(answer?.status(), path).toBe(401);
    await expect(page.getByText("Please Sign In To Access This section")).toBeVisible();
    await expect(page).toHaveURL(path);
    const signIn = page.locator("main").getByRole("link", { name: "Sign In" });
    const back = new URL((await signIn.getAttribute("href")) ?? "", "http://story").searchParams;
    expect(back.get("returnTo") ?? "/").toBe(path);
  }
});

test("what stands beside a visitor's pages stands as high as they do", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Same", secondName: "Height" });
  await post(postcard, writer, { caption: "A line.\n".repeat(60) });
  const page = await open(null, { viewport: desktop, expects: /status of 401/ });
  for (const path of ["/", `/search/${writer.id}?tab=texts`, "/search"]) {
    await page.goto(path);
    const beside = await page.getByRole("complementary", { name: "About" }).boundingBox();
    const main = await page.locator("main").boundingBox();
    expect(beside?.y, path).toBe(main?.y);
  }
});

test("a visitor reads profiles, lists and posts; what does not exist is a real 404", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Open", secondName: "House" });
  const path = await post(postcard, writer, { caption: "Come in." });
  const page = await open(null, { expects: /status of 404/ });
  for (const open of [
    path,
    path.toUpperCase().replace(/^\/POST/, "/Post"),
    `/post/${encodeURIComponent(writer.email)}/1`,
    `/search/${writer.id}?tab=texts`,
  ]) {
    expect((await page.goto(open))?.status(), open).toBe(200);
    await expect(page.getByText("Come in.")).toBeVisible();
    expect(await page.content()).not.toContain(writer.email);
  }
  for (const list of ["followers", "following"]) {
    expect((await page.goto(`/profile/${list}/${writer.id}`))?.status()).toBe(200);
    await expect(page.getByText("Nobody yet")).toBeVisible();
  }
  const nobody = "01900000-0000-7000-8000-000000000000";
  for (const missing of [
    `/post/${writer.username}/2`,
    `/post/${writer.username}/01`,
    "/post/nobody_at_all/1",
    `/search/${nobody}`,
    "/search/not-an-id",
    `/profile/followers/${nobody}`,
    "/no/such/page",
  ]) {
    expect((await page.goto(missing))?.status(), missing).toBe(404);
  }
});

test("times are the reader's own, in words, and exact on hover", async ({ open, postcard }) => {
  const writer = await addMember(postcard, { firstName: "Tick", secondName: "Tock" });
  const path = await post(postcard, writer, { caption: "Now." });
  const shown: string[] = [];
  for (const timezoneId of ["Asia/Tokyo", "America/St_Johns"]) {
    const page = await open(null, { timezoneId });
    await page.goto(path);
    const time = page.locator("time");
    await expect(time).toHaveAttribute("title", new RegExp(timezoneId));
    const at = new Date((await time.getAttribute("datetime")) ?? "");
    const format = {
      hour: "numeric",
      minute: "2-digit",
      hour12: true,
      timeZone: timezoneId,
    } as const;
    const clock = at.toLocaleTimeString("en-US", format).replace(/\s/g, " ").toLowerCase();
    await expect(time).toHaveText(new RegExp(`^(Today|Yesterday), ${clock}$`));
    shown.push(await time.innerText());
    // The next page comes from the server in that zone already.
    await page.reload({ waitUntil: "commit" });
    expect(await (await page.request.get(path)).text()).toContain(clock);
  }
  expect(shown[0]).not.toBe(shown[1]);
});
