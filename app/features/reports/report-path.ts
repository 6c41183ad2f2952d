import type { ReportTarget } from "#shared/reports.ts";
import type { PostView } from "#shared/views.ts";
import { returnParameter } from "#app/lib/return-path.ts";

/** Names the reported content, and where to go back to, in an address. */
export function reportQuery(reported: ReportTarget | undefined, back: string): string {
  // Numbers become strings by themselves.
  const named = { ...reported, [returnParameter]: back } as Record<string, string>;
  return `?${new URLSearchParams(named)}`;
}

export function reportedPost({
  author,
  number,
}: Pick<PostView, "author" | "number">): ReportTarget {
  return { kind: "post", author: author.username, number };
}
