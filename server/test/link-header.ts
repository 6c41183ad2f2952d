type Answer = { headers: Record<string, unknown> };

/** Where a list goes on: the addresses of its Link header, in their order. */
export function linksOf({ headers }: Answer): { url: string; rel: string }[] {
  const found = [
    ...String(headers["link"] ?? "").matchAll(/<https?:\/\/[^/]+([^>]+)>; rel="(\w+)"/g),
  ];
  return found.map(([, url = "", rel = ""]) => ({ url, rel }));
}

export const linkOf = (answer: Answer, rel: string): string | undefined =>
  linksOf(answer).find((link) => link.rel === rel)?.url;
