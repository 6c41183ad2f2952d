import { z } from "zod";
import {
  countOut,
  fediverseWords,
  type ExportedPost,
  type ReadExport,
} from "#shared/exports/export.ts";
import type { ExportZip } from "#shared/exports/export-zip.ts";
import { htmlToText } from "#shared/exports/html-to-text.ts";
import { languageTag } from "#shared/languages.ts";
import type { Audience } from "#shared/posts.ts";

/** Also as a browser names a second download of it. */
const listName = /(?:^|\/)pixelfed-statuses(?: ?\(\d+\))?\.json$/;

const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((said) => said ?? "");
const attachment = z.object({ type: text, mime: text, url: text, description: text });
/** As app/Transformer/Api/StatusTransformer.php of pixelfed/pixelfed writes it. */
const status = z.object({
  id: z.string().max(100),
  uri: text,
  in_reply_to_id: text,
  /** HTML */
  content: text,
  content_text: text,
  created_at: z.string(),
  sensitive: z.boolean().catch(false),
  spoiler_text: text,
  visibility: text,
  language: text,
  /** "photo", "photo:album", "text", "share" and so on */
  pf_type: text,
  media_attachments: z.array(z.unknown()).catch([]),
});

const words = {
  ...fediverseWords,
  share: ["share: it's somebody else's post", "shares: they're posts of others"],
  story: ["story: stories are no posts", "stories: stories are no posts"],
  video: ["video: Postcard has photos and words", "videos: Postcard has photos and words"],
  photo: ["photo without an address", "photos without an address"],
} as const;

/** The widest that a post may have, by its scope there; what names people, or is unknown, stays out. */
const audiences = new Map<string, Audience>([
  ["public", "everyone"],
  ["unlisted", "everyone"],
  ["private", "followers"],
  ["archived", "only-me"],
  ["draft", "only-me"],
]);

export const isPixelfed = ({ names }: Pick<ExportZip, "names">): boolean =>
  names.some((name) => listName.test(name));

/** The posts of an export of Pixelfed 0.12 or later, which has the addresses of photos and not the photos. */
export async function readPixelfed(zip: ExportZip): Promise<ReadExport> {
  const leftOut: ReadExport["leftOut"] = new Map();
  const posts: ExportedPost[] = [];
  for (const name of zip.names) {
    if (!listName.test(name)) continue;
    for await (const { list, item } of zip.items(name)) {
      const post = list === "" ? postOf(item, leftOut) : null;
      if (post) posts.push(post);
    }
  }
  return { posts, leftOut };
}

function postOf(item: unknown, leftOut: ReadExport["leftOut"]): ExportedPost | null {
  const { data } = status.safeParse(item);
  const audience = data && audiences.get(data.visibility);
  const why = reasonOf(data);
  if (why !== null || !data || !audience) {
    countOut(leftOut, words[why ?? "direct"]);
    return null;
  }
  const pictures = picturesOf(data.media_attachments, leftOut);
  const said = data.content_text || htmlToText(data.content, new Map());
  if (said === "" && pictures.length === 0) return null;
  return {
    id: data.uri || data.id,
    time: Date.parse(data.created_at),
    caption: said,
    language: data.language === "" ? null : languageTag(data.language),
    pictures,
    audience,
    warning: data.spoiler_text || null,
    sensitive: data.sensitive,
  };
}

/** Why it is no post here; null where it is one, if its audience is known. */
function reasonOf(data: z.output<typeof status> | undefined): keyof typeof words | null {
  if (!data) return "unreadable";
  if (data.pf_type === "share") return "share";
  if (data.pf_type.startsWith("story")) return "story";
  if (data.in_reply_to_id !== "" || data.pf_type === "reply") return "reply";
  return data.pf_type === "poll" ? "poll" : null;
}

function picturesOf(attachments: unknown[], leftOut: ReadExport["leftOut"]) {
  return attachments.flatMap((each) => {
    const { data } = attachment.safeParse(each);
    if (data && /^(?:video|audio)/i.test(data.mime || data.type)) {
      countOut(leftOut, words.video);
      return [];
    }
    if (!data || !/^https?:\/\//.test(data.url) || data.url.length > 2000) {
      countOut(leftOut, words.photo);
      return [];
    }
    return [{ file: data.url, url: data.url, alt: data.description, focalPoint: null }];
  });
}
