import { z } from "zod";
import { memberOf, type Calls } from "#server/api/calls.ts";
import { cursorQuery } from "#server/api/parameters.ts";
import type { Features } from "#server/features/index.ts";
import { accountSchema, pageOf } from "#shared/views.schemas.ts";

type Deps = { features: { blocks: Features["blocks"] } };

const params = z.object({ id: z.uuid().describe("the other account's id") });
const refusals = ["not-found", "self-block"] as const;
const tags = ["Blocks and mutes"];
const blocked = z.object({ blocked: z.boolean() });
const muted = z.object({ muted: z.boolean() });

/** Whom the caller blocks and mutes. */
export function blockRoutes({ features: { blocks } }: Deps) {
  return async (app: Calls): Promise<void> => {
    app.get(
      "/api/blocks",
      {
        config: { access: "member" },
        schema: {
          tags,
          summary: "Whom you blocked",
          description: "Latest first, 30 a page. Nobody else can read it.",
          querystring: cursorQuery,
          response: { 200: pageOf(accountSchema) },
        },
      },
      async (request) => blocks.blocked(memberOf(request), request.query.cursor || null),
    );
    app.put(
      "/api/blocks/:id",
      {
        config: { access: "member", refusals },
        schema: {
          tags,
          summary: "Block somebody",
          description:
            "Neither sees anything of the other from now on, and the follows between you end. " +
            "Whoever blocked you is not found.",
          params,
          response: { 200: blocked },
        },
      },
      async (request) => blocks.block(memberOf(request), request.params.id),
    );
    app.delete(
      "/api/blocks/:id",
      {
        config: { access: "member", refusals },
        schema: {
          tags,
          summary: "Lift a block",
          description: "What was hidden is there again; follows are not.",
          params,
          response: { 200: blocked },
        },
      },
      async (request) => blocks.unblock(memberOf(request), request.params.id),
    );
    app.get(
      "/api/mutes",
      {
        config: { access: "member" },
        schema: {
          tags,
          summary: "Whom you muted",
          description: "Latest first, 30 a page. Nobody else can read it.",
          querystring: cursorQuery,
          response: { 200: pageOf(accountSchema) },
        },
      },
      async (request) => blocks.muted(memberOf(request), request.query.cursor || null),
    );
    app.put(
      "/api/mutes/:id",
      {
        config: { access: "member", refusals },
        schema: {
          tags,
          summary: "Mute somebody",
          description:
            "Their posts leave your feed and you are told nothing of them. They notice nothing.",
          params,
          response: { 200: muted },
        },
      },
      async (request) => blocks.mute(memberOf(request), request.params.id),
    );
    app.delete(
      "/api/mutes/:id",
      {
        config: { access: "member", refusals },
        schema: { tags, summary: "Lift a mute", params, response: { 200: muted } },
      },
      async (request) => blocks.unmute(memberOf(request), request.params.id),
    );
  };
}
