import { findLinks } from "#app/features/linked-text/find-links.ts";

/** What somebody wrote, its web addresses as links that vouch for nothing and tell nothing. */
export function LinkedText({ text }: { text: string }) {
  let at = 0;
  return findLinks(text).map(({ text: shown, href }) => {
    const key = at;
    at += 1;
    if (!href) return shown;
    return (
      <a
        key={key}
        href={href}
        title={href}
        target="_blank"
        rel="nofollow ugc noopener noreferrer"
        dir="ltr"
        className="text-primary underline decoration-1 underline-offset-2"
      >
        {shown}
      </a>
    );
  });
}
