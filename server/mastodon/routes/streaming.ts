import type { WebSocket } from "@fastify/websocket";
import type { ServerResponse } from "node:http";
import { z } from "zod";
import type { AppOutlet, AppStream, Channel } from "#server/features/talk/index.ts";
import { beginEventStream } from "#server/http/event-stream.ts";
import { createStreamingEvents } from "#server/mastodon/streaming-events.ts";
import type { MastodonRouter, MastodonDeps, MemberCall } from "#server/mastodon/router.ts";
import { networkOf } from "#server/platform/networks.ts";
import { covers } from "#shared/app-scopes.ts";
import { isRefusal, refuse } from "#shared/errors.ts";
import { tagAsked } from "#shared/tags.ts";

/** How many messages a WebSocket may send in a minute; beyond that it is closed. */
const mostAsked = 300;
/** How long the other side may take to close, milliseconds. */
const farewellMs = 1000;

/** Close codes (RFC 6455, section 7.4.1; IANA's registry for 1012 and 1013). */
const goingAway = 1001;
const policy = 1008;
const tryLater = 1013;

const address = "/api/v1/streaming";

/** docs.joinmastodon.org/methods/streaming */
export function streamingRoutes(router: MastodonRouter, deps: MastodonDeps): void {
  const { live } = deps.features;
  live.apps.setHandler(createStreamingEvents(deps));

  router.get(`${address}/health`, { who: "anybody" }, ({ reply }) =>
    reply.type("text/plain").send("OK"),
  );

  const byPath = [
    "user",
    "user/notification",
    "public",
    "public/local",
    "public/remote",
    "hashtag",
    "hashtag/local",
    "list",
    "direct",
  ];
  for (const path of byPath) {
    const scope = path === "user/notification" ? "read:notifications" : "read:statuses";
    const name = path.replace("/", ":");
    router.member("get", `${address}/${path}`, scope, (call) => overEvents(live.apps, call, name), {
      streams: true,
    });
  }
  for (const url of [address, `${address}/`]) {
    router.socket(url, (call, socket) => overSocket(live.apps, call, socket));
  }
}

type Apps = MastodonDeps["features"]["live"]["apps"];

const open = async (apps: Apps, { viewer, caller, request }: MemberCall, outlet: AppOutlet) =>
  apps.open({ viewer, tokenId: caller.tokenId, network: networkOf(request.ip) }, outlet);

async function overEvents(apps: Apps, call: MemberCall, name: string): Promise<unknown> {
  const { request, reply, input } = call;
  const { key, channels } = subscriptionOf(call, { stream: name, tag: input.text("tag") });
  const stream = await open(apps, call, eventsOutlet(reply.raw));
  const raw = beginEventStream(request, reply);
  // Mastodon begins like this: proxies and apps see at once that the stream is open. An empty line after it
  // would be an event without a name, at which Mastodon.py gives up.
  raw.write(":)\n");
  if (raw.destroyed) apps.close(stream);
  else raw.once("close", () => apps.close(stream));
  apps.subscribe(stream, key, channels);
  return reply;
}

function overSocket(apps: Apps, call: MemberCall, socket: WebSocket): void {
  const { request, input } = call;
  let [count, since] = [0, Date.now()];
  socket.on("error", () => socket.terminate());
  const opened = open(apps, call, socketOutlet(socket)).catch((error: unknown) => {
    const busy = isRefusal(error) && error.code === "too-many-attempts";
    if (!busy) request.log.error({ err: error }, "a stream could not be opened");
    closeSocket(socket, tryLater);
    return null;
  });
  const answerWhenOpen = (asked: Asked) =>
    void opened.then((stream) => stream && answer(apps, call, stream, socket, asked));
  socket.once("close", () => void opened.then((stream) => stream && apps.close(stream)));
  // Listens at once: an app may ask before its stream is open.
  socket.on("message", (data, isBinary) => {
    if (Date.now() - since > 60_000) [count, since] = [0, Date.now()];
    count += 1;
    if (isBinary || count > mostAsked) return closeSocket(socket, policy);
    const asked = askedIn((Array.isArray(data) ? Buffer.concat(data) : data).toString());
    if (asked) answerWhenOpen(asked);
  });
  const first = { stream: input.text("stream"), tag: input.text("tag") };
  if (first.stream !== undefined) answerWhenOpen({ type: "subscribe", ...first });
}

