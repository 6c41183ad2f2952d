import { useRouteLoaderData } from "react-router";
import type { AccountSummary } from "#shared/views.ts";
import type { Theme } from "#app/lib/page/theme.ts";

/** Who is looking, and how: what the root reads for every page. */
export type RootData = {
  viewer: AccountSummary | null;
  /** the viewer decides about what members report */
  moderator: boolean;
  /** the viewer runs this place */
  operator: boolean;
  /** the viewer has an email to confirm, and mail leaves this server */
  confirmsEmail: boolean;
  unread: { notifications: number; messages: number };
  theme: Theme;
  /** IANA name */
  timeZone: string;
  publicUrl: string;
  /** where pictures are served from; empty: from here */
  imageBaseUrl: string;
  /** what the operator calls this place, and who may join */
  site: string;
  signUp: "open" | "invitation" | "closed";
  /** when the page was read, epoch milliseconds */
  now: number;
};

/** Undefined after a navigation that failed: it brings no data at all. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData("root") as RootData | undefined;
}

/** Anybody may join: else the front page says how. */
export function useSignUpOpen(): boolean {
  return useRootData()?.signUp === "open";
}
