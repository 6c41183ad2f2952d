import type { FastifyInstance, FastifyRequest } from "fastify";
import { addressesInChatId } from "#server/features/talk/index.ts";
import { numberedAddresses } from "#server/compat/documents/threads.ts";
import type { Features } from "#server/features/index.ts";
import type { Viewer } from "#shared/views.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** the emails by which a call's body names accounts that it looks up */
    addressesIn?: (body: never) => readonly string[];
  }
}

type Named = Record<string, unknown>;

/**
 * Counts the emails by which a program's call names accounts, in its path or its body, before anything is
 * looked up: no call can be used to try out emails one by one.
 */
export function countEmailLookups(
  calls: Pick<FastifyInstance, "addHook">,
  { search }: { search: Pick<Features["search"], "countAddresses"> },
): void {
  calls.addHook("preHandler", async (request) => {
    const { addressesIn } = request.routeOptions.config;
    await search.countAddresses(request.viewer, request.ip, [
      ...addressesOf(request.viewer, request.params as Named),
      ...bodyAddresses(request, addressesIn),
    ]);
  });
}

function bodyAddresses(
  { body }: Pick<FastifyRequest, "body">,
  addressesIn: ((body: never) => readonly string[]) | undefined,
): string[] {
  return addressesIn ? addressesIn(body as never).map(folded) : [];
}

/**
 * The emails in the named parts of a path or a form, in lower case. A chatId is two of them joined, the
 * commentId of a documented call one with a number after it.
 */
export function addressesOf(viewer: Viewer | null, named: Named): string[] {
  return Object.entries(named).flatMap(([name, value]) => {
    if (typeof value !== "string" || !value.includes("@")) return [];
    const text = folded(value);
    if (name === "chatId" || name === "conversationId") return addressesInChatId(text, viewer);
    if (name === "commentId") return withoutNumber(text, viewer);
    return [text];
  });
}

/** Every possible reading of it, unless one is the caller's own email: then that one is meant. */
function withoutNumber(commentId: string, viewer: Viewer | null): string[] {
  const readings = numberedAddresses(commentId).map(({ address }) => address);
  return readings.includes(folded(viewer?.email ?? "")) ? [] : readings;
}

const folded = (text: string) => text.toLowerCase().toWellFormed();
