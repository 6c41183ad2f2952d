/*
 * A page is complete without its scripts, so they are requested after its first frame: styles, fonts and
 * the first photo get a slow connection for themselves. React Router writes the links and the script that
 * start them and has no setting for this; if it writes them differently they are left as they are, and the
 * page starts at once. User text cannot look like either, as it is escaped.
 */

/** The head of a page, whose links to scripts wait. */
export const waitingLinks = (head: string): string =>
  head.replaceAll('<link rel="modulepreload"', '<link rel="later" fetchpriority="low"');

/** What follows it, with the script that starts the page, which waits. */
export const waitingScript = (body: string): string =>
  body.replace(' type="module" async=""', ' type="later"');

/** Ends their waiting. */
export const beginScripts = (nonce: string): string =>
  `<script nonce="${nonce}">(${beginLater.toString()})()</script>`;

/** Runs in the page, on its own: nothing from outside this function exists there. */
function beginLater(): void {
  // oxlint-disable-next-line unicorn/consistent-function-scoping
  const begin = () => {
    for (const link of document.querySelectorAll<HTMLLinkElement>("link[rel=later]")) {
      link.rel = "modulepreload";
    }
    const waiting = document.querySelector<HTMLScriptElement>("script[type=later]");
    if (!waiting) return;
    const script = document.createElement("script");
    script.type = "module";
    script.nonce = waiting.nonce;
    script.text = waiting.text;
    waiting.replaceWith(script);
  };
  // A page in a hidden tab is never painted.
  if (document.visibilityState === "hidden") begin();
  else requestAnimationFrame(() => setTimeout(begin));
}
