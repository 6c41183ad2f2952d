import type { Page } from "@playwright/test";
import { befriend, chatPath, composer, expectSaid, log } from "./support/chats.ts";
import { addMember } from "./support/members.ts";
import { plainPhoto } from "./support/photos.ts";
import { desktop, expect, test } from "./support/stories.ts";

type Given = { name: string; type: string; bytes: number[] | number };

/** Drops files on the page, or pastes them into the field; returns whether the page accepted them. */
function give(page: Page, how: "drop" | "paste", files: Given[], words: string[] = []) {
  return page.evaluate(
    ([event, given, texts]) => {
      const data = new DataTransfer();
      for (const { name, type, bytes } of given) {
        const content = typeof bytes === "number" ? bytes : bytes.length;
        const array = new Uint8Array(content);
        if (typeof bytes !== "number") array.set(bytes);
        data.items.add(new File([array], name, { type }));
      }
      for (const type of texts) data.setData(type, "words");
      const options = { bubbles: true, cancelable: true };
      const target = event === "paste" ? document.querySelector("textarea") : document.body;
      return !target?.dispatchEvent(
        event === "paste"
          ? new ClipboardEvent("paste", { ...options, clipboardData: data })
          : new DragEvent("drop", { ...options, dataTransfer: data }),
      );
    },
    [how, files, words] as const,
  );
}

test("photos are dropped, pasted and chosen early in a conversation, over plain http too; those that fit stay, and are sent after a time offline", async ({
  open,
  postcard,
}) => {
  const ana = await addMember(postcard, { firstName: "Ana", secondName: "Abelard" });
  const bo = await addMember(postcard, { firstName: "Bo", secondName: "Brisket" });
  await befriend(postcard, ana, bo);
  const page = await open(ana, { viewport: desktop, expects: /net::ERR_/ });
  const red = await plainPhoto("#c0394b");
  const photo = (name: string): Given => ({ name, type: red.mimeType, bytes: [...red.buffer] });
  const chosen = page.getByRole("list", { name: "Photos to send" }).getByRole("listitem");

  await page.addInitScript(
    ([bytes, type]) => {
      Object.defineProperty(Crypto.prototype, "randomUUID", { value: undefined });
      // Somebody fast, before the scripts have loaded.
      new MutationObserver((_, observer) => {
        const field = document.querySelector<HTMLInputElement>("input[name=picture]");
        const words = document.querySelector<HTMLTextAreaElement>("textarea[name=body]");
        if (!field || !words) return;
        observer.disconnect();
        const data = new DataTransfer();
        data.items.add(new File([new Uint8Array(bytes)], "early.jpg", { type }));
        field.files = data.files;
        words.value = "Look at these";
      }).observe(document, { childList: true, subtree: true });
    },
    [[...red.buffer], red.mimeType] as const,
  );
  await page.goto(chatPath(ana, bo));
  await expect(chosen).toHaveCount(1);
  await expect(composer(page)).toHaveValue("Look at these");

  const note = { name: "note.pdf", type: "application/pdf", bytes: 3 };
  expect(await give(page, "drop", [photo("a.jpg"), note, photo("b.jpg")])).toBe(true);
  await expect(page.getByText("You can only send photos here.")).toBeVisible();
  await expect(chosen).toHaveCount(3);
  const heavy = { name: "heavy.jpg", type: "image/jpeg", bytes: 25 * 1024 * 1024 + 1 };
  expect(await give(page, "paste", [heavy, photo("c.jpg")])).toBe(true);
  await expect(page.getByText("This picture is larger than 25 MB.")).toBeVisible();
  await expect(chosen).toHaveCount(4);
  // Cells and paragraphs bring an image of themselves: they are pasted as text.
  const both = ["text/html", "text/plain"];
  expect(await give(page, "paste", [photo("cells.png")], both)).toBe(false);
  expect(await give(page, "paste", [photo("of a page.png")], ["text/html"])).toBe(true);
  await expect(chosen).toHaveCount(5);
  const many = Array.from({ length: 7 }, (_, index) => photo(`${index}.jpg`));
  await give(page, "drop", many);
  await expect(page.getByText("You can send up to 10 photos at once.")).toBeVisible();
  await expect(chosen).toHaveCount(10);
  for (let left = 10; left > 2; left -= 1) {
    await chosen.first().getByRole("button", { name: "Remove" }).click();
  }
  await expect(chosen).toHaveCount(2);
  await expect(composer(page)).toHaveValue("Look at these");

  await page.context().setOffline(true);
  await expect(page.getByText("You're offline.")).toBeVisible();
  await composer(page).press("Enter");
  await expect(chosen).toHaveCount(0);
  await expect(composer(page)).toHaveValue("");
  await expect(log(page).getByText("Look at these")).toBeVisible();
  await page.context().setOffline(false);
  await expectSaid(page, ["You: [photo]", "You: [photo]Look at these"]);
  const there = await open(bo);
  await there.goto(chatPath(bo, ana));
  await expectSaid(there, [`${ana.name}: [photo]`, `${ana.name}: [photo]Look at these`]);
});
