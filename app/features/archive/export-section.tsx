import { Form } from "react-router";
import { tryAgain } from "#messages/common.json";
import * as words from "#messages/data.json";
import type { ExportView } from "#shared/archive.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { DataSection } from "#app/features/archive/data-section.tsx";
import { JobProgress } from "#app/features/archive/job-progress.tsx";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { missing, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { sizeText } from "#app/lib/text/sizes.ts";
import { formatDate } from "#app/lib/text/times.ts";
import { Button } from "#app/ui/button.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";

type Props = {
  /** the newest first */
  exports: ExportView[];
  /** the session is too old to prove who is asking */
  asksPassword: boolean;
  pending: boolean;
  /** the server sends email */
  mailLeaves: boolean;
  /** why it could not be requested */
  problem: { message: string; fields: FieldErrors | undefined } | undefined;
};

/** Requests an archive of everything, shows its progress and offers it for download. */
export function ExportSection({ exports, asksPassword, pending, mailLeaves, problem }: Props) {
  const { errors, ...listeners } = useFieldErrors(problem?.fields, (form) =>
    missing(form, asksPassword ? ["password"] : []),
  );
  const [newest] = exports;
  const waiting = newest?.state === "waiting" ? newest : undefined;
  const ready = exports.find(({ state }) => state === "ready");
  return (
    <DataSection title={words.exportTitle} about={words.exportAbout}>
      {problem && !problem.fields ? <FormAlert text={problem.message} /> : null}
      {newest?.state === "failed" ? <FormAlert text={words.exportFailed} /> : null}
      {waiting ? (
        <JobProgress
          label={words.exportRunning}
          done={waiting.done}
          total={waiting.total}
          counts={words.postsOf}
        />
      ) : null}
      {ready ? <Ready archive={ready} /> : null}
      {waiting ? null : (
        <Form method="post" noValidate className="grid gap-4" {...listeners}>
          {asksPassword || errors["password"] ? (
            <PasswordField label={words.yourPassword} error={errors["password"]} />
          ) : null}
          <Button type="submit" look="outline" pending={pending} className="justify-self-start">
            {ready ? words.makeNewArchive : newest ? tryAgain : words.makeArchive}
          </Button>
          <p className="text-sm text-muted">
            {counted(
              mailLeaves ? words.exportMailed : words.exportKept,
              limits.archive.retentionDays,
            )}
          </p>
        </Form>
      )}
    </DataSection>
  );
}

function Ready({ archive }: { archive: ExportView }) {
  const { id, createdAt, bytes, expiresAt } = archive;
  const timeZone = useTimeZone();
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-field bg-base-200 p-3">
      <p className="text-sm">
        <span className="block font-medium">
          {fill(words.madeOn, {
            date: formatDate(createdAt, timeZone),
            size: sizeText(bytes ?? 0),
          })}
        </span>
        {expiresAt === null ? null : (
          <span className="text-muted">
            {fill(words.onlyYouUntil, { date: formatDate(expiresAt, timeZone) })}
          </span>
        )}
      </p>
      <a href={`/exports/${id}.zip`} download className="btn btn-primary">
        {words.download}
      </a>
    </div>
  );
}
