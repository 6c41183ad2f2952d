import { z } from "zod";
import { imageSchema } from "#shared/images.schemas.ts";

const count = z.number().int().min(0);

export const collectionSchema = z
  .object({
    id: z.uuid().describe("its page is at `/saved/collections/{id}`"),
    title: z.string(),
    cover: imageSchema.nullable().describe("the newest photo in it; null: it shows none"),
  })
  .meta({ id: "Collection", description: "Saved posts under a title, for the caller alone." });

export const bookmarkCountsSchema = z.object({ photos: count, texts: count });
