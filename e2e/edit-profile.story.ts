import { addMember } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { expectDrawn, servedVariants } from "./support/served-images.ts";
import { expect, expectNoSidewaysScroll, test } from "./support/stories.ts";

test("a member edits picture, names, bio and website, and everybody sees it", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Edda", secondName: "Before" });
  const page = await open(member);
  await page.goto("/profile");
  await page.getByRole("link", { name: "Edit Profile" }).click();
  await expect(page).toHaveURL("/profile/edit");
  await expect(page.getByLabel("First name")).toHaveValue("Edda");

  const before = page.locator("main form img").last();
  const [formerAvatar] = await servedVariants(before).catch(() => []);
  await page.locator('input[name="image"]').setInputFiles(await plainPhoto("#207a50"));
  await expect(page.getByAltText("Your choice")).toBeVisible();
  await page.getByLabel("Second name").fill("Afterwards");
  await page.getByLabel("Bio").fill("I write letters.\nSometimes.");
  await page.getByRole("button", { name: "Add website" }).click();
  const dialog = page.getByRole("dialog", { name: "Your website" });
  await dialog.getByLabel("Address").fill("example");
  await dialog.getByRole("button", { name: "OK" }).click();
  await expect(dialog.getByText("Invalid URL")).toBeVisible();
  await dialog.getByLabel("Address").fill("example.org/letters");
  await expect(dialog.getByText("Invalid URL")).toBeHidden();
  await dialog.getByRole("button", { name: "OK" }).click();
  await expect(page.getByRole("textbox", { name: "Website" })).toHaveValue(
    "https://example.org/letters",
  );

  await page.getByRole("button", { name: "Save Changes" }).click();
  const success = page.getByRole("dialog", { name: "Success" });
  await expect(success).toContainText("Saved Changes");
  await success.getByRole("button", { name: "OK" }).click();
  await expect(page).toHaveURL("/profile");
  await expect(page.getByRole("heading", { name: "Edda Afterwards" })).toBeVisible();

  const visitor = await open(null);
  await visitor.goto(`/search/${member.id}`);
  await expect(visitor.getByRole("heading", { name: "BIO" })).toBeVisible();
  await expect(visitor.getByText("I write letters.")).toBeVisible();
  const link = visitor.getByRole("link", { name: "example.org/letters" });
  await expect(link).toHaveAttribute("href", "https://example.org/letters");
  await expect(link).toHaveAttribute("rel", /nofollow/);
  await expect(link).toHaveAttribute("rel", /noopener/);
  await expectDrawn(visitor.locator("header img[srcset]").last());
  await expect(visitor.getByText("Edit Profile")).toHaveCount(0);
  if (formerAvatar) {
    expect((await visitor.request.get(formerAvatar.url)).status()).toBe(404);
  }
});

test("leaving with changes asks first, and staying keeps them", async ({ open, postcard }) => {
  const member = await addMember(postcard, { firstName: "Lea", secondName: "Leaving" });
  const page = await open(member);
  await page.goto("/profile/edit");
  const cancel = page.locator("main").getByRole("link", { name: "Cancel" });
  const bio = page.getByLabel("Bio");
  const question = page.getByRole("dialog", { name: "Leave without saving?" });
  // Nothing was changed, so there is no question.
  await cancel.click();
  await expect(page).toHaveURL("/profile");
  await page.getByRole("link", { name: "Edit Profile" }).click();
  await bio.fill("Half a sentence");
  await cancel.click();
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(page).toHaveURL("/profile/edit");
  await expect(bio).toHaveValue("Half a sentence");
  await page.goBack();
  await question.getByRole("button", { name: "Stay" }).click();
  await expect(bio).toHaveValue("Half a sentence");
  await cancel.click();
  await question.getByRole("button", { name: "Leave" }).click();
  await expect(page).toHaveURL("/profile");
  await expect(page.getByText("Half a sentence")).toHaveCount(0);
});

test("names are required, on submit and then while typing", async ({ open, postcard }) => {
  const member = await addMember(postcard, { firstName: "", secondName: "" });
  const page = await open(member);
  await page.goto("/profile/edit");
  await expect(page.getByText("People only see your username for now.")).toBeVisible();
  await expect(page.getByText("required*")).toHaveCount(0);
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("required*")).toHaveCount(2);
  await expect(page.getByLabel("First name")).toBeFocused();
  await page.getByLabel("First name").fill("Nora");
  await expect(page.getByText("required*")).toHaveCount(1);
  await page.getByLabel("Second name").fill("Named");
  await expect(page.getByText("required*")).toHaveCount(0);
  await page.getByLabel("Bio").fill("👨‍👩‍👧‍👦".repeat(501));
  await expect(page.getByText("1 too many").first()).toBeVisible();
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("Bio can have 500 characters; this is 1 too many.")).toBeVisible();
  await page.getByLabel("Bio").fill("👨‍👩‍👧‍👦".repeat(500));
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("Saved Changes")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page).toHaveURL("/profile");
  await expect(page.getByRole("heading", { name: "Nora Named" })).toBeVisible();
  await expectNoSidewaysScroll(page);
});

