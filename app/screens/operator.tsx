import { useEffect } from "react";
import { useRevalidator } from "react-router";
import type { DoctorRound } from "#shared/operator.ts";
import { sizeInWords } from "#shared/sizes.ts";
import { ActForm, refusedOf, Told } from "#app/features/operator/act-form.tsx";
import {
  operatorAction,
  operatorPage,
  type Acted,
} from "#app/features/operator/operator.server.ts";
import { Facts, MarkedRow, Section } from "#app/features/operator/section.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import { ScreenTitle } from "#app/ui/page-title.tsx";
import type { Route } from "./+types/operator.ts";

/** How often a page that waits for the doctor asks again, milliseconds. */
const againMs = 2000;

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features, status } = operatorPage(context);
  const [state, work] = await Promise.all([status.read(), features.desk.work(member)]);
  return { ...state, work };
}

export const action = operatorAction({
  doctor: async ({ page }) => {
    await page.status.beginRound();
    return { message: "The doctor is looking. This takes a few seconds." };
  },
  retry: async ({ desk, operator, fields }) => {
    await desk.retryJob(operator, fields["job"] ?? "");
    return { message: "It is tried again." };
  },
});

type Loaded = Route.ComponentProps["loaderData"];

export default function Operator({ loaderData, actionData }: Route.ComponentProps) {
  const { versions, storage, troubles, backups, errors, round, work } = loaderData;
  return (
    <>
      <ScreenTitle title="Operator">How it stands</ScreenTitle>
      <div className="grid gap-6 pb-8">
        <Told returned={actionData} />
        {troubles.length > 0 && (
          <Section title="Needs your attention">
            <ul>
              {troubles.map(({ id, said, beganAt }) => (
                <MarkedRow key={id} good={false}>
                  <p>{said}</p>
                  <p className="text-sm text-muted">
                    <PostTime at={beganAt} />
                  </p>
                </MarkedRow>
              ))}
            </ul>
          </Section>
        )}
        <Section title="Storage">
          <Facts
            facts={[
              ["Pictures, as people sent them", sizeInWords(storage.pictures)],
              ["Database", sizeInWords(storage.database)],
              [
                "Free where this runs",
                storage.free === null ? "Unknown" : sizeInWords(storage.free),
              ],
            ]}
          />
        </Section>
        <Backups backups={backups} />
        <Jobs work={work} returned={actionData} />
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
          <MarkedRow key={name} good={drill !== null && drill.faults.length === 0}>
            <p>
              <PostTime at={takenAt} />
              {drill === null
                ? ", not tried yet"
                : drill.faults.length === 0
                  ? `, restored for a drill in ${drill.seconds} s: all right`
                  : ", restored for a drill: not right"}
            </p>
            <p className="text-sm text-muted">
              {`${rows} rows in ${sizeInWords(bytes)}, ${pictures.count} pictures of ${sizeInWords(pictures.bytes)}`}
            </p>
            {drill?.faults.map((fault) => (
              <p key={fault} className="text-sm text-danger">
                {fault}
              </p>
            ))}
          </MarkedRow>
        ))}
      </ul>
    </Section>
  );
}

type JobsProps = { work: Loaded["work"]; returned: Acted | undefined };

function Jobs({ work: { waiting, failed }, returned }: JobsProps) {
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
            <ActForm
              form="retry"
              press="Try again"
              look="outline"
              asksPassword={false}
              returned={refusedJob === id ? returned : undefined}
            >
              <input type="hidden" name="job" value={id} />
            </ActForm>
          </li>
        ))}
      </ul>
    </Section>
  );
}

const order = ["problem", "note", "fixed", "ok"];

function Doctor({ round, returned }: { round: DoctorRound | null; returned: Acted | undefined }) {
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
          <MarkedRow key={`${about} ${text}`} good={state === "ok" || state === "fixed"}>
            <span className="font-semibold">{about}</span>
            {`: ${text}`}
          </MarkedRow>
        ))}
      </ul>
      {!looking && (
        <ActForm
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
