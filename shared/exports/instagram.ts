import { z } from "zod";
import { countOut, type ReadExport } from "#shared/exports/export.ts";
import { isPhoto, type ExportZip } from "#shared/exports/export-zip.ts";
import { mendText } from "#shared/exports/mend-text.ts";
import { invalid } from "#shared/exports/invalid.ts";

/** The folder they are in changed with the years; the oldest export is one file. */
const listName =
  /^(.*?\/)??(?:(?:your_instagram_activity\/)?(?:content|media)\/(posts(?:_\d+)?|archived_posts|reels|igtv_videos|stories)|(media))\.json$/;
const htmlName = /(^|\/)(content|media)\/posts_\d+\.html$/;
const photoName = /(^|\/)media\/posts\/\d{6}\//;
const personalName = /(^|\/)personal_information\.json$/;

const text = z.string().catch("");
const path = z.string().max(400);
/** epoch seconds */
const seconds = z.number().catch(Number.NaN);
const media = z.object({ uri: path, creation_timestamp: seconds, title: text });
const anyPost = z.object({
  media: z.array(media).min(1),
  title: text,
  creation_timestamp: seconds,
});
/** As in media.json; its times are of UTC and do not always say so. */
const oldPhoto = z.object({ path, caption: text, taken_at: z.string() });

const words = {
  unreadable: ["post that we can't read", "posts that we can't read"],
  video: [
    "video or reel: Postcard has photos and words",
    "videos and reels: Postcard has photos and words",
  ],
  story: ["story: stories are no posts", "stories: stories are no posts"],
} as const;

type Found = ReadExport & Required<Pick<ReadExport, "isPrivate">>;

/**
 * Whether a zip is an export of Instagram. Refuses with archive-invalid, and what to do, one whose list of posts
 * is missing or for people alone.
 */
export function isInstagram({ names }: Pick<ExportZip, "names">): boolean {
  if (names.some((name) => listName.test(name))) return true;
  if (names.some((name) => htmlName.test(name))) {
    throw invalid(
      "This export of Instagram is in HTML, which we can't read. Ask Instagram for it again and choose JSON as the format.",
    );
  }
  if (names.some((name) => photoName.test(name))) {
    throw invalid(
      "This is one part of an export of Instagram, without the list of posts. Unpack all parts into one folder and make one zip file of it.",
    );
  }
  return false;
}

/** The posts of an export of Instagram in JSON, of any age. */
export async function readInstagram(zip: ExportZip): Promise<ReadExport> {
  const found: Found = { posts: [], leftOut: new Map(), isPrivate: await wasPrivate(zip) };
  for (const name of zip.names) {
    const [, root = "", list, old] = listName.exec(name) ?? [];
    if (!list && !old) continue;
    const before = found.posts.length;
    for await (const { list: key, item } of zip.items(name)) {
      if (old) addOld(found, key, item);
      else if (key === "media") {
        // A list of one post may be that post.
        addPost(found, await zip.json(name), list === "archived_posts");
        break;
      } else if (list === "stories") countOut(found.leftOut, words.story);
      else if (list === "reels" || list === "igtv_videos") countOut(found.leftOut, words.video);
      else addPost(found, item, list === "archived_posts");
    }
    // Addresses begin at the export's folder, which may be in another one.
    for (const { pictures } of found.posts.slice(before)) {
      for (const picture of pictures) {
        if (!zip.has(picture.file)) picture.file = root + picture.file;
      }
    }
  }
  return found;
}

function addPost(found: Found, item: unknown, archived: boolean): void {
  const { data } = anyPost.safeParse(item);
  if (!data) return countOut(found.leftOut, words.unreadable);
  const [first] = data.media;
  const of = (own: string) => mendText(own === "" ? (first?.title ?? "") : own);
  const at = data.creation_timestamp || (first?.creation_timestamp ?? Number.NaN);
  add(found, {
    caption: of(data.title),
    time: at * 1000,
    files: data.media.map(({ uri }) => uri),
    archived,
  });
}

/** A set was several photos of one moment and one caption. */
function addOld(found: Found, list: string, item: unknown): void {
  if (list === "stories") return countOut(found.leftOut, words.story);
  if (list === "videos") return countOut(found.leftOut, words.video);
  if (list !== "photos") return;
  const { data } = oldPhoto.safeParse(item);
  if (!data) return countOut(found.leftOut, words.unreadable);
  const hasZone = /Z$|[+-]\d\d:?\d\d$/.test(data.taken_at);
  const time = Date.parse(hasZone ? data.taken_at : `${data.taken_at}Z`);
  const caption = mendText(data.caption);
  const last = found.posts.at(-1);
  if (last && last.time === time && last.caption === caption && isPhoto(data.path)) {
    last.pictures.push(pictureOf(data.path));
  } else add(found, { caption, time, files: [data.path], archived: false });
}

type Added = { caption: string; time: number; files: string[]; archived: boolean };

function add({ posts, leftOut, isPrivate }: Found, { files, archived, ...said }: Added): void {
  const photos = files.filter((file) => isPhoto(file));
  if (photos.length < files.length) countOut(leftOut, words.video, files.length - photos.length);
  if (photos.length === 0) return;
  const pictures = photos.map((file) => pictureOf(file));
  const widest = isPrivate ? "followers" : "everyone";
  posts.push({
    ...said,
    id: null,
    pictures,
    audience: archived ? "only-me" : widest,
    warning: null,
    sensitive: false,
  });
}

const pictureOf = (file: string) => ({ file, alt: "", focalPoint: null });

const personal = z.object({
  string_map_data: z.object({ "Private Account": z.object({ value: z.string() }) }),
});

/** Whether the account says that it is private, in English: an export in another language does not say it. */
async function wasPrivate(zip: ExportZip): Promise<boolean> {
  const name = zip.names.find((each) => personalName.test(each));
  if (!name) return false;
  for await (const { item } of zip.items(name)) {
    const { data } = personal.safeParse(item);
    if (data) return data.string_map_data["Private Account"].value === "True";
  }
  return false;
}
