// Links that show posts to guests, who have no account.
export { createGuests } from "#server/features/links/guests.ts";
export { createSharedLinks } from "#server/features/links/shared-links.ts";
