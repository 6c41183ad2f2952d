import type { World } from "#server/test/audiences/world.ts";

/** What one step names: who acts, on whom or on which post, and what is chosen. */
export type Step = { act: string; by: number; whom: number; pick: number };
/** Does it, with the features and in the state. */
export type Act = (world: World, step: Step) => Promise<void>;

/** Does what the rule allows, and expects everything else to be refused as what never existed. */
export async function allowed(may: boolean, attempt: () => Promise<unknown>): Promise<boolean> {
  const refusal = await attempt().then(
    () => null,
    (error: unknown) => error,
  );
  const code = (refusal as { code?: unknown } | null)?.code;
  if (refusal !== null && code !== "not-found") throw refusal;
  if (may !== (refusal === null)) {
    throw new Error(may ? "what the rule allows was refused" : "what the rule refuses was done");
  }
  return may;
}
