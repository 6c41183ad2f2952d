import * as common from "#messages/common.json";
import * as words from "#messages/links.json";
import type { FieldErrors } from "#shared/refusals.ts";
import { wholeAlbum, type GuestLink, type GuestPost } from "#shared/shared-links.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { ReportFields } from "#app/features/reports/report-fields.tsx";
import { firstGraphemes } from "#app/lib/text/first-graphemes.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { formatDate } from "#app/lib/text/times.ts";
import { Button } from "#app/ui/button.tsx";
import { SelectField } from "#app/ui/select-field.tsx";

/** What came back of a report: that it was sent, or its refusal with what was typed. */
export type ReturnedReport =
  | { sent: true }
  | {
      typed: { post?: string | undefined; reason?: string | undefined; words?: string | undefined };
      problem: { message: string; fields: FieldErrors | undefined };
    }
  | undefined;

type Props = {
  link: GuestLink;
  items: GuestPost[];
  /** the one post on the page */
  about: string | undefined;
  report: ReturnedReport;
  timeZone: string;
};

/** At the foot of the page: the one thing that guests can write. */
export function GuestReport({ link, items, about, report, timeZone }: Props) {
  const refused = report && "problem" in report ? report : undefined;
  const only = link.kind === "post" ? items[0]?.id : about;
  if (report && !refused) {
    return (
      <p role="status" className="mx-4 rounded-field bg-base-200 px-4 py-3 md:mx-0">
        {words.thankYou}
      </p>
    );
  }
  const posts = items.map(({ id, caption, createdAt }): [string, string] => {
    const text = firstGraphemes(caption.replaceAll(/\s+/gu, " "), 40);
    const date = formatDate(createdAt, timeZone);
    return [id, text ? fill(words.postOfDay, { date, text }) : date];
  });
  return (
    <details open={refused !== undefined} className="px-4 no-print md:px-0">
      <summary className="link inline-flex min-h-11 cursor-pointer items-center text-sm text-muted">
        {words.reportHere}
      </summary>
      <form method="post" className="mt-4 grid max-w-column gap-4">
        {refused && !refused.problem.fields ? <FormAlert text={refused.problem.message} /> : null}
        <input type="hidden" name="intent" value="report" />
        {only !== undefined ? (
          <input type="hidden" name="post" value={only} />
        ) : (
          <SelectField
            name="post"
            label={words.whatAbout}
            choices={[
              ["", words.whoSharesThis],
              ...(link.album ? [[wholeAlbum, words.albumOrWords] as const] : []),
              ...posts,
            ]}
            defaultValue={refused?.typed.post ?? ""}
          />
        )}
        <ReportFields typed={refused?.typed} errors={refused?.problem.fields} />
        <Button type="submit" className="justify-self-start">
          {common.report}
        </Button>
      </form>
    </details>
  );
}
