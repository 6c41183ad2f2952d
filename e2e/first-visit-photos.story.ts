import { createPainter } from "../demo/photos/painter.ts";
import type { Subject } from "../demo/photos/subjects.ts";
import { addMember, follow, post } from "./support/members.ts";
import type { Photo } from "./support/photos.ts";
import { startPostcard } from "./support/postcard-server.ts";
import { kB, kinds, linesOf, received, sumOf } from "./support/received.ts";
import { enterAs, expect, phone, test } from "./support/stories.ts";

/* All that a phone with three pixels to a pixel of the page receives on a first visit, photos included. */

const subjects: [Subject, number, number][] = [
  [{ kind: "landscape", land: "sea", hour: "dawn", extra: "lighthouse" }, 1600, 1067],
  [{ kind: "market", fruit: "lemons" }, 1600, 1200],
  [{ kind: "meadow", flower: "poppies", light: "evening" }, 1400, 1400],
  [{ kind: "landscape", land: "islands", hour: "noon", extra: "sailboats" }, 1600, 900],
  [{ kind: "facade", wall: "ochre", flowers: true }, 1200, 1500],
  [{ kind: "skyline", hour: "sunset" }, 1600, 1067],
];

// kB in all: some 4 % more than measured
const budgets = { "the front page": 250, home: 393, "a post": 275 };

test("a phone of density 3 receives no larger photos than it shows", async ({ browser }) => {
  test.slow();
  const painter = createPainter();
  const server = await startPostcard();
  try {
    const joined = Date.now() - 30 * 86_400_000;
    const [reader, author] = [
      await addMember(server.url, { firstName: "First", secondName: "Visit", joined }),
      await addMember(server.url, { firstName: "Čeněk", secondName: "Říha", joined }),
    ];
    // The first two have the card of the first day.
    await addMember(server.url, { firstName: "Third", secondName: "Member", joined });
    await follow(server.url, reader, author);
    let path = "";
    for (const [subject, width, height] of subjects) {
      const painted = await painter.paint({
        keys: ["phone", width, height],
        subject,
        width,
        height,
      });
      const photo: Photo = {
        name: "photo.jpg",
        mimeType: "image/jpeg",
        buffer: Buffer.from(painted),
      };
      path = await post(server.url, author, { caption: "A photo", photo });
    }
    const over: string[] = [];
    for (const [what, who, at] of [
      ["the front page", null, "/"],
      ["home", reader, "/"],
      ["a post", reader, path],
    ] as const) {
      const context = await enterAs(browser, server.url, who, {
        viewport: phone,
        deviceScaleFactor: 3,
        hasTouch: true,
      });
      const page = await context.newPage();
      const files = await received(page, at);
      const parts = kinds.map((kind) => `${kind.toLowerCase()} ${kB(sumOf(files, kind))}`);
      const line = `${what}: ${kB(sumOf(files))}, of it ${parts.join(", ")}`;
      process.stdout.write(`${line}\n`);
      expect(sumOf(files, "Image"), "photos are counted").toBeGreaterThan(10_000);
      if (sumOf(files) > budgets[what] * 1000) over.push(line, ...linesOf(files));
      // Wide enough, too: at least 1.9 pixels to one of the page.
      const coarse = await page.evaluate(() =>
        [...document.images]
          .filter((image) => image.sizes && image.complete && image.currentSrc)
          .map((image) => ({
            width: Number(/(\d+)\.webp/.exec(image.currentSrc)?.[1]),
            shown: image.clientWidth,
          }))
          .filter(({ width, shown }) => width < shown * 1.9 || width > shown * 4),
      );
      expect(coarse, `${what}: too few pixels, or more than there are`).toEqual([]);
      await context.close();
    }
    expect(over.join("\n")).toBe("");
  } finally {
    painter.close();
    await server.stop();
  }
});
