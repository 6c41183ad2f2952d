import sharp from "sharp";
import { addMember, follow, post } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expect, expectNoSidewaysScroll, test } from "./support/stories.ts";

test("web addresses in words and captions are safe links, everything else stays words", async ({
  open,
  postcard,
}) => {
  const writer = await addMember(postcard, { firstName: "Link", secondName: "Age" });
  const reader = await addMember(postcard, { firstName: "Click", secondName: "Er" });
  const long = `https://example.org/${"a-long-path/".repeat(30)}`;
  const words = `Read ${long} and www.example.com, not javascript:alert(1) or https://bank.example@evil.example/`;
  await post(postcard, writer, { caption: words });
  const photo = await plainPhoto("#334455");
  const path = await post(postcard, writer, { caption: "See https://example.org/?q=<b>", photo });
  await follow(postcard, reader, writer);

  const page = await open(reader);
  await page.goto("/");
  const outside = page.locator("main article a[href^='http']");
  await expect(outside).toHaveCount(3);
  for (const link of await outside.all()) {
    await expect(link).toHaveAttribute("rel", "nofollow ugc noopener noreferrer");
  }
  const shortened = page.getByRole("link", { name: /^example\.org\/a-long-path.*…$/ });
  await expect(shortened).toHaveAttribute("href", long);
  await expect(shortened).toHaveAttribute("title", long);
  await expect(page.getByRole("link", { name: "www.example.com", exact: true })).toHaveAttribute(
    "href",
    "https://www.example.com/",
  );
  await expect(page.getByRole("article").filter({ hasText: "javascript:" })).toContainText(
    "not javascript:alert(1) or https://bank.example@evil.example/",
  );
  await expectNoSidewaysScroll(page);
  await page.goto(path);
  await expect(page.getByRole("link", { name: "example.org/?q=" })).toHaveAttribute(
    "href",
    "https://example.org/?q=",
  );
});

test("a link to a post or a profile shows its photo and words elsewhere", async ({
  open,
  postcard,
  request,
}) => {
  const writer = await addMember(postcard, { firstName: "Card", secondName: "Writer" });
  const photo = await plainPhoto("#aa5522", 1600, 1200);
  const caption = `Over the bridge "and" far away.\n${"Long. ".repeat(80)}`;
  const path = await post(postcard, writer, { caption, alt: "A bridge", photo });
  const text = await post(postcard, writer, { caption: "Words alone" });
  const page = await open(null);
  const read = (name: string) =>
    page.evaluate((wanted) => {
      const found = [...document.head.querySelectorAll("meta")].filter(
        (meta) => (meta.getAttribute("property") ?? meta.name) === wanted,
      );
      return found.length === 1 ? (found[0]?.content ?? null) : found.length;
    }, name);
  const canonical = () => page.locator("link[rel=canonical]").getAttribute("href");

  // It can be found by the email too, but it has one address.
  await page.goto(path.replace(writer.username, encodeURIComponent(writer.email)));
  expect(await canonical()).toBe(postcard + path);
  expect(await read("og:url")).toBe(postcard + path);
  expect(await read("og:title")).toBe("Card Writer on Postcard");
  expect(await read("og:description")).toMatch(/^Over the bridge "and" far away\. Long\..*…$/);
  expect(await read("description")).toBe(await read("og:description"));
  expect(await read("twitter:card")).toBe("summary_large_image");
  expect(await read("og:image:alt")).toBe("A bridge");
  const image = String(await read("og:image"));
  expect(image.startsWith(`${postcard}/images/`)).toBe(true);
  const answer = await request.get(image);
  expect(answer.headers()["content-type"]).toBe(await read("og:image:type"));
  const { width, height } = await sharp(await answer.body()).metadata();
  expect([String(width), String(height)]).toEqual([
    await read("og:image:width"),
    await read("og:image:height"),
  ]);
  expect(width).toBe(1280);

  await page.goto(text);
  expect(await read("twitter:card")).toBe("summary");
  expect(await read("og:image")).toBe(0);
  await expect(page).toHaveTitle("Words alone · Card Writer · Postcard");

  await page.goto(`/search/${writer.id}?tab=texts`);
  expect(await canonical()).toBe(`${postcard}/search/${writer.id}`);
  expect(await read("og:type")).toBe("profile");
  expect(await read("profile:username")).toBe(writer.username);
  expect(await read("og:image")).toMatch(/\/images\/.*\.webp$/);
});

test("every screen has its own title, and icons, manifest and robots.txt are served", async ({
  open,
  postcard,
  request,
}) => {
  const writer = await addMember(postcard, { firstName: "Titus", secondName: "Title" });
  const path = await post(postcard, writer, { caption: "A title from words" });
  const member = await open(writer, { expects: /status of 404/ });
  const titles: [string, string][] = [
    ["/", "Postcard"],
    ["/search", "Search · Postcard"],
    ["/search?q=titus", "titus · Search · Postcard"],
    [path, "A title from words · Titus Title · Postcard"],
    ["/saved", "Saved · Postcard"],
    ["/profile", "Titus Title · Postcard"],
    ["/profile/edit", "Edit Profile · Postcard"],
    [`/profile/followers/${writer.id}`, "Followers · Titus Title · Postcard"],
    [`/profile/following/${writer.id}`, "Following · Titus Title · Postcard"],
    ["/settings", "Settings · Postcard"],
    ["/upload", "New post · Postcard"],
    ["/chat", "Chats · Postcard"],
    ["/notifications", "Notifications · Postcard"],
  ];
  for (const [address, title] of titles) {
    await member.goto(address);
    await expect(member, address).toHaveTitle(title);
    await expect(member.locator("head title"), address).toHaveCount(1);
  }
  await member.goto("/nowhere");
  await expect(member).not.toHaveTitle("Postcard");
  const visitor = await open(null, { expects: /status of 401/ });
  for (const [address, title] of [
    ["/signIn", "Sign In · Postcard"],
    ["/signUp", "Sign Up · Postcard"],
    [`/search/${writer.id}`, "Titus Title · Postcard"],
    ["/profile", "Sign In · Postcard"],
  ] as const) {
    await visitor.goto(address);
    await expect(visitor, address).toHaveTitle(title);
  }

  for (const [file, type] of [
    ["/favicon.svg", "image/svg+xml"],
    ["/favicon.ico", "image/vnd.microsoft.icon"],
    ["/icon-180.png", "image/png"],
    ["/icon-512.png", "image/png"],
    ["/manifest.webmanifest", "application/manifest+json"],
    ["/robots.txt", "text/plain"],
  ] as const) {
    const answer = await request.get(postcard + file);
    expect(answer.status(), file).toBe(200);
    expect(answer.headers()["content-type"], file).toContain(type);
  }
});
