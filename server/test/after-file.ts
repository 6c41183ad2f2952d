const ends: (() => unknown)[] = [];

/**
 * Does `work` after the last test of the file, what came last first. For helpers, which may be called
 * in a beforeAll: an afterAll that begins there never runs.
 */
export function afterFile(work: () => unknown): void {
  ends.push(work);
}

/** Does what afterFile was given; every file ends with it (end-of-file.ts). */
export async function endFile(): Promise<void> {
  for (const work of ends.splice(0).toReversed()) await work();
}
