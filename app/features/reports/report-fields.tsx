import type { FieldErrors } from "#shared/refusals.ts";
import { reportLimits } from "#shared/report-limits.ts";
import { reportReasons } from "#shared/report-kinds.ts";
import * as words from "#messages/reports.json";
import { reasonWords } from "#app/features/reports/report-words.ts";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import { rich } from "#app/lib/text/messages.tsx";
import { Choices } from "#app/ui/choices.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = {
  /** chosen and typed before */
  typed?: { reason?: string | undefined; words?: string | undefined } | undefined;
  errors?: FieldErrors | undefined;
};

const field = fieldsOf<FormCalls["reports"]["report"]>();

/** The reason, from a short list, and in one's own words: the same in the dialog and on the page. */
export function ReportFields({ typed, errors }: Props) {
  return (
    <>
      <Choices
        name={field("reason")}
        legend={words.whatsWrong}
        choices={reportReasons.map((reason) => [reason, reasonWords[reason]])}
        defaultValue={typed?.reason}
        required
        error={errors?.["reason"]}
      />
      <TextArea
        name={field("words")}
        label={words.ownWords}
        optional
        limit={reportLimits.words}
        defaultValue={typed?.words}
        error={errors?.["words"]}
      />
      <p className="text-sm text-pretty text-muted">
        {rich(words.onlyModerators, {
          rules: (text) => (
            <a href="/rules" target="_blank" className="link">
              {text}
            </a>
          ),
        })}
      </p>
    </>
  );
}
