import { useRouteLoaderData } from "react-router";
import type { AccountSummary } from "#shared/views.ts";
import type { Theme } from "#app/lib/page/theme.ts";

/** Who is looking, and how: what the root reads for every page. */
export type RootData = {
  viewer: AccountSummary | null;
  /** the viewer has an email to confirm, and mail leaves this server */
  confirmsEmail: boolean;
  unread: { notifications: number; messages: number };
  theme: Theme;
  /** IANA name */
  timeZone: string;
  publicUrl: string;
  /** where pictures are served from; empty: from here */
  picturesAt: string;
  /** when the page was read, epoch milliseconds */
  now: number;
};

/** Undefined after a navigation that failed: it brings no data at all. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData("root") as RootData | undefined;
}
