import type { SubmitEvent } from "react";
import { Form } from "react-router";
import type { ExportView } from "#shared/archive.ts";
import type { FieldErrors } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { formatSize } from "#shared/sizes.ts";
import { DataSection } from "#app/features/archive/data-section.tsx";
import { JobProgress } from "#app/features/archive/job-progress.tsx";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import { missing, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
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
  const { errors, onSubmit, onChange } = useFieldErrors(problem?.fields, (form) =>
    missing(form, asksPassword ? ["password"] : []),
  );
  const [newest] = exports;
  const waiting = newest?.state === "waiting" ? newest : undefined;
  const ready = exports.find(({ state }) => state === "ready");
  return (
    <DataSection
      title="Export your data"
      about="A zip file with all your posts and their original pictures, your comments, likes, saves, follows, messages, profile and settings. It includes a page you can open in any browser, even offline."
    >
      {problem && !problem.fields ? <FormAlert text={problem.message} /> : null}
      {newest?.state === "failed" ? (
        <FormAlert text="We couldn't make your archive. Nothing is lost. Please try again." />
      ) : null}
      {waiting ? (
        <JobProgress
          label="Your archive is being made"
          done={waiting.done}
          total={waiting.total}
          unit="posts"
        />
      ) : null}
      {ready ? <Ready archive={ready} /> : null}
      {waiting ? null : (
        <Form
          method="post"
          noValidate
          className="grid gap-4"
          onSubmit={(event: SubmitEvent<HTMLFormElement>) => onSubmit(event)}
          onChange={onChange}
        >
          {asksPassword || errors["password"] ? (
            <PasswordField label="Your password" error={errors["password"]} />
          ) : null}
          <Button type="submit" look="outline" pending={pending} className="justify-self-start">
            {ready ? "Make a new archive" : newest ? "Try again" : "Make my archive"}
          </Button>
          <p className="text-sm text-muted">
            This takes a while. You can leave this page
            {mailLeaves ? ": we'll email you when it's ready." : " and come back."} The file is kept
            for {limits.archive.retentionDays} days.
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
          Made on {formatDate(createdAt, timeZone)}, {formatSize(bytes ?? 0)}
        </span>
        {expiresAt === null ? null : (
          <span className="text-muted">
            Only you can download it, until {formatDate(expiresAt, timeZone)}.
          </span>
        )}
      </p>
      <a href={`/exports/${id}.zip`} download className="btn btn-primary">
        Download
      </a>
    </div>
  );
}
