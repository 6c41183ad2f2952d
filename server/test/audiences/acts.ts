import { albumActs } from "#server/test/audiences/album-acts.ts";
import type { Act, Step } from "#server/test/audiences/act.ts";
import { isActive } from "#server/test/audiences/oracle.ts";
import { peopleActs } from "#server/test/audiences/people-acts.ts";
import { postActs } from "#server/test/audiences/post-acts.ts";
import type { World } from "#server/test/audiences/world.ts";

export const acts: Record<string, Act> = { ...peopleActs, ...postActs, ...albumActs };

/** Does one step, unless who acts is suspended or deleted. */
export async function take(world: World, step: Step): Promise<void> {
  if (isActive(world.state, step.by)) await acts[step.act]?.(world, step);
}
