import type { IncomingMessage } from "node:http";
import { askPublicWeb, isPublicHost, publicWebAddress } from "#server/adapters/public-web.ts";

/** Reads pages of others at addresses that members give. */
export type PageReader = {
  /** whether pages of others can link to this server: without a public address of its own nothing is read */
  enabled: boolean;
  /** whether a page at this address may be asked for at all: https at its usual port, a public host */
  mayRead: (address: string) => boolean;
  /**
   * The page, one code unit a byte; null if it cannot be read: no answer, no HTML, another status than 200,
   * a host that is not public. Of a larger page its beginning. Never throws.
   */
  read: (address: string) => Promise<string | null>;
};

type Options = {
  publicUrl: string;
  /** tests have their pages on this machine */
  loopback?: boolean;
  /** for all of a page, its redirects included */
  timeoutMs?: number;
};

const mostRedirects = 3;
/** bytes */
const mostRead = 1_000_000;

export function createPageReader({
  publicUrl,
  loopback = false,
  timeoutMs = 10_000,
}: Options): PageReader {
  const headers = {
    accept: "text/html",
    "accept-encoding": "identity",
    "user-agent": `Postcard (+${publicUrl})`,
  };
  const own = new URL(publicUrl);
  const enabled = loopback || (own.protocol === "https:" && isPublicHost(own.hostname));

  const addressIn = (address: string) => publicWebAddress(address, loopback);

  async function read(address: string): Promise<string | null> {
    const signal = AbortSignal.timeout(timeoutMs);
    let url = addressIn(address);
    const site = url && siteOf(url);
    try {
      // A redirect that leaves the site says nothing about who writes the site.
      for (let asked = 0; url && siteOf(url) === site && asked <= mostRedirects; asked += 1) {
        const answer = await askPublicWeb(url, { method: "GET", headers, signal, loopback });
        const { location } = answer.headers;
        if (!isRedirect(answer) || !location) return await textOf(answer);
        answer.destroy();
        url = URL.canParse(location, url) ? addressIn(new URL(location, url).href) : null;
      }
    } catch {
      // Whose server it is answers for it.
    }
    return null;
  }

  return { enabled, mayRead: (address) => addressIn(address) !== null, read };
}

const siteOf = ({ host }: URL) => host.replace(/^www\./, "");

const isRedirect = ({ statusCode = 0 }: IncomingMessage) =>
  [301, 302, 303, 307, 308].includes(statusCode);

async function textOf(answer: IncomingMessage): Promise<string | null> {
  const isHtml = /^(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(
    answer.headers["content-type"] ?? "",
  );
  if (answer.statusCode !== 200 || !isHtml) {
    answer.destroy();
    return null;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes >= mostRead) break;
  }
  return Buffer.concat(chunks).subarray(0, mostRead).toString("latin1");
}
