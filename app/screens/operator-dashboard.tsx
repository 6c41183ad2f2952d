import { useEffect } from "react";
import { useRevalidator } from "react-router";
import type { DoctorRound } from "#shared/operator.ts";
import { formatSize } from "#shared/sizes.ts";
import { OperatorForm, refusedOf, ResultNotice } from "#app/features/operator/operator-form.tsx";
import {
  operatorAction,
  operatorPage,
  type FormResult,
} from "#app/features/operator/operator.server.ts";
import { Facts, StatusRow, Section } from "#app/features/operator/section.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/operator-dashboard";

/** How often a page that waits for the doctor polls, milliseconds. */
const againMs = 2000;

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features, status } = operatorPage(context);
  const [state, jobStatus] = await Promise.all([
    status.read(),
    features.dashboard.jobStatus(member),
  ]);
  return { ...state, jobStatus };
}

export const action = operatorAction({
  doctor: async ({ page }) => {
    await page.status.beginRound();
    return { message: "The doctor is looking. This takes a few seconds." };
  },
  retry: async ({ dashboard, operator, fields }) => {
    await dashboard.retryJob(operator, fields["job"] ?? "");
    return { message: "It is tried again." };
  },
});

type Loaded = Route.ComponentProps["loaderData"];

export default function OperatorDashboard({ loaderData, actionData }: Route.ComponentProps) {
  const { versions, storage, troubles, backups, errors, round, jobStatus } = loaderData;
  return (
    <>
      <ScreenTitle title="Operator">How it stands</ScreenTitle>
      <div className="grid gap-6 pb-8">
        <ResultNotice returned={actionData} />
        {troubles.length > 0 && (
          <Section title="Needs your attention">
            <ul>
              {troubles.map(({ id, said, beganAt }) => (
                <StatusRow key={id} good={false}>
                  <p>{said}</p>
                  <p className="text-sm text-muted">
                    <PostTime at={beganAt} />
                  </p>
                </StatusRow>
              ))}
            </ul>
          </Section>
        )}
        <Section title="Storage">
          <Facts
            facts={[
              ["Pictures, as people sent them", formatSize(storage.pictures)],
              ["Database", formatSize(storage.database)],
              [
                "Free where this runs",
                storage.free === null ? "Unknown" : formatSize(storage.free),
              ],
            ]}
          />
        </Section>
        <Backups backups={backups} />
        <Jobs jobStatus={jobStatus} returned={actionData} />
        <Doctor round={round} returned={actionData} />
        <Errors errors={errors} />
        <Section title="Versions">
          <Facts
            facts={[
              ["Postcard", versions.postcard],
              ["Node.js", versions.node],
              ["PostgreSQL", versions.postgres],
              ["Tables", versions.schema.replace(/\.sql$/, "")],
            ]}
          />
        </Section>
      </div>
    </>
  );
}

function Errors({ errors }: { errors: Loaded["errors"] }) {
  return (
    <Section title="Last errors">
      {errors.length === 0 && <p className="text-muted">None that this place remembers.</p>}
      <ul>
        {errors.map(({ id, at, message, detail }) => (
          <li key={id} className="border-b border-line py-2 wrap-anywhere last:border-b-0">
            <p>{message || detail}</p>
            <p className="text-sm text-muted">
              <PostTime at={at} />
              {message && detail ? ` · ${detail}` : ""}
            </p>
          </li>
        ))}
      </ul>
      <p className="text-sm text-muted">
        The log of the server has all of it. Names, addresses and keys are left out here.
      </p>
    </Section>
  );
}

