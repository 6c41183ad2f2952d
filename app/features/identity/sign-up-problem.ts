import type { FieldErrors } from "#shared/errors.ts";
import { pictureRequired } from "#messages/identity.json";

type Problem = { code: string; message: string; fields: FieldErrors | undefined };

/**
 * Errors beside their fields, a dialog for an email in use, one sentence for everything else: "" where
 * there is none.
 */
export function shownOf({ code, message, fields }: Problem) {
  if (code.startsWith("picture-")) {
    return {
      fields: message === pictureRequired ? fields : { picture: message },
      message: pictureRequired,
    };
  }
  if (code === "username-taken") return { fields: { username: message }, message: "" };
  return { fields, message: code === "email-in-use" || fields ? "" : message };
}
