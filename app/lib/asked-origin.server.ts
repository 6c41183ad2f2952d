/**
 * The origin that a browser used for this request, in its own words: the one the page stands on
 * (`Origin`, on everything that is sent), else the host it asked.
 */
export function askedOrigin({ headers }: Request, publicUrl: string): string {
  const origin = headers.get("Origin");
  if (origin) return origin;
  const address = `${new URL(publicUrl).protocol}//${headers.get("Host") ?? ""}`;
  return URL.canParse(address) ? new URL(address).origin : "";
}
