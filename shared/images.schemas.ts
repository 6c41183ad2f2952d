import { z } from "zod";
import { focalPoint } from "#shared/focal-point.ts";

/* As shared/views.schemas.ts, which the browser never loads either. */

export const imageSchema = z
  .object({
    /** content address; see imageUrl in shared/image-urls.ts */
    key: z.string().regex(/^[0-9a-f]{32}$/),
    width: z.number().int().describe("pixels"),
    height: z.number().int().describe("pixels"),
    widths: z.array(z.number().int()).describe("widths it is served in, ascending"),
    thumbhash: z.string().describe("a blurred preview, base64 (evanw.github.io/thumbhash)"),
    focus: z
      .number()
      .int()
      .min(0)
      .max(100)
      .nullable()
      .optional()
      .describe(
        "where the square with most to look at begins: of what has to be cut from the long side, " +
          "percent before it; null where nobody looked",
      ),
    focalPoint: focalPoint
      .nullable()
      .optional()
      .describe("what its author says is worth looking at: right and up from the middle, -1 to 1"),
    moving: z
      .boolean()
      .optional()
      .describe("it is animated: served with all its frames at `/images/{key}/moving.webp`"),
    gated: z
      .boolean()
      .optional()
      .describe(
        "of a post that is not for everyone: served to who may see the post, at this server's own " +
          "address alone, and asked for again each time",
      ),
    pass: z
      .string()
      .optional()
      .describe(
        "with `gated`, for a caller with a bearer token: `?pass=` after the address serves the picture " +
          "without the token, for as long as that is good",
      ),
    alt: z.string(),
  })
  .meta({
    id: "PictureView",
    description:
      "Served at `/images/{key}/{width}.webp`, for each of `widths`, and at `/images/{key}/large.webp` " +
      "with the original's pixels, 16.8 million at most.",
  });

export const cameraSchema = z
  .object({
    model: z.string(),
    lens: z.string(),
    focalLength: z.number().describe("millimetres"),
    focalLength35: z.number().describe("as on 35 mm film, millimetres"),
    aperture: z.number().describe("the f-number: 1.8 is f/1.8"),
    exposureTime: z.number().describe("seconds"),
    iso: z.number(),
    takenAt: z
      .string()
      .describe("on the camera's own clock, `2024-05-01T18:30:00`: no time zone is known"),
  })
  .partial()
  .meta({ id: "CameraView", description: "What a camera wrote into a photo, as far as it did." });

export const locationSchema = z
  .object({ latitude: z.number(), longitude: z.number() })
  .meta({ id: "PlaceView", description: "Degrees, rounded to 0.01: about a kilometre." });
