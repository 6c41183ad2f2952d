import type { Input } from "#server/mastodon/input.ts";
import { refuse } from "#shared/errors.ts";
import { effectiveAudience } from "#shared/effective-audience.ts";
import type { Audience, ShownAudience } from "#shared/posts.ts";

/** docs.joinmastodon.org/entities/Status/#visibility: whatever is not for everyone is private there. */
export type Visibility = "public" | "private";

/** The audience of a post, and whether its author's account is private. */
type Of<Shown = ShownAudience> = { audience: Shown; isPrivate: boolean };

export const visibilityOf = ({ audience, isPrivate }: Of): Visibility =>
  effectiveAudience(audience, isPrivate) === "everyone" ? "public" : "private";

/**
 * What an app asks for: `private` is for followers. Where the audience is private there already, for however
 * few, it stays: apps send back what they read.
 */
export const audienceFor = <Now extends ShownAudience>(
  wanted: Visibility,
  now: Of<Now>,
): Now | Audience =>
  wanted === visibilityOf(now) ? now.audience : wanted === "public" ? "everyone" : "followers";

/** Undefined where it is left out. Refuses what has no counterpart here. */
export function visibilityIn(text: string | undefined): Visibility | undefined {
  if (!text) return undefined;
  if (text === "public" || text === "private") return text;
  const offered = 'Posts here are for everyone ("public") or for your followers ("private")';
  const message = `${offered}: "${text}" isn't offered, and nothing was published or changed.`;
  throw refuse("not-offered", { message });
}

/** A comment is for whoever may see its post: an app that wants fewer to see it is refused. */
export function refuseNarrower(input: Input, post: Visibility): void {
  if (visibilityIn(input.text("visibility")) !== "private" || post === "private") return;
  const message =
    "A reply here is for everyone who may see the post, which is public, so nothing was published.";
  throw refuse("not-offered", { message });
}
