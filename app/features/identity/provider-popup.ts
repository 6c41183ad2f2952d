import {
  isProblemCode,
  popupChannel,
  popupNumbers,
  problem,
  type AttemptState,
  type ProviderView,
  type SignInProblem,
} from "#shared/providers.ts";
import * as words from "#messages/identity.json";
import { direction, tag } from "#messages/language.json";
import { awaitAttempt, type DoneAttempt } from "#app/features/identity/await-attempt.ts";
import { callErrorOf, getJson, postForm } from "#app/lib/api-client.ts";
import { fill } from "#app/lib/text/messages.tsx";

type Wanted = {
  provider: ProviderView;
  returnTo: string;
  /** connects the provider to the signed-in account */
  password?: string;
  /** for a first sign-in, where sign-up is by invitation */
  invitation?: string;
  /** the id of the account that a new account follows */
  follow?: string;
  signal: AbortSignal;
  /** the popup was closed; should it come back after all, the sign-in still counts */
  onClosed: (why: SignInProblem) => void;
  /** there is no popup: the whole window goes to the provider */
  onRedirect: (why: SignInProblem) => void;
};

type Begun = { attempt: string; url: string } | { error: { code: string; message: string } };

/**
 * Signs in at a provider in a popup. Call it in a click handler, or browsers open no window. Throws a
 * SignInProblem, or a CallError where a password was refused; never settles when the whole window goes to
 * the provider.
 */
export async function signInByPopup(wanted: Wanted): Promise<DoneAttempt> {
  const { provider, returnTo, password, invitation, follow, signal, onClosed, onRedirect } = wanted;
  const popup = openPopup(provider);
  const isOpen = !(popup instanceof Error);
  if (!isOpen) onRedirect(popup);
  try {
    const { attempt, url } = await begin({
      provider: provider.name,
      returnTo,
      popup: isOpen ? "yes" : "no",
      ...(password === undefined ? {} : { password }),
      ...(invitation ? { invitation } : {}),
      ...(follow ? { follow } : {}),
    });
    if (signal.aborted) {
      throw problem(isOpen && popup.closed ? "popup-closed-by-user" : "cancelled-popup-request");
    }
    if (!isOpen) {
      window.location.assign(url);
      return await new Promise<never>(() => undefined);
    }
    popup.location.replace(url);
    return await awaitAttempt({
      ask: () => getJson<AttemptState>(`/calls/provider-attempt?id=${attempt}`),
      // A popup that was cut off looks closed, but then the focus is in it, not here.
      looksClosed: () => popup.closed && document.hasFocus(),
      onReport: (listener) => onReportOf(attempt, listener),
      onClosed,
      signal,
    });
  } catch (error) {
    if (isOpen) popup.close();
    throw error;
  }
}

/** The popup, or why there is none. Throws where no window can be used to sign in. */
function openPopup({ label }: ProviderView): Window | SignInProblem {
  if (!navigator.cookieEnabled) throw problem("web-storage-unsupported");
  // An app on the home screen opens windows in another browser, with its own cookies.
  if (!("BroadcastChannel" in window) || matchMedia("(display-mode: standalone)").matches) {
    return problem("operation-not-supported-in-this-environment");
  }
  const { width, height } = popupNumbers;
  const left = Math.round(window.screenX + (window.outerWidth - width) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - height) / 2);
  const windowFeatures = `popup,width=${width},height=${height},left=${left},top=${top}`;
  const popup = window.open("about:blank", "_blank", windowFeatures);
  if (!popup) return problem("popup-blocked");
  dress(popup.document, fill(words.takingYouTo, { provider: label }));
  return popup;
}

/** The popup's first page, until the provider's has loaded, in our own style. */
function dress(page: Document, text: string): void {
  page.title = "Postcard";
  page.documentElement.lang = tag;
  page.documentElement.dir = direction;
  page.documentElement.dataset["theme"] = document.documentElement.dataset["theme"] ?? "light";
  for (const { href } of document.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")) {
    const sheet = page.createElement("link");
    page.head.append(Object.assign(sheet, { rel: "stylesheet", href }));
  }
  page.body.className =
    "grid min-h-dvh place-content-center bg-ground p-8 text-center text-base-content";
  page.body.textContent = text;
}

/** Asks the server to begin; the time limit is that of the popup's first page. */
async function begin(fields: Record<string, string>) {
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(problem("network-request-failed")), popupNumbers.firstPageMs);
  });
  const begun = await Promise.race([postForm<Begun>("/calls/begin-provider", fields), late]).catch(
    (error: unknown) => {
      throw toProblem(error);
    },
  );
  if (!("error" in begun)) return begun;
  throw problem(isProblemCode(begun.error.code) ? begun.error.code : "internal-error");
}

const faults = new Set(["internal", "not-ready", "busy", "read-only", "disk-full"]);

/** A refusal that is about the password is passed on as it is. */
function toProblem(error: unknown): unknown {
  const { name, code } = callErrorOf(error);
  if (name !== "CallError") return error;
  if (code === "away") return problem("network-request-failed", error);
  if (code === "wrong-origin") return problem("unauthorized-domain", error);
  if (code && faults.has(code)) return problem("internal-error", error);
  return error;
}

function onReportOf(attempt: string, listener: () => void): () => void {
  const channel = new BroadcastChannel(popupChannel);
  channel.addEventListener("message", ({ data }) => {
    if (data === attempt) listener();
  });
  return () => channel.close();
}
