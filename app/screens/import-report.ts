import { importInLanguage } from "#app/features/archive/import-in-language.server.ts";
import { importReport } from "#app/features/archive/import-report.server.ts";
import { memberPage, orNotFound } from "#app/lib/refusals.server.ts";
import type { Route } from "./+types/import-report";

/** What the member's newest import brought and left out, as a text file. */
export async function loader({ context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  const latest = orNotFound(importInLanguage(await features.imports.latest(member)));
  return new Response(importReport(latest), {
    headers: {
      "Content-Type": "text/plain; charset=utf-8",
      "Content-Disposition": 'attachment; filename="import-report.txt"',
      "Content-Security-Policy": "default-src 'none'; sandbox",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
