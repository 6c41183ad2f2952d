import { createPainter, type Order } from "../../demo/photos/painter.ts";
import type { Subject } from "../../demo/photos/subjects.ts";
import { comment } from "../support/acts.ts";
import { say } from "../support/chats.ts";
import { follow, post, postSet, signUp, type Member } from "../support/members.ts";
import type { Photo } from "../support/photos.ts";

/** The accounts and posts that the tour shows besides the demo town. */
export type Staged = {
  nora: Member;
  tomas: Member;
  /** has seen nothing yet */
  newcomer: Member;
  /** has no name */
  nameless: Member;
  /** paths of posts: a text post, one behind a content warning, a photo with many comments, one of Nora's */
  words: string;
  warned: string;
  talked: string;
  own: string;
  /** to be chosen in the composer */
  photo: Photo;
  /** of different shapes, for an album */
  album: Photo[];
};

const longCaption = [
  "The ferry was late, so we walked the whole harbour wall and back, twice, and counted the boats that nobody takes out any more.",
  "There were eleven. The twelfth had a goose on it.",
  "If you go: the bakery behind the fish hall opens at five, and they let you have yesterday's rolls for nothing. https://example.org/harbour/opening-hours?season=autumn",
].join("\n\n");

const remarks = [
  "This is the light I moved here for.",
  "Is that the old ferry?",
  "It is! They repainted it in spring.",
  "I can smell the tar from here",
  "איזה יופי של צילום",
  "The goose has a name, by the way. Ask at the fish hall.",
  "My grandfather had a boat in the third row. He never took it out either; he said that it was enough to know that he could.",
  "Where is the bakery exactly? We went round the hall twice and found only nets.",
  "Behind the ice machine, the green door",
  "Saved for my next visit",
  "Twelve with the goose",
  "Beautiful.",
];

const messages = [
  "Are you still in town on Sunday?",
  "Until the evening ferry. Why?",
  "The boat with the goose. I know whose it is now.",
  "No",
  "It belongs to the baker. He says we can take it out, if we bring it back with the goose.",
  "Then I am still in town on Sunday",
];

const forAlbum: [Subject, number, number][] = [
  [{ kind: "landscape", land: "sea", hour: "dawn", extra: "lighthouse" }, 1600, 1067],
  [{ kind: "market", fruit: "lemons" }, 1067, 1600],
  [{ kind: "meadow", flower: "poppies", light: "evening" }, 1200, 1200],
  [{ kind: "landscape", land: "islands", hour: "noon", extra: "sailboats" }, 1600, 900],
  [{ kind: "facade", wall: "ochre", flowers: true }, 1067, 1600],
  [{ kind: "skyline", hour: "sunset" }, 1600, 1067],
  [{ kind: "tiles", color: "blue" }, 1200, 1200],
];

/** Makes what the tour needs on a server that already has a town; photos are painted. */
export async function stage(url: string): Promise<Staged> {
  const painter = createPainter();
  const paint = async (order: Order): Promise<Photo> => ({
    name: "painted.jpg",
    mimeType: "image/jpeg",
    buffer: Buffer.from(await painter.paint(order)),
  });
  // New each time, with emails that look real.
  const edition = Date.now().toString(36).slice(-4);
  const settle = async (firstName: string, secondName: string, portrait: "woman" | "man") =>
    signUp(
      url,
      { firstName, secondName },
      await paint({ keys: ["screens", firstName], portrait }),
      `${firstName || "somebody"}.${edition}@example.org`.normalize("NFD").replace(/\p{M}/gu, ""),
    );
  const nora = await settle("Nora", "Lindqvist", "woman");
  const tomas = await settle("Tomás", "Okafor", "man");
  const newcomer = await settle("Ines", "Marlow", "woman");
  const nameless = await settle("", "", "man");
  await follow(url, nora, tomas);
  await follow(url, tomas, nora);

  const size = { width: 1600, height: 1200 };
  const [harbour, table, wall, photo] = await Promise.all([
    paint({
      keys: ["screens", "harbour"],
      subject: { kind: "landscape", land: "sea", hour: "golden", extra: "sailboats" },
      ...size,
    }),
    paint({ keys: ["screens", "dusk"], subject: { kind: "skyline", hour: "dusk" }, ...size }),
    paint({
      keys: ["screens", "forest"],
      subject: { kind: "forest", weather: "autumn" },
      ...size,
    }),
    paint({
      keys: ["screens", "alps"],
      subject: { kind: "landscape", land: "alps", hour: "dawn", extra: "pines" },
      ...size,
    }),
  ]);
  const album = await Promise.all(
    forAlbum.map(([subject, width, height], at) =>
      paint({ keys: ["screens", "album", at], subject, width, height }),
    ),
  );
  painter.close();
  await post(url, tomas, { caption: "Lights on.", alt: "A town at dusk", photo: table });
  const words = await post(url, tomas, {
    caption: "Somebody left a chair at the end of the pier.\n\nI sat in it until the rain came.",
  });
  const warned = await postSet(url, tomas, {
    caption: "The path is as wide as a boot.",
    warning: "Heights",
    photos: [{ photo, alt: "A ridge above the clouds" }],
  });
  const talked = await post(url, tomas, { caption: longCaption, alt: "A harbour", photo: harbour });
  for (const [index, remark] of remarks.entries()) {
    await comment(url, index % 3 === 0 ? nora : tomas, talked, remark);
  }
  for (const [index, body] of messages.entries()) {
    const [from, to] = index % 2 === 0 ? [tomas, nora] : [nora, tomas];
    await say(url, from, to, { body });
  }
  await say(url, tomas, nora, { body: "This one?", photo });
  const own = await post(url, nora, { caption: "October, all of it.", alt: "Trees", photo: wall });
  return { nora, tomas, newcomer, nameless, words, warned, talked, own, photo, album };
}
