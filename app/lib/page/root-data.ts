import { useRouteLoaderData } from "react-router";
import type { OfferedLanguage } from "#shared/languages.ts";
import type { AccountSummary } from "#shared/views.ts";
import type { Theme } from "#app/lib/page/theme.ts";

/** The viewer and their settings: what the root reads for every page. */
export type RootData = {
  viewer: AccountSummary | null;
  /** the viewer decides about what members report */
  moderator: boolean;
  /** the viewer is an operator of this site */
  operator: boolean;
  /** the viewer has an email to confirm, and the server sends mail itself */
  confirmsEmail: boolean;
  /** the viewer sees at once what has a content warning */
  showVeiled: boolean;
  unread: { notifications: number; messages: number };
  theme: Theme;
  /** those that the site is offered in, where there is more than one */
  languages?: readonly OfferedLanguage[];
  /** what this browser gets documents in, likewise */
  language?: string;
  /** IANA name */
  timeZone: string;
  publicUrl: string;
  /** where images are served from; empty: from here */
  imageBaseUrl: string;
  /** the operator's name for this site, and who may join */
  site: string;
  signUp: "open" | "invitation" | "closed";
  /** posts and accounts may be for fewer than everyone: not where photos are at a public host */
  narrow: boolean;
  /** when the page was read, epoch milliseconds */
  now: number;
};

/** Undefined after a navigation that failed: it brings no data at all. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData("root") as RootData | undefined;
}

/** Whether a post may be for fewer than everyone here. */
export function useNarrowOffered(): boolean {
  return useRootData()?.narrow ?? true;
}

/** Anybody may join: otherwise the front page says how. */
export function useSignUpOpen(): boolean {
  return useRootData()?.signUp === "open";
}
