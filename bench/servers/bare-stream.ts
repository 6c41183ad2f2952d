import { createServer, type ServerResponse } from "node:http";

/**
 * What the streams are compared with: Node's own HTTP server that keeps text/event-stream answers open and
 * writes what its parent sends over the channel, and nothing else: no session, no database, no heartbeats.
 */
type Command = { write?: { group: string; text: string }[] };

const groups = new Map<string, Set<ServerResponse>>();

const server = createServer((request, response) => {
  const group = new URL(request.url ?? "/", "http://localhost").searchParams.get("group") ?? "";
  response.writeHead(200, { "Content-Type": "text/event-stream", "Cache-Control": "no-store" });
  response.write("event: hello\ndata: {}\n\n");
  const members = groups.get(group) ?? new Set();
  groups.set(group, members.add(response));
  response.once("close", () => members.delete(response));
});

process.on("message", ({ write = [] }: Command) => {
  for (const { group, text } of write) {
    for (const response of groups.get(group) ?? []) response.write(text);
  }
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.send?.({ ready: true }));
process.on("SIGTERM", () => process.exit(0));
