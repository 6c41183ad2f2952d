import { Parser } from "htmlparser2";

/**
 * The addresses of the links (`a`, `link`) in a page that have this relation, as they are written there. What
 * stands in comments, scripts and form fields is no link.
 */
export function linksIn(html: string, relation: string): string[] {
  const found: string[] = [];
  const parser = new Parser({
    onopentag(name, { rel = "", href = "" }) {
      if (name !== "a" && name !== "link") return;
      if (!rel.toLowerCase().split(/\s+/).includes(relation)) return;
      const address = href.trim();
      if (address !== "") found.push(address);
    },
  });
  parser.end(html);
  return found;
}
