/**
 * The errors of a sign-in through an identity provider: each code is declared once, with the sentence
 * people read. The first ten are the specification's (section 8). Not among the refusals of
 * shared/errors.ts: most pages load those, and only a popup in use needs these.
 */
export const signInProblems = {
  "popup-blocked": "Your browser blocked the sign-in window, so we'll continue in this one.",
  "popup-closed-by-user": "The sign-in window was closed before you were signed in.",
  "cancelled-popup-request": "You started another sign-in, so this one was cancelled.",
  "unauthorized-domain":
    "Signing in this way doesn't work at this address. Open Postcard at its main address and try again.",
  "network-request-failed":
    "We couldn't reach the service that signs you in. Please try again in a moment.",
  "web-storage-unsupported":
    "Your browser blocks cookies for Postcard, so you can't sign in. Allow them and try again.",
  "operation-not-supported-in-this-environment":
    "This browser can't open a sign-in window, so we'll continue in this one.",
  "invalid-api-key":
    "The service that signs you in doesn't accept this Postcard. Please tell the person who runs it.",
  "auth-domain-config-required":
    "Signing in this way isn't fully set up. Please tell the person who runs it.",
  "internal-error": "The sign-in didn't work, and nothing was changed. Please try again.",
  "sign-in-expired":
    "This sign-in took longer than ten minutes or was already used. Please start again.",
  "provider-declined": "You didn't allow the sign-in, so nothing was changed.",
  "too-many-attempts": "Too many tries. Please wait a little and try again.",
  "email-missing":
    "The service didn't share your email address, which Postcard needs. Allow it there, or sign up with your email.",
  "account-exists":
    "There's already an account with this email. Sign in to it, then connect this service in Settings.",
  "account-unconfirmed":
    "There's an account with this email, but the address was never confirmed. Use “Forgot password?” to make it yours: that removes every other way to sign in to it.",
  "account-unavailable": "This account can't be used right now.",
  "connected-elsewhere": "This sign-in is already connected to someone else's account.",
  "already-connected":
    "Another sign-in from this service is already connected. Disconnect it first.",
  "sign-up-closed":
    "There's no account with this sign-in yet, and this Postcard isn't accepting new ones right now.",
  "invitation-required":
    "There's no account with this sign-in yet. You need an unused invitation to create one.",
  "sign-in-required": "Please sign in to connect another way of signing in.",
} as const satisfies Record<string, string>;

export type SignInProblemCode = keyof typeof signInProblems;

export type SignInProblem = Error & { name: "SignInProblem"; code: SignInProblemCode };

/** The error to throw: `throw problem("popup-blocked")`. `cause` is for the log, never for people. */
export function problem(code: SignInProblemCode, cause?: unknown): SignInProblem {
  const error = new Error(signInProblems[code], { cause });
  return Object.assign(error, { name: "SignInProblem" as const, code });
}

export function isSignInProblem(error: unknown): error is SignInProblem {
  return error instanceof Error && error.name === "SignInProblem";
}

export function isProblemCode(text: unknown): text is SignInProblemCode {
  return typeof text === "string" && Object.hasOwn(signInProblems, text);
}

/** The specification's constants of the sign-in popup (section 9). */
export const popupNumbers = {
  /** pixels */
  width: 500,
  height: 600,
  /** a popup that looks closed for this long is closed, milliseconds */
  closedAfterMs: 8000,
  /** how often the server is polled for the sign-in: at first, and later, milliseconds */
  pollFromMs: 2000,
  pollToMs: 10_000,
  /** the popup's first page must have its address by then, milliseconds */
  firstPageMs: 15_000,
} as const;

/** How long a sign-in at a provider may take (the specification's lifetime of auth events), seconds. */
export const attemptSeconds = 600;

/**
 * How long identity providers may take to answer a request of ours (the specification: 30 to 60), seconds.
 */
export const providerSeconds = 30;

/** A configured provider, as buttons show it. */
export type ProviderView = { name: string; label: string };

/** A provider in Settings; `connectedSince` is null where it is not connected. */
export type ConnectedProvider = ProviderView & { connectedSince: number | null };

/** How a successful sign-in ended. */
export type SignInOutcome =
  | "signed-in"
  | "signed-up"
  | "connected"
  | "second-factor"
  /** the account is to be deleted, and may be kept */
  | "leaving";

/** The state of a sign-in at a provider. `to` is the next page. */
export type AttemptState =
  | { state: "waiting" }
  | { state: "done"; outcome: SignInOutcome; to: string }
  | { state: "failed"; code: SignInProblemCode };

/** The channel on which the popup notifies our pages that it is back. */
export const popupChannel = "postcard-sign-in-popup";
