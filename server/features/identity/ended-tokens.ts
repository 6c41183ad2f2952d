/** Beyond these the oldest is forgotten, and costs one more look-up. Each is 43 characters. */
const most = 10_000;

/**
 * The tokens that this process looked up and found no session for: what a token is worth while load is shed
 * must not take a query. Memory alone: a process that knows nothing of a token learns it from the first
 * request that it serves. Tokens are ours, signed, so nobody fills this without signing in for each.
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
