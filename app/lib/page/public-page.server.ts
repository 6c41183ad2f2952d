/**
 * `headers` of a screen whose page is the same for every visitor: shared caches may store it for a moment.
 * Its content must come from its path and the database only; members, and visitors with a cookie or a
 * query, get a page of their own (server/http/page-caching.ts).
 */
export const publicPage = (): HeadersInit => ({ "Cache-Control": "public" });