test("when the server or the network is away, words and avatar stay and are saved afterwards", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Wanda", secondName: "Waiting" });
  const page = await open(member, { expects: /status of 500|ERR_FAILED/ });
  await page.goto("/profile/edit");
  await page.getByLabel("Bio").fill("Typed with care");
  await page.locator('input[name="image"]').setInputFiles(await plainPhoto("#7a2050"));
  await expect(page.getByText("This is how others will see you.")).toBeVisible();
  const save = page.getByRole("button", { name: "Save Changes" });

  await page.route("**/calls/edit-profile", (route) => route.abort());
  await save.click();
  await expect(page.getByText("We couldn't reach Postcard.")).toBeVisible();
  await page.unroute("**/calls/edit-profile");
  await page.route("**/calls/edit-profile", (route) => route.fulfill({ status: 500, body: "" }));
  await save.click();
  await expect(page.getByText("Something went wrong on our side.")).toBeVisible();
  await expect(page.getByLabel("Bio")).toHaveValue("Typed with care");
  await expect(page.getByAltText("Your choice")).toBeVisible();
  await page.unroute("**/calls/edit-profile");
  await save.click();
  await expect(page.getByText("Saved Changes")).toBeVisible();
  await page.getByRole("button", { name: "OK" }).click();
  await expect(page.getByText("Typed with care")).toBeVisible();
});

test("without scripts a profile is edited in one form, and what was chosen survives a refusal", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Paula", secondName: "Plain" });
  const page = await open(member, { javaScriptEnabled: false, expects: /status of 400/ });
  await page.goto("/profile/edit");
  await page.locator('input[name="image"]').setInputFiles(await plainPhoto("#104080"));
  await page.getByLabel("First name").fill("");
  await page.getByLabel("Bio").fill("<script>alert(1)</script>");
  await page.getByRole("textbox", { name: "Website" }).fill("javascript:alert(1)");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("required*")).toBeVisible();
  await expect(page.getByText("Invalid URL")).toBeVisible();
  await expect(page.getByText("Your new picture is still here.")).toBeVisible();
  await expect(page.getByLabel("Bio")).toHaveValue("<script>alert(1)</script>");
  await expect(page.getByRole("textbox", { name: "Website" })).toHaveValue("javascript:alert(1)");
  await page.getByLabel("First name").fill("Pauline");
  await page.getByRole("textbox", { name: "Website" }).fill("https://plain.example");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(page.getByText("Saved Changes")).toBeVisible();
  await page.getByRole("link", { name: "OK" }).click();
  await expect(page).toHaveURL("/profile");
  await expect(page.getByRole("heading", { name: "Pauline Plain" })).toBeVisible();
  await expect(page.getByText("<script>alert(1)</script>")).toBeVisible();
  await expect(page.getByRole("link", { name: "plain.example" })).toBeVisible();
});

test("without scripts a profile has fields of any name, and what was typed survives a refusal", async ({
  open,
  postcard,
}) => {
  const member = await addMember(postcard, { firstName: "Flora", secondName: "Fields" });
  const page = await open(member, { javaScriptEnabled: false, expects: /status of 400/ });
  await page.goto("/profile/edit");
  await page.getByLabel("Label 1").fill("Pronouns");
  await page.getByLabel("Text 1").fill("she/her");
  await page.getByLabel("Label 3").fill("x".repeat(256));
  await page.getByLabel("Text 3").fill("https://flora.example/garden");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await expect(
    page.getByText("A field can have 255 characters; this is 1 too many."),
  ).toBeVisible();
  await expect(page.getByLabel("Text 3")).toHaveValue("https://flora.example/garden");
  await page.getByLabel("Label 3").fill("Garden");
  await page.getByRole("button", { name: "Save Changes" }).click();
  await page.getByRole("link", { name: "OK" }).click();
  await expect(page).toHaveURL("/profile");

  const visitor = await open(null);
  await visitor.goto(`/users/${member.id}`);
  await expect(visitor).toHaveURL(`/search/${member.id}`);
  await expect(visitor.getByRole("term")).toHaveText(["Pronouns", "Garden"]);
  await expect(visitor.getByRole("definition").first()).toHaveText("she/her");
  const link = visitor.getByRole("link", { name: "flora.example/garden" });
  await expect(link).toHaveAttribute("href", "https://flora.example/garden");
  await expect(link).toHaveAttribute("rel", /\bme\b.*nofollow/);
  await expectNoSidewaysScroll(visitor);
});

test("a visitor is asked to sign in before a profile can be edited", async ({ open }) => {
  const page = await open(null, { expects: /status of 401/ });
  await page.goto("/profile/edit");
  await expect(page.getByText("Please Sign In To Access This section")).toBeVisible();
  await expect(page).toHaveURL("/profile/edit");
});
