import { isRefusal, type RefusalCode } from "#shared/errors.ts";

/** What a town can lack because of what was done in it, in the order of its making. */
const things = {
  person: ["person", "people"],
  follow: ["follow", "follows"],
  post: ["post", "posts"],
  reaction: ["reaction", "reactions"],
  message: ["message", "messages"],
} as const;
type Thing = keyof typeof things;

/** The refusals of the features for an account that is deleted, blocked, or does not follow back. */
const ofAccounts: ReadonlySet<RefusalCode> = new Set(["not-found", "chat-closed"]);

export type Skipped = ReturnType<typeof createSkipped>;

/**
 * What is not made because accounts of the town, or the visitors who signed in as them, blocked each other,
 * were deleted, or were suspended.
 */
export function createSkipped() {
  const counts = new Map<Thing, number>();

  function count(thing: Thing, number = 1): void {
    counts.set(thing, (counts.get(thing) ?? 0) + number);
  }

  return {
    count,

    /** Does it, or counts it if it is refused for what an account did; other refusals are thrown. */
    async unlessRefused<Made>(thing: Thing, make: () => Promise<Made>): Promise<Made | null> {
      try {
        return await make();
      } catch (error) {
        if (!isRefusal(error) || !ofAccounts.has(error.code)) throw error;
        count(thing);
        return null;
      }
    },

    /** "1 person, 3 follows"; null if nothing was skipped. */
    inWords(): string | null {
      const parts = (Object.keys(things) as Thing[]).flatMap((thing) => {
        const number = counts.get(thing) ?? 0;
        return number === 0 ? [] : `${number} ${things[thing][number === 1 ? 0 : 1]}`;
      });
      return parts.length === 0 ? null : parts.join(", ");
    },
  };
}
