import type { ServerResponse } from "node:http";
import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { chapter, noContent } from "#server/api/declare.ts";
import type { Features } from "#server/features/index.ts";
import type { Outlet } from "#server/features/talk/index.ts";
import { beginEventStream } from "#server/http/event-stream.ts";
import { refuse } from "#shared/errors.ts";

type Deps = { features: { live: Pick<Features["live"], "open" | "close" | "watch"> } };

/**
 * How long a browser waits before it reconnects by itself, in milliseconds; our own script decides for
 * itself.
 */
const retryMs = 2000;

const id = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";
const postKey = z.string().regex(new RegExp(`^${id}\\.${id}$`));

/** Which posts the tabs of a browser show: `{author id}.{post id}`, at most 20. */
const watchInput = z.object({
  stream: z.string().regex(/^[\w-]{22}$/),
  posts: z.array(postKey).max(20),
});

const eventsQuery = z.object({
  after: z
    .string()
    .max(40)
    .optional()
    .describe("the id of the event heard last; what was missed since comes first"),
  account: z
    .string()
    .max(40)
    .optional()
    .describe("the id of the account whose events are expected; any other caller is refused"),
});
const lastEventId = z.looseObject({
  "last-event-id": z.string().optional().describe("as `after`, as browsers send it by themselves"),
});
const { forMembers } = chapter("Events");

const eventDescription = `
A stream of Server-Sent Events (WHATWG HTML, section 9.2) about the caller's account. The data of each
is JSON, by the event's name: \`hello\` (\`{ stream, complete }\`: the id of this stream, and whether
all missed messages come now), \`message\` (a Message, new or taken back), \`unread\`
(\`{ notifications, messages }\`), \`read\` and \`typing\` (a conversation's id; \`read\` with
\`.{seq}\`, \`typing\` with the account's id where no conversation has begun), \`follow\` (the id of an account that the caller began or ceased to follow, or the other
way round), \`new-post\` (the id of an author whom the caller follows), \`post\`
(\`{ post, likeCount, commentCount, version }\` of a post that is shown, or that an account one follows edited), \`gone\` (a post, as in \`post\`, that is not for the caller any more), \`level\` (all up to its id was told),
\`signed-out\` (nothing comes after it).
`.trim();

const declared = {
  stream: forMembers(["not-yours"], {
    summary: "Stream events",
    description: eventDescription,
    querystring: eventsQuery,
    headers: lastEventId,
    response: {
      200: {
        description: "Server-Sent Events, as long as the session lives",
        content: { "text/event-stream": { schema: z.string() } },
      },
    },
  }),
  watch: forMembers([], {
    summary: "Name the posts you show",
    description: "The stream then sends their counts as `post` events.",
    body: watchInput,
    response: noContent,
  }),
};

/**
 * GET /api/events: the member's stream of events (text/event-stream). `?after=` or Last-Event-ID is the last
 * event received; missed events come first. `?account=` is the account whose events the page expects.
 * PUT /api/events/watched: the posts shown in the tabs of this stream's browser.
 */
export function eventRoutes({ features: { live } }: Deps) {
  // one long answer, logged when it ends; a HEAD would hold a stream open for nothing
  const quietly = { logLevel: "warn", exposeHeadRoute: false } as const;

  return async (app: Calls): Promise<void> => {
    app.get("/api/events", { ...quietly, ...declared.stream }, async (request, reply) => {
      const viewer = memberOf(request);
      const { account = viewer.id } = request.query;
      // Somebody else has signed in since: a page of the previous member gets none of their events.
      if (account !== viewer.id) throw refuse("not-yours");
      const after = request.headers["last-event-id"] ?? request.query.after ?? null;
      const raw = beginEventStream(request, reply);
      raw.write(`retry: ${retryMs}\n\n`);
      try {
        const stream = await live.open(viewer, outletOf(raw), after);
        if (raw.destroyed) live.close(stream);
        else raw.once("close", () => live.close(stream));
      } catch (error) {
        request.log.error({ err: error }, "a stream could not be opened");
        raw.end();
      }
    });
    app.put("/api/events/watched", { ...quietly, ...declared.watch }, async (request) => {
      const { stream, posts } = request.body;
      live.watch(memberOf(request), stream, posts);
    });
  };
}

function outletOf(raw: ServerResponse): Outlet {
  return {
    write: (text) => void raw.write(text),
    backlog: () => raw.writableLength,
    end: () => void raw.end(),
  };
}
