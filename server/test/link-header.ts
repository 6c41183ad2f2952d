type Answer = { headers: Record<string, unknown> };

/** The addresses in a Link header, which lead to other pages of a list, in their order. */
export function linksOf({ headers }: Answer): { url: string; rel: string }[] {
  const found = [
    ...String(headers["link"] ?? "").matchAll(/<https?:\/\/[^/]+([^>]+)>; rel="(\w+)"/g),
  ];
  return found.map(([, url = "", rel = ""]) => ({ url, rel }));
}

export const linkOf = (answer: Answer, rel: string): string | undefined =>
  linksOf(answer).find((link) => link.rel === rel)?.url;
