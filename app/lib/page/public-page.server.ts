/**
 * `headers` of a screen whose page is the same for every visitor: shared caches may keep it for a moment. What
 * it shows must come from its path and the database alone; members, and visitors with a cookie or a
 * query, get a page of their own (server/http/page-caching.ts).
 */
export const publicPage = (): HeadersInit => ({ "Cache-Control": "public" });
