import type { FieldErrors } from "#shared/early-refusals.ts";
import { reportLimits } from "#shared/report-limits.ts";
import { reportReasons } from "#shared/report-kinds.ts";
import { reasonLabels } from "#shared/reports.ts";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import { FieldError } from "#app/ui/field.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = {
  /** what was chosen and written before */
  typed?: { reason?: string | undefined; words?: string | undefined } | undefined;
  errors?: FieldErrors | undefined;
};

const field = fieldsOf<FormCalls["reports"]["report"]>();

/** Why, from a short list, and in one's own words: the same in the dialog and on the page. */
export function ReportFields({ typed, errors }: Props) {
  return (
    <>
      <fieldset aria-describedby={errors?.["reason"] ? "reason-error" : undefined}>
        <legend className="mb-2 text-sm font-medium">What's wrong?</legend>
        {reportReasons.map((reason) => (
          <label key={reason} className="flex min-h-11 items-center gap-3">
            <input
              type="radio"
              name={field("reason")}
              value={reason}
              required
              defaultChecked={typed?.reason === reason}
              className="size-5 shrink-0 accent-primary"
            />
            {reasonLabels[reason]}
          </label>
        ))}
        <FieldError id="reason" error={errors?.["reason"]} />
      </fieldset>
      <TextArea
        name={field("words")}
        label="In your own words"
        optional
        limit={reportLimits.words}
        defaultValue={typed?.words}
        error={errors?.["words"]}
      />
      <p className="text-sm text-pretty text-muted">
        Only moderators see this, and nobody else learns that it was you.{" "}
        <a href="/rules" target="_blank" className="link">
          Rules of this place
        </a>
      </p>
    </>
  );
}
