import * as words from "#messages/operator.json";
import { Facts, Disclosure, Section } from "#app/features/operator/section.tsx";
import type { PageContext } from "#app/lib/context.server.ts";
import { counted, fill, rich } from "#app/lib/text/messages.tsx";
import { PostTime } from "#app/ui/post-time.tsx";

type State = Awaited<ReturnType<PageContext["status"]["read"]>>;
type Props = Pick<State, "jobs" | "errors" | "versions">;

/** What somebody who helps with the server asks for. */
export function ServerDetails({ jobs, errors, versions: { postcard, node, postgres } }: Props) {
  return (
    <Section title={words.server}>
      <div className="-mt-3 -mb-3">
        <JobsRow jobs={jobs} />
        <ErrorsRow errors={errors} />
        <Disclosure label={words.versions} hint={`Postcard ${postcard}`}>
          <Facts
            facts={[
              ["Postcard", postcard],
              ["Node.js", node],
              ["PostgreSQL", postgres],
            ]}
          />
        </Disclosure>
      </div>
    </Section>
  );
}

/** What jobs are about, by how their names begin. */
const subjects = [
  [/^(mail|verification)\./, words.emails],
  [/^push\./, words.notifications],
  [/-archive$/, words.archives],
  [/^(avif|new-picture-keys)$/, words.photos],
  [/^delete-accounts$/, words.deletedAccounts],
] as const;

const subjectOf = (name: string) =>
  subjects.find(([begins]) => begins.test(name))?.[1] ?? words.other;

function JobsRow({ jobs: { waiting, failed } }: Pick<Props, "jobs">) {
  const most = new Map<string, number>();
  for (const { name, waiting: count } of waiting) {
    const subject = subjectOf(name);
    most.set(subject, (most.get(subject) ?? 0) + count);
  }
  const total = [...most.values()].reduce((sum, count) => sum + count, 0);
  if (total + failed.length === 0) {
    return <Disclosure label={words.jobs} hint={words.noJobs} />;
  }
  return (
    <Disclosure
      label={words.jobs}
      hint={fill(words.waitingAndFailed, { waiting: total, failed: failed.length })}
    >
      <Facts
        facts={[...most].map(([subject, count]) => [subject, fill(words.waiting, { count })])}
      />
      <ul>
        {failed.map(({ id, name, error, failedAt }) => (
          <li key={id} className="py-2 wrap-anywhere">
            <p>{rich(words.jobAndError, { job: subjectOf(name), error: <bdi>{error}</bdi> })}</p>
            <p className="text-sm text-muted">
              {rich(words.failedAt, { time: <PostTime at={failedAt} /> })}
            </p>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function ErrorsRow({ errors }: Pick<Props, "errors">) {
  if (errors.length === 0) return <Disclosure label={words.errors} hint={words.noErrors} />;
  return (
    <Disclosure label={words.errors} hint={counted(words.errorsLately, errors.length)}>
      <ul>
        {errors.map(({ id, at, message, detail }) => (
          <li key={id} className="border-b border-line py-2 wrap-anywhere">
            <p dir="auto">{message || detail}</p>
            <p className="text-sm text-muted">
              <PostTime at={at} />
              {message && detail ? ` · ${detail}` : ""}
            </p>
          </li>
        ))}
      </ul>
      <p className="pt-2 text-sm text-muted">{words.logHasAll}</p>
    </Disclosure>
  );
}
