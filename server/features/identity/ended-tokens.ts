/** Beyond these the oldest is dropped, and costs one more look-up. Each is 43 characters. */
const most = 10_000;

/**
 * The tokens for which this process found no session: while load is shed, judging a token must not
 * take a query. Only in memory: another process finds out with the first request that it serves.
 * Tokens are signed by us, so nobody fills this without signing in for each.
 */
export function createEndedTokens() {
  const ended = new Set<string>();

  function note(token: string, { holds }: { holds: boolean }): void {
    ended.delete(token);
    if (holds) return;
    ended.add(token);
    if (ended.size <= most) return;
    const [oldest] = ended;
    if (oldest !== undefined) ended.delete(oldest);
  }

  return { note, has: (token: string) => ended.has(token) };
}
