import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterFile } from "#server/test/after-file.ts";

export type SiteAnswer = (request: IncomingMessage, response: ServerResponse) => void;

/** A site of others on this machine; `asked` has the paths that were requested, `counts.most` how many at once. */
export async function siteOfOthers(answer: SiteAnswer) {
  const asked: string[] = [];
  const counts = { now: 0, most: 0 };
  const server = createServer((request, response) => {
    asked.push(request.url ?? "");
    counts.now += 1;
    counts.most = Math.max(counts.most, counts.now);
    response.on("close", () => (counts.now -= 1));
    answer(request, response);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  afterFile(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { asked, counts, origin };
}
