import { z } from "zod";
import type { Calls } from "#server/api/calls.ts";
import type { Config } from "#server/config.ts";

const schema = {
  tags: ["Identity"],
  summary: "Where signing in is allowed",
  description:
    "What an identity provider's library asks before it opens a sign-in: the names of the hosts " +
    "whose pages may sign people in here. Query parameters such as `key` are not read.",
  response: {
    200: z.object({ projectId: z.string(), authorizedDomains: z.array(z.string()) }),
  },
};

const atRoot = {
  ...schema,
  operationId: "getProjectsAtRoot",
  summary: "Where signing in is allowed, at the root",
};

/** GET /v1/projects, at the root and under /api: this server's own hosts and the allowed ones. */
export function projectRoutes({ origins, corsOrigins }: Pick<Config, "origins" | "corsOrigins">) {
  const hosts = [...origins, ...corsOrigins].map((origin) => new URL(origin).hostname);
  const answer = { projectId: "postcard", authorizedDomains: [...new Set(hosts)] };

  return async (app: Calls): Promise<void> => {
    for (const [path, declared] of [
      ["/v1/projects", atRoot],
      ["/api/v1/projects", schema],
    ] as const) {
      app.get(path, { config: { access: "anybody" }, schema: declared }, async () => answer);
    }
  };
}
