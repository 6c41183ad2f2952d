import { Parser } from "htmlparser2";

/**
 * The text of a post of Mastodon, which is HTML: paragraphs and line breaks, addresses in full, and people named
 * as `names` names the address of their profile ("@ada@example.org"), which is nobody here.
 */
export function htmlToText(html: string, names: ReadonlyMap<string, string>): string {
  let text = "";
  let hidden = 0;
  let link: { words: string; from: number } | null = null;
  const parser = new Parser({
    onopentag(tag, { href = "", class: classes = "" }) {
      if (isHidden(tag)) hidden += 1;
      else if (tag === "br") text += "\n";
      else if (tag === "p" && text !== "") text += "\n\n";
      else if ((tag === "li" || tag === "blockquote") && text !== "") text += "\n";
      else if (tag === "a") link = { words: wordsOf(href, classes, names), from: text.length };
    },
    ontext(part) {
      if (hidden === 0) text += part;
    },
    onclosetag(tag) {
      if (isHidden(tag)) hidden -= 1;
      if (tag !== "a" || !link) return;
      if (link.words !== "") text = text.slice(0, link.from) + link.words;
      link = null;
    },
  });
  parser.end(html);
  return text.trim();
}

const isHidden = (tag: string) => tag === "script" || tag === "style";

/** What stands for a link; empty where its own words do. */
function wordsOf(href: string, classes: string, names: ReadonlyMap<string, string>): string {
  const name = names.get(href);
  if (name) return name;
  if (/\b(mention|hashtag)\b/.test(classes)) return "";
  return /^https?:\/\//.test(href) ? href : "";
}
