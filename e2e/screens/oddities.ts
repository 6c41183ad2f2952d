import { createPainter } from "../../demo/photos/painter.ts";
import { befriend, say } from "../support/chats.ts";
import { post, signUp, type Member } from "../support/members.ts";

/** An account whose friends have names and texts that no screen was designed for. */
export type Oddities = { reader: Member; people: Member[]; posts: string[] };

const family = "👨‍👩‍👧‍👦";
const law = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz";

/** First name, second name, text: too long, from right to left, and of more than letters. */
const oddities: [string, string, string][] = [
  ["Wolfeschlegelsteinhausenbergerdorff", "Donaudampfschifffahrtselektrizität", law.repeat(30)],
  [
    "ليلى",
    "الحسن",
    "صباح الخير من المدينة القديمة، القهوة جاهزة والشمس دافئة. https://example.org/a",
  ],
  [family.repeat(6), "🏳️‍🌈", `${family.repeat(60)}\n\n\n\n${"z̷̛̺".repeat(40)}`],
];

export async function stageOddities(url: string): Promise<Oddities> {
  const painter = createPainter();
  const subject = { kind: "skyline", hour: "dusk" } as const;
  const bytes = await painter.paint({ keys: ["wide"], subject, width: 2400, height: 600 });
  painter.close();
  const photo = { name: "wide.jpg", mimeType: "image/jpeg", buffer: Buffer.from(bytes) };
  const reader = await signUp(url, { firstName: "Ada", secondName: "Reads" });
  const people: Member[] = [];
  const posts: string[] = [];
  for (const [firstName, secondName, caption] of oddities) {
    const member = await signUp(url, { firstName, secondName });
    people.push(member);
    await befriend(url, member, reader);
    posts.push(await post(url, member, { caption, alt: "A town at dusk", photo }));
    posts.push(await post(url, member, { caption }));
    await say(url, member, reader, { body: caption.slice(0, 1000) });
  }
  return { reader, people, posts };
}
