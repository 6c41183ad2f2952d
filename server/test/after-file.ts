const ends: (() => unknown)[] = [];

/**
 * Runs `work` after the last test of the file, the last added first. For helpers that may be called in a
 * beforeAll: an afterAll registered there never runs.
 */
export function afterFile(work: () => unknown): void {
  ends.push(work);
}

/** Runs what afterFile was given; every file ends with it (end-of-file.ts). */
export async function endFile(): Promise<void> {
  for (const work of ends.splice(0).toReversed()) await work();
}
