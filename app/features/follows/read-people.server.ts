import type { PageContext } from "#app/lib/context.server.ts";
import { orNotFound, orRefusalPage } from "#app/lib/refusals.server.ts";

/** What the lists of followers and followed accounts show; open to visitors. */
export async function readPeople(
  { viewer, features }: Pick<PageContext, "viewer" | "features">,
  list: "followers" | "following",
  accountId: string,
  url: string,
) {
  const cursor = new URL(url).searchParams.get("cursor");
  const [profile, page] = await orRefusalPage(
    Promise.all([
      features.profiles.get(viewer, accountId),
      features.follows[list](viewer, accountId, cursor),
    ]),
  );
  return { account: orNotFound(profile).account, page, viewerId: viewer?.id ?? null };
}
