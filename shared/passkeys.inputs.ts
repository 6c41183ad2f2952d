import { z } from "zod";
import { limits } from "#shared/limits.ts";
import { countGraphemes } from "#shared/graphemes.ts";
import { cleanName } from "#shared/text.ts";

/** A credential id is 1,023 bytes at most (WebAuthn, section 4), in base64url. */
const id = z.string().min(1).max(1364);
const encoded = z.string().max(20_000);

/** A browser's response to our challenge, as PublicKeyCredential.toJSON() writes it. */
const credential = z.object({
  id,
  rawId: id,
  type: z.literal("public-key"),
  // We request no extensions: results a browser adds are not read.
  clientExtensionResults: z.object({}).default({}),
});

const registration = credential.extend({
  response: z.object({
    clientDataJSON: encoded,
    attestationObject: encoded,
    transports: z
      .array(z.string().regex(/^[a-z-]{1,20}$/))
      .max(10)
      .optional(),
  }),
});

const authentication = credential.extend({
  response: z.object({
    clientDataJSON: encoded,
    authenticatorData: encoded,
    signature: encoded,
    userHandle: encoded.nullish().transform((handle) => handle ?? undefined),
  }),
});

/** Forms carry it as JSON. */
const json = z
  .string()
  .max(64_000)
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: "custom", message: "This isn't JSON." });
      return z.NEVER;
    }
  });

const tooLong = `Use at most ${limits.name} characters.`;

export const newPasskeyInput = z.object({
  response: json.pipe(registration),
  name: z
    .string()
    .max(2000, tooLong)
    .transform(cleanName)
    .refine((text) => countGraphemes(text, limits.name) <= limits.name, tooLong)
    .refine((text) => new TextEncoder().encode(text).length <= 2000, tooLong)
    .default(""),
});

export const passkeySignInInput = z.object({ response: json.pipe(authentication) });
