import {
  earlyRefusals,
  isEarly,
  isRefusalError,
  makeRefusal,
  type EarlyRefusalCode,
  type RefusalDetails,
  type RefusalOf,
} from "#shared/early-refusals.ts";

export type { FieldErrors } from "#shared/early-refusals.ts";

/**
 * Every refusal that a person or a program can meet, declared once: its HTTP status and the
 * sentence people read. Features throw `refuse(code)`; server/app.ts and the screens map it.
 */
const refusals = {
  "sign-in-required": [401, "Please Sign In To Access This section"],
  "wrong-credentials": [401, "Wrong password or email"],
  "wrong-password": [403, "This is not your current password."],
  "wrong-code": [403, "This code is not right, or it was used already. Try the next one."],
  "passkey-failed": [400, "The passkey did not work this time. Please try again."],
  "passkey-unknown": [401, "We do not know this passkey. Please sign in with your password."],
  "too-many-passkeys": [409, "You have as many passkeys as fit. Please remove one first."],
  "sign-in-expired": [401, "This sign-in took too long. Please start again with your password."],
  "two-factor-on": [409, "The second step is on already. Turn it off first to set it up anew."],
  "two-factor-not-begun": [409, "Please start to set the second step up again."],
  "sign-in-again": [403, "To do this, please sign out and sign in again first."],
  "second-factor-required": [
    401,
    "The password is right. Now enter the code of your second factor.",
  ],
  "token-invalid": [401, "This token is none of ours, or older than 5 minutes. Take a new one."],
  "too-many-attempts": [429, "That was a lot of tries. Please wait a little and try again."],
  "too-many-writes": [429, "You wrote a lot within an hour. Please wait a little and try again."],
  "storage-full": [
    413,
    "Your storage is full. Delete posts you no longer need to make room for new pictures.",
  ],
  "link-used": [410, "This link was used already or is too old. Ask for a new one."],
  "email-in-use": [409, "Email Already in use"],
  "sign-up-closed": [403, "This Postcard takes no new accounts at the moment."],
  "invitation-required": [403, "To sign up here you need an invitation that nobody used yet."],
  "last-way-in": [
    409,
    "This is your only way to sign in. Set a password or connect another one first.",
  ],
  "username-taken": [409, "Somebody else has or had this username. Please choose another."],
  "username-too-soon": [409, "You changed your username less than 30 days ago."],
  "picture-unreadable": [
    422,
    "We could not read this picture. Try saving it again as JPEG or PNG, or choose another.",
  ],
  "too-many-uploads": [
    429,
    "You sent many pictures that you have not used. Use them, or wait an hour until they are removed.",
  ],
  "picture-type": [
    415,
    "This is not a picture we can use. Choose a JPEG, PNG, WebP, AVIF, HEIC or GIF.",
  ],
  "picture-too-large": [
    422,
    "This picture has more than 50 megapixels. Choose one with fewer pixels.",
  ],
  "picture-unknown": [400, "This picture is not here any more. Please choose it again."],
  "picture-host-away": [
    503,
    "Pictures cannot be kept or shown right now: their host does not answer. Please try again soon.",
  ],
  "picture-damaged": [500, "This picture is damaged on this server and cannot be shown."],
  "picture-timeout": [503, "This picture took too long to read. Please try again."],
  "disk-read-only": [503, "This server cannot keep anything right now. Please try again later."],
  "form-broken": [400, "The form did not arrive whole. Please send it again."],
  "input-invalid": [400, "Something in the form is not right."],
  "not-found": [404, "This page does not exist, or not any more."],
  "not-yours": [403, "Only its owner can do this."],
  "chat-closed": [403, "You can write to each other while you follow each other."],
  "deletion-begun": [409, "This account is being deleted already: it cannot come back."],
  "account-leaving": [403, "This account is to be deleted. Sign in with a browser to keep it."],
  "export-running": [409, "Your archive is being made already."],
  "export-limit": [429, "You asked for several archives today. Please wait until tomorrow."],
  "self-block": [400, "You cannot block or mute yourself."],
  "import-running": [409, "An archive of yours is being read already."],
  "import-limit": [429, "You brought several archives today. Please wait until tomorrow."],
  "archive-invalid": [422, "This is no archive that Postcard can read."],
  "self-follow": [400, "You cannot follow yourself."],
  "wrong-origin": [403, "This request came from another site and was refused."],
  "method-not-allowed": [405, "This address does not answer to that method."],
  // what was sent cannot be read as one change of the caller's: see server/compat/documents
  conflict: [409, "This is not one change of yours to what is there now. Load it again first."],
  "precondition-failed": [412, "This has changed since you loaded it. Load it again first."],
  "key-reused": [422, "This Idempotency-Key was sent with another request before. Take a new one."],
  "media-type": [415, "Send the body as JSON (Content-Type: application/json)."],
  "uploads-running": [
    429,
    "Other files of yours are still on their way. Please wait until they have arrived.",
  ],
  "uploads-full": [503, "Many people are sending files right now. Please try again in a minute."],
  "disk-full": [
    507,
    "There is no room for your file here right now, so it was not kept. Everything else is as it was. Please try again later.",
  ],
  "json-too-complex": [400, "This JSON is nested too deeply or holds too many values."],
  "too-large": [413, "That is more than we can take at once."],
  "not-ready": [503, "Postcard is starting or its database is away. Please try again in a moment."],
  busy: [503, "Postcard is very busy right now. Please try again in a moment."],
  "read-only": [
    503,
    "Postcard can only be read right now: nothing can be saved. Please try again later.",
  ],
  internal: [500, "Something went wrong on our side. Nothing you saved is lost. Please try again."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type RefusalCode = keyof typeof refusals | EarlyRefusalCode;

export type Refusal = RefusalOf<RefusalCode>;

/** Makes the error to throw: `throw refuse("not-found")`. */
export function refuse(code: RefusalCode, details: RefusalDetails = {}): Refusal {
  const declared = isEarly(code) ? earlyRefusals[code] : refusals[code];
  return makeRefusal(code, declared, details);
}

/** By shape, not by class: the screens' bundle and the server each have their own copy of this file. */
export const isRefusal = isRefusalError as (error: unknown) => error is Refusal;

/** Refusals for a state of the server that passes: the same request may be sent again later. */
export const outages = [
  "not-ready",
  "busy",
  "read-only",
  "disk-full",
] as const satisfies readonly RefusalCode[];

export function isOutage(code: string): boolean {
  return outages.some((outage) => outage === code);
}