function Backups({ backups }: { backups: Loaded["backups"] }) {
  return (
    <Section title="Backups">
      {backups === null && (
        <p className="text-muted">
          None is taken by itself. Set BACKUP_DIR to a folder on another disk, and restart.
        </p>
      )}
      {backups?.trouble && <p className="font-medium text-danger">{backups.trouble}</p>}
      {backups && !backups.trouble && backups.list.length === 0 && (
        <p className="text-muted">There is none yet. The first one is taken soon after a start.</p>
      )}
      <ul>
        {backups?.list.map(({ name, takenAt, bytes, rows, pictures, drill }) => (
          <StatusRow key={name} good={drill !== null && drill.faults.length === 0}>
            <p>
              <PostTime at={takenAt} />
              {drill === null
                ? ", not tried yet"
                : drill.faults.length === 0
                  ? `, restored for a drill in ${drill.seconds} s: all right`
                  : ", restored for a drill: not right"}
            </p>
            <p className="text-sm text-muted">
              {`${rows} rows in ${formatSize(bytes)}, ${pictures.count} pictures of ${formatSize(pictures.bytes)}`}
            </p>
            {drill?.faults.map((fault) => (
              <p key={fault} className="text-sm text-danger">
                {fault}
              </p>
            ))}
          </StatusRow>
        ))}
      </ul>
    </Section>
  );
}

type JobsProps = { jobStatus: Loaded["jobStatus"]; returned: FormResult | undefined };

function Jobs({ jobStatus: { waiting, failed }, returned }: JobsProps) {
  const refusedJob = refusedOf(returned, "retry")?.typed["job"];
  return (
    <Section title="Jobs">
      {waiting.length + failed.length === 0 && (
        <p className="text-muted">Nothing waits, and nothing was given up.</p>
      )}
      <ul>
        {waiting.map(({ name, waiting: many, late }) => (
          <li key={name} className="flex flex-wrap justify-between gap-3 py-1">
            <span>{name}</span>
            <span className={late > 0 ? "text-danger" : "text-muted"}>
              {`${many} waiting${late > 0 ? `, ${late} late` : ""}`}
            </span>
          </li>
        ))}
      </ul>
      <ul>
        {failed.map(({ id, name, error, failedAt }) => (
          <li key={id} className="grid gap-2 border-b border-line py-3 last:border-b-0">
            <p className="wrap-anywhere">
              <span className="font-semibold">{name}</span>
              {`: given up. ${error}`}
            </p>
            <p className="text-sm text-muted">
              <PostTime at={failedAt} />
            </p>
            <OperatorForm
              form="retry"
              press="Try again"
              look="outline"
              asksPassword={false}
              returned={refusedJob === id ? returned : undefined}
            >
              <input type="hidden" name="job" value={id} />
            </OperatorForm>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const order = ["problem", "note", "fixed", "ok"];

function Doctor({
  round,
  returned,
}: {
  round: DoctorRound | null;
  returned: FormResult | undefined;
}) {
  const { revalidate } = useRevalidator();
  const looking = round !== null && round.endedAt === null;
  useEffect(() => {
    if (!looking) return;
    const timer = setInterval(() => void revalidate(), againMs);
    return () => clearInterval(timer);
  }, [looking, revalidate]);
  const findings = (round?.findings ?? []).toSorted(
    (a, b) => order.indexOf(a.state) - order.indexOf(b.state),
  );
  return (
    <Section title="Doctor">
      <p className="text-sm text-muted">
        Looks at everything this place stands on: disks, database, counters, pictures, mail,
        backups. The same as npm run doctor.
      </p>
      <div aria-live="polite">
        {looking && <p>It is looking. Load this page again in a moment.</p>}
        {round?.endedAt && (
          <p className="text-sm text-muted">
            Looked <PostTime at={round.endedAt} />
          </p>
        )}
      </div>
      <ul>
        {findings.map(({ state, about, text }) => (
          <StatusRow key={`${about} ${text}`} good={state === "ok" || state === "fixed"}>
            <span className="font-semibold">{about}</span>
            {`: ${text}`}
          </StatusRow>
        ))}
      </ul>
      {!looking && (
        <OperatorForm
          form="doctor"
          press={round ? "Look again" : "Look"}
          look="outline"
          asksPassword={false}
          returned={returned}
        />
      )}
    </Section>
  );
}
