import styles from "#app/styles/little-room.css?url";

/**
 * The style sheet for large letters and for low windows, which hardly anybody needs: a page asks for it when
 * it finds itself there, and before its first paint; without scripts it always has it.
 */
export const styleLittleRoom = (nonce: string): string =>
  `<noscript><link rel="stylesheet" href="${styles}"></noscript>` +
  `<script nonce="${nonce}">(${whereNeeded.toString()})("${styles}")</script>`;

/** Runs in the page, on its own: nothing from outside this function exists there. */
function whereNeeded(href: string): void {
  const { documentElement: root, head } = document;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = href;
  link.setAttribute("blocking", "render");
  const look = () => {
    const large = parseFloat(getComputedStyle(root).fontSize) >= 20;
    if (!link.parentNode && (large || window.innerHeight < 500)) head.append(link);
  };
  look();
  window.addEventListener("resize", look);
  // A page with larger letters is longer.
  new ResizeObserver(look).observe(root);
}
