import { z } from "zod";
import type { ReadExport } from "#shared/exports/export.ts";
import type { ExportZip } from "#shared/exports/export-zip.ts";
import { htmlToText } from "#shared/exports/html-to-text.ts";
import { momentIn } from "#shared/exports/moment-in.ts";
import { readPhotos, takenAt } from "#shared/exports/photo-post.ts";

const infoName = /(?:^|\/)photo_(\d+)\.json$/;
/** What cameras call a photo is no title. */
const cameraName = /^[A-Z]{0,4}[-_]?\d{3,}(\.\w+)?$/i;

const text = z.string().catch("");
const info = z.object({
  name: text,
  /** HTML */
  description: text,
  /** "2019-07-04 18:30:00", of no time zone */
  date_taken: text,
  privacy: text,
});

export const isFlickr = ({ names }: Pick<ExportZip, "names">): boolean =>
  names.some((name) => infoName.test(name));

/** The photos of an export of Flickr, whose parts are in one zip. */
export async function readFlickr(zip: ExportZip): Promise<ReadExport> {
  const infos = new Map<string, string>();
  for (const name of zip.names) {
    const [, id] = infoName.exec(name) ?? [];
    if (id) infos.set(id, name);
  }
  return readPhotos(zip, async (name) => {
    const id = idOf(name);
    const about = id && infos.get(id);
    const { data } = info.safeParse(about ? await zip.json(about) : null);
    if (!data) return takenAt(zip, name);
    const title = cameraName.test(data.name) ? "" : data.name;
    const description = htmlToText(data.description, new Map());
    return {
      id,
      time: momentIn(zip.zone, Date.parse(`${data.date_taken.replace(" ", "T")}Z`)),
      caption: [title, description].filter((part) => part !== "").join("\n\n"),
      // Friends and family there are nobody here.
      audience: data.privacy === "public" ? "everyone" : "only-me",
    };
  });
}

/** A photo is named `title_id_o.jpg`, or `id_secret_o.jpg`. */
function idOf(name: string): string | null {
  const words = name.slice(name.lastIndexOf("/") + 1, name.lastIndexOf(".")).split("_");
  return words.findLast((word) => /^\d{5,}$/.test(word)) ?? null;
}
