import { earlyRefusals, isEarly, type EarlyRefusalCode } from "#shared/early-refusals.ts";
import {
  isRefusalError,
  makeRefusal,
  type RefusalDetails,
  type RefusalOf,
} from "#shared/refusals.ts";

export type { FieldErrors } from "#shared/refusals.ts";

/**
 * Every refusal that a person or a program can meet, declared once: its HTTP status and the sentence people
 * read. Features throw `refuse(code)`; server/app.ts and the screens map it.
 */
const refusals = {
  "sign-in-required": [401, "Please Sign In To Access This section"],
  "wrong-credentials": [401, "Wrong password or email"],
  "wrong-password": [403, "This isn't your current password."],
  "wrong-code": [403, "This code is wrong or was already used. Try the next one."],
  "passkey-failed": [400, "The passkey didn't work. Please try again."],
  "passkey-unknown": [401, "We don't recognize this passkey. Please sign in with your password."],
  "too-many-passkeys": [409, "You've reached the limit for passkeys. Please remove one first."],
  "sign-in-expired": [401, "This sign-in took too long. Please start again with your password."],
  "two-factor-on": [409, "Two-step sign-in is already on. Turn it off first to set it up again."],
  "two-factor-not-begun": [409, "Please start setting up two-step sign-in again."],
  "sign-in-again": [403, "To do this, please sign out and sign in again first."],
  "second-factor-required": [
    401,
    "The password is correct. Now enter the code from your authenticator app.",
  ],
  "token-invalid": [401, "This token is invalid or more than 5 minutes old. Request a new one."],
  "too-many-attempts": [429, "Too many tries. Please wait a little and try again."],
  "too-many-writes": [
    429,
    "You've done a lot in the last hour. Please wait a little and try again.",
  ],
  "storage-full": [
    413,
    "Your storage is full. Delete posts you no longer need to make room for new pictures.",
  ],
  "newcomers-full": [
    413,
    "New accounts are adding a lot of pictures right now, so yours wasn't saved. Please try again in an hour.",
  ],
  "link-used": [410, "This link was already used or has expired. Ask for a new one."],
  "email-in-use": [409, "Email Already in use"],
  "sign-up-closed": [403, "This Postcard isn't accepting new accounts right now."],
  "invitation-required": [403, "You need an unused invitation to sign up here."],
  "last-way-in": [
    409,
    "This is your only way to sign in. Set a password or connect another one first.",
  ],
  "username-taken": [409, "This username is taken or was used before. Please choose another."],
  "username-too-soon": [409, "You changed your username less than 30 days ago."],
  "picture-unreadable": [
    422,
    "We couldn't read this picture. Try saving it again as JPEG or PNG, or choose another.",
  ],
  "too-many-uploads": [
    429,
    "You've uploaded many pictures without using them. Use them, or wait an hour until they're removed.",
  ],
  "picture-type": [415, "We can't use this file. Choose a JPEG, PNG, WebP, AVIF, HEIC or GIF."],
  "picture-too-large": [422, "This picture has more than 50 megapixels. Choose a smaller one."],
  "picture-too-complex": [
    422,
    "This picture takes too much work to open. Save it again as an ordinary JPEG, or choose another.",
  ],
  "too-many-pictures": [400, "A post can have up to 10 photos. The first 10 are here."],
  "audience-not-offered": [
    422,
    "This server keeps its photos at a public image host, so every post here is for everyone.",
  ],
  "picture-unknown": [400, "This picture is no longer here. Please choose it again."],
  "picture-host-away": [
    503,
    "We can't save or show pictures right now because the image host isn't responding. Please try again soon.",
  ],
  "picture-damaged": [500, "This picture is damaged on the server and can't be shown."],
  "picture-timeout": [503, "This picture took too long to process. Please try again."],
  "disk-read-only": [503, "This server can't save anything right now. Please try again later."],
  "form-broken": [400, "The form didn't arrive completely. Please send it again."],
  "input-invalid": [400, "Something in the form isn't right."],
  "not-found": [404, "This page doesn't exist, or was removed."],
  "address-too-long": [414, "This address is too long: nothing here has one like it."],
  "not-yours": [403, "Only the owner can do this."],
  "chat-closed": [403, "You can only message each other while you follow each other."],
  "deletion-begun": [409, "This account is already being deleted and can't be restored."],
  "account-leaving": [
    403,
    "This account is scheduled for deletion. Sign in with a browser to keep it.",
  ],
  "app-unknown": [401, "We don't know this app, or its secret is wrong."],
  "app-redirect": [400, "This app asked to send you to an address that it never told us."],
  "app-scope": [400, "This app asked for rights that we don't know, or that it never told us."],
  "app-code": [400, "This code was already used, has expired, or belongs to another app."],
  "app-token": [401, "The access token is invalid"],
  "app-right": [403, "This action is outside the authorized scopes"],
  "app-request": [400, "The app's request is incomplete or asks for something we don't offer."],
  "not-offered": [422, "This server doesn't offer that."],
  "export-running": [409, "Your archive is already being made."],
  "export-limit": [
    429,
    "You've already requested several archives today. Please wait until tomorrow.",
  ],
  "account-suspended": [
    403,
    "This account is suspended. Sign in with a browser to read why, and to answer.",
  ],
  "self-report": [400, "You can't report yourself, or something of yours."],
  "moderators-only": [403, "Only moderators can do this."],
  "last-operator": [409, "You're the only operator. Make someone else an operator first."],
  "own-account": [409, "This is your own account. Ask another operator, or use the command line."],
  "operator-link-gone": [
    410,
    "This link was already used, is more than an hour old, or was replaced by a newer one.",
  ],
  "operator-exists": [409, "This place already has an operator. Ask them for the role."],
  "job-gone": [409, "There's nothing to try again."],
  "invitation-gone": [409, "This invitation was already used, withdrawn, or has expired."],
  "case-decided": [409, "This was already decided. Reload the page to see how."],
  "already-answered": [409, "You've already answered this. A moderator reads it."],
  "answer-too-late": [409, "It's too late to answer this."],
  "self-block": [400, "You can't block or mute yourself."],
  "muted-words-full": [409, "You can mute up to 100 words and phrases. Remove one first."],
  "notes-full": [409, "You can keep notes about up to 1,000 people. Empty one first."],
  "close-friends-full": [409, "You can have up to 500 close friends. Remove one first."],
  "collections-full": [409, "You can have up to 100 collections. Delete one first."],
  "collection-full": [409, "A collection can have up to 10,000 posts. This one is full."],
  "albums-full": [409, "You can have up to 100 albums. Delete one first."],
  "album-full": [409, "An album can have up to 1,000 photos. This one is full."],
  "album-members-full": [409, "An album can have up to 200 members. Remove one first."],
  "album-photo-elsewhere": [409, "This photo belongs to another album and stays there."],
  "album-photos-only": [422, "Only posts with a photo can be in an album."],
  "album-batch-running": [409, "Photos of yours are still being added. Please wait for them."],
  "not-contributor": [403, "Only the owner and contributors of this album can do this."],
  "not-follower": [403, "You can only invite people who follow you. Send others the link."],
  "shared-links-full": [409, "You can have up to 100 links. End one first."],
  // the same for what ended and what never was
  "shared-link-ended": [410, "This link doesn't work any more."],
  "shared-link-audience": [
    409,
    "This is for fewer people than you confirmed. Look at who can see it, and confirm that the link shows it.",
  ],
  "wrong-link-password": [403, "This isn't the password of this link. Ask whoever sent it to you."],
  "zips-running": [503, "Other people are downloading right now. Please try again in a minute."],
  "import-running": [409, "One of your archives is already being imported."],
  "import-open": [409, "An import from a device isn't finished. Go on with it, or end it first."],
  "import-ended": [409, "This import has ended. Choose your export again to bring the rest."],
  "not-importable": [422, "This post can't be imported."],
  "import-undoing": [
    409,
    "The posts of an earlier import are still being removed. Please wait until that is done.",
  ],
  "import-limit": [
    429,
    "You've already imported several archives today. Please wait until tomorrow.",
  ],
  "archive-invalid": [422, "This isn't an archive Postcard can read."],
  "self-follow": [400, "You can't follow yourself."],
  "wrong-origin": [403, "This request came from another site and was refused."],
  "method-not-allowed": [405, "This address doesn't support that method."],
  // the sent document cannot be read as one change of the caller's: see server/compat/documents
  conflict: [
    409,
    "This doesn't match a single change of yours to the current version. Load it again first.",
  ],
  "precondition-failed": [412, "This has changed since you loaded it. Load it again first."],
  "post-changed": [
    409,
    "This post has changed since you opened it here, so nothing was saved. Check it and save again.",
  ],
  "comment-gone": [
    409,
    "The comment you're replying to is gone. You can still post this as a comment of its own.",
  ],
  "comments-closed": [403, "The author has closed the comments on this post."],
  "comments-limited": [403, "Only people the author follows can comment on this post."],
  "edit-too-late": [
    409,
    "A comment can be edited for 15 minutes. This one can't be changed any more.",
  ],
  "own-photo": [400, "This is your own photo. Describe it by editing the post."],
  "photo-described": [409, "This photo already has a description, so yours wasn't sent."],
  "alt-suggestions-full": [
    409,
    "Many people have already described these photos. Their author needs to review that first.",
  ],
  "suggestion-gone": [404, "This suggestion was changed or withdrawn. Nothing was saved."],
  "key-reused": [422, "This Idempotency-Key was already used for another request. Use a new one."],
  "media-type": [415, "Send the body as JSON (Content-Type: application/json)."],
  "uploads-running": [429, "Your other uploads are still running. Please wait until they finish."],
  "upload-offset": [
    409,
    "This upload was continued somewhere else. Ask how much has arrived, and go on from there.",
  ],
  "uploads-full": [503, "Many people are uploading files right now. Please try again in a minute."],
  "disk-full": [
    507,
    "There's no room for your file right now, so it wasn't saved. Nothing else changed. Please try again later.",
  ],
  "json-too-complex": [400, "This JSON is nested too deeply or has too many values."],
  "too-large": [413, "That's too large to send at once."],
  "not-ready": [
    503,
    "Postcard is starting, or can't reach its database. Please try again in a moment.",
  ],
  busy: [503, "Postcard is very busy right now. Please try again in a moment."],
  "read-only": [
    503,
    "Postcard is read-only right now, so nothing can be saved. Please try again later.",
  ],
  internal: [500, "Something went wrong on our side. Nothing you saved is lost. Please try again."],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export type RefusalCode = keyof typeof refusals | EarlyRefusalCode;

export type Refusal = RefusalOf<RefusalCode>;

const declared = (code: RefusalCode) => (isEarly(code) ? earlyRefusals[code] : refusals[code]);

/** Its HTTP status. */
export const statusOf = (code: RefusalCode): number => declared(code)[0];

/** Makes the error to throw: `throw refuse("not-found")`. */
export const refuse = (code: RefusalCode, details: RefusalDetails = {}): Refusal =>
  makeRefusal(code, declared(code), details);

/** Returns the value; refuses with not-found where there is none. */
export function found<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw refuse("not-found");
  return value;
}

/** By shape, not by class: the screens' bundle and the server each have their own copy of this file. */
export const isRefusal = isRefusalError as (error: unknown) => error is Refusal;

/** Refusals for a temporary state of the server: the same request may be sent again later. */
export const outages = [
  "not-ready",
  "busy",
  "read-only",
  "disk-full",
] as const satisfies readonly RefusalCode[];

export function isOutage(code: string): boolean {
  return outages.some((outage) => outage === code);
}
