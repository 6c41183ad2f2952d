/**
 * A page is complete without its scripts, so they are requested after its first frame: styles, fonts and
 * the first photo get a slow connection for themselves. React Router writes the links and the script that
 * start them and has no setting for this; if it writes them differently they are left as they are, and the
 * page starts at once. User text cannot look like either, as it is escaped.
 */
export function scriptsLast(html: string, nonce: string): string {
  const waiting = html
    .replaceAll('<link rel="modulepreload"', '<link rel="later" fetchpriority="low"')
    .replace(' type="module" async=""', ' type="later"');
  const end = waiting.lastIndexOf("</body>");
  if (end === -1) return html;
  const begin = `<script nonce="${nonce}">(${beginLater.toString()})()</script>`;
  return waiting.slice(0, end) + begin + waiting.slice(end);
}

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