function answer(
  apps: Apps,
  call: MemberCall,
  stream: AppStream,
  socket: WebSocket,
  { type, ...wanted }: Asked,
): void {
  try {
    const { key, channels } = subscriptionOf(call, wanted);
    if (type === "unsubscribe") apps.unsubscribe(stream, key);
    else if (!apps.subscribe(stream, key, channels)) throw refuse("too-many-attempts");
  } catch (error) {
    if (!isRefusal(error)) throw error;
    const { message, status } = error;
    if (socket.readyState === socket.OPEN) socket.send(JSON.stringify({ error: message, status }));
  }
}

/**
 * The streams an app asks for, by the names that events carry, as the app spelled them:
 * `["hashtag","Harbour"]`. Streams of other servers, lists and direct messages stay silent here. Refuses with
 * input-invalid and app-right.
 */
function subscriptionOf({ caller }: MemberCall, { stream = "", tag }: Wanted) {
  const allowed = (scope: "read:statuses" | "read:notifications") => covers(caller.scopes, scope);
  const keyed = (channels: Channel[], ...parts: string[]) => ({
    key: JSON.stringify([stream, ...parts]),
    channels,
  });
  if (stream === "user:notification") {
    if (!allowed("read:notifications")) throw refuse("app-right");
    return keyed(["notifications"]);
  }
  if (!allowed("read:statuses")) throw refuse("app-right");
  switch (stream) {
    case "user":
      return keyed(allowed("read:notifications") ? ["home", "notifications"] : ["home"]);
    case "public":
    case "public:media":
    case "public:local":
    case "public:local:media":
      return keyed(["everybody"]);
    case "public:remote":
    case "public:remote:media":
    case "direct":
    case "list":
      return keyed([]);
    case "hashtag":
    case "hashtag:local": {
      const asked = tagAsked(`#${(tag ?? "").replace(/^#/, "")}`);
      if (asked === null) {
        throw refuse("input-invalid", { message: "Name a hashtag: its letters, without the #." });
      }
      return keyed([`tag:${asked}`], tag ?? "");
    }
    default:
      throw refuse("input-invalid", { message: "Unknown stream type" });
  }
}

type Wanted = { stream?: string | undefined; tag?: string | undefined };
type Asked = Wanted & { type: "subscribe" | "unsubscribe" };

const asking = z.object({
  type: z.enum(["subscribe", "unsubscribe"]),
  stream: z.string().max(40),
  tag: z.string().max(400).optional().catch(undefined),
});

/** Null for what is no request: apps send what they like to keep a connection awake. */
function askedIn(text: string): Asked | null {
  try {
    return asking.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}

function eventsOutlet(raw: ServerResponse): AppOutlet {
  return {
    send: (_name, { event, payload }) => void raw.write(`event: ${event}\ndata: ${payload}\n\n`),
    backlog: () => raw.writableLength,
    beat: () => void raw.write(":thump\n"),
    end: () => void raw.end(),
    drop: () => void raw.destroy(),
  };
}

function socketOutlet(socket: WebSocket): AppOutlet {
  let answered = true;
  socket.on("pong", () => (answered = true));
  return {
    send: (name, { event, quoted }) =>
      socket.send(`{"stream":${name},"event":"${event}","payload":${quoted}}`),
    backlog: () => socket.bufferedAmount,
    beat: () => {
      if (!answered) return socket.terminate();
      answered = false;
      socket.ping();
    },
    end: () => closeSocket(socket, goingAway),
    drop: () => socket.terminate(),
  };
}

/** If the other side doesn't close as well, the connection is not waited for. */
function closeSocket(socket: WebSocket, code: number): void {
  socket.close(code);
  setTimeout(() => socket.terminate(), farewellMs).unref();
}
