import { z } from "zod";
import {
  countOut,
  fediverseWords,
  type ExportedPost,
  type ReadExport,
} from "#shared/exports/export.ts";
import { isPhoto, type ExportZip } from "#shared/exports/export-zip.ts";
import { htmlToText } from "#shared/exports/html-to-text.ts";
import { focalPoint } from "#shared/focal-point.ts";
import { languageTag } from "#shared/languages.ts";
import type { Audience } from "#shared/posts.ts";

const outboxName = /^(.*\/)?outbox\.json$/;
const everyone = new Set(["https://www.w3.org/ns/activitystreams#Public", "as:Public", "Public"]);

const anyText = z.string().nullish().catch(null);
const addresses = z
  .union([z.string().transform((one) => [one]), z.array(z.string())])
  .nullish()
  .catch(null)
  .transform((list) => list ?? []);
const attachment = z.object({
  mediaType: anyText,
  url: z.string().max(2000),
  name: anyText,
  focalPoint: focalPoint.nullish().catch(null),
});
const mention = z.object({ type: z.literal("Mention"), href: z.string(), name: z.string() });
const note = z.object({
  id: z.string().max(2000),
  summary: anyText,
  inReplyTo: z.unknown(),
  published: z.string(),
  to: addresses,
  cc: addresses,
  sensitive: z.boolean().catch(false),
  content: z.string().catch(""),
  contentMap: z.record(z.string(), z.unknown()).nullish().catch(null),
  attachment: z.array(z.unknown()).catch([]),
  tag: z.array(z.unknown()).catch([]),
});
const activity = z.object({ type: z.string(), actor: anyText, object: z.unknown() });

const words = {
  ...fediverseWords,
  boost: ["boost: it's somebody else's post", "boosts: they're posts of others"],
  video: [
    "video or sound: Postcard has photos and words",
    "videos and sounds: Postcard has photos and words",
  ],
} as const;

export const isMastodon = ({ names }: Pick<ExportZip, "names">): boolean =>
  names.some((name) => outboxName.test(name));

/** The posts of an archive of Mastodon 4.2 or later: what its account wrote by itself, for others to see. */
export async function readMastodon(zip: ExportZip): Promise<ReadExport> {
  const leftOut: ReadExport["leftOut"] = new Map();
  const posts: ExportedPost[] = [];
  for (const name of zip.names) {
    const [, root = ""] = outboxName.exec(name) ?? [];
    if (!outboxName.test(name)) continue;
    const fileOf = (url: string) => root + pathOf(url);
    for await (const { list, item } of zip.items(name)) {
      if (list !== "orderedItems") continue;
      const post = postOf(item, leftOut, fileOf);
      if (post) posts.push(post);
    }
  }
  return { posts, leftOut };
}

/** Where an archive has what was at this address: in the end of its path. */
function pathOf(url: string): string {
  const at = url.indexOf("media_attachments/");
  return at === -1 ? url.replace(/^\/+/, "") : url.slice(at);
}

function postOf(
  item: unknown,
  leftOut: ReadExport["leftOut"],
  fileOf: (url: string) => string,
): ExportedPost | null {
  const { data: act } = activity.safeParse(item);
  if (act?.type === "Announce") return out(leftOut, "boost");
  if (act && act.type !== "Create") return null;
  const { data } = note.safeParse(act?.object);
  if (!data) return out(leftOut, "unreadable");
  const audience = audienceOf(data, `${act?.actor ?? ""}/followers`);
  if (audience === null) return out(leftOut, "direct");
  if (data.inReplyTo) return out(leftOut, "reply");
  if (isPoll(act?.object)) return out(leftOut, "poll");
  const files = data.attachment.flatMap((each) => attachment.safeParse(each).data ?? []);
  const photos = files.filter((file) => isPhoto(file.url));
  countOut(leftOut, words.video, files.length - photos.length);
  const names = data.tag.flatMap((each) => mention.safeParse(each).data ?? []);
  const caption = htmlToText(data.content, new Map(names.map(({ href, name }) => [href, name])));
  if (caption === "" && photos.length === 0) return null;
  const [tag = null] = Object.keys(data.contentMap ?? {});
  return {
    id: data.id,
    time: Date.parse(data.published),
    caption,
    language: tag && languageTag(tag),
    pictures: photos.map(({ url, name, focalPoint: point }) => ({
      file: fileOf(url),
      alt: name ?? "",
      focalPoint: point ?? null,
    })),
    audience,
    warning: data.summary ?? null,
    sensitive: data.sensitive,
  };
}

function out(leftOut: ReadExport["leftOut"], why: keyof typeof words): null {
  countOut(leftOut, words[why]);
  return null;
}

const isPoll = (object: unknown) => (object as { type?: unknown }).type === "Question";

/** Public and unlisted, for followers, or null where it names people. */
function audienceOf(
  { to, cc }: Pick<z.output<typeof note>, "to" | "cc">,
  followers: string,
): Audience | null {
  const all = [...to, ...cc];
  if (all.some((address) => everyone.has(address))) return "everyone";
  return all.includes(followers) ? "followers" : null;
}
