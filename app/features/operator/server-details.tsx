import { Facts, Disclosure, Section } from "#app/features/operator/section.tsx";
import type { PageContext } from "#app/lib/context.server.ts";
import { formatCount } from "#app/lib/text/counts.ts";
import { PostTime } from "#app/ui/post-time.tsx";

type State = Awaited<ReturnType<PageContext["status"]["read"]>>;
type Props = Pick<State, "jobs" | "errors" | "versions">;

/** What somebody who helps with the server asks for. */
export function ServerDetails({ jobs, errors, versions: { postcard, node, postgres } }: Props) {
  return (
    <Section title="Server">
      <div className="-mt-3 -mb-3">
        <JobsRow jobs={jobs} />
        <ErrorsRow errors={errors} />
        <Disclosure label="Versions" hint={`Postcard ${postcard}`}>
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
  [/^(mail|verification)\./, "Emails"],
  [/^push\./, "Notifications"],
  [/-archive$/, "Archives"],
  [/^(avif|new-picture-keys)$/, "Photos"],
  [/^delete-accounts$/, "Deleted accounts"],
] as const;

const subjectOf = (name: string) => subjects.find(([begins]) => begins.test(name))?.[1] ?? "Other";

function JobsRow({ jobs: { waiting, failed } }: Pick<Props, "jobs">) {
  const most = new Map<string, number>();
  for (const { name, waiting: count } of waiting) {
    const subject = subjectOf(name);
    most.set(subject, (most.get(subject) ?? 0) + count);
  }
  const total = [...most.values()].reduce((sum, count) => sum + count, 0);
  if (total + failed.length === 0) {
    return <Disclosure label="Jobs" hint="No jobs waiting, none failed." />;
  }
  return (
    <Disclosure label="Jobs" hint={`${total} waiting, ${failed.length} failed`}>
      <Facts facts={[...most].map(([subject, count]) => [subject, `${count} waiting`])} />
      <ul>
        {failed.map(({ id, name, error, failedAt }) => (
          <li key={id} className="py-2 wrap-anywhere">
            <p>{`${subjectOf(name)}: ${error}`}</p>
            <p className="text-sm text-muted">
              Failed <PostTime at={failedAt} />
            </p>
          </li>
        ))}
      </ul>
    </Disclosure>
  );
}

function ErrorsRow({ errors }: Pick<Props, "errors">) {
  if (errors.length === 0) return <Disclosure label="Errors" hint="No recent errors." />;
  return (
    <Disclosure label="Errors" hint={`${formatCount(errors.length, "error")} lately`}>
      <ul>
        {errors.map(({ id, at, message, detail }) => (
          <li key={id} className="border-b border-line py-2 wrap-anywhere">
            <p>{message || detail}</p>
            <p className="text-sm text-muted">
              <PostTime at={at} />
              {message && detail ? ` · ${detail}` : ""}
            </p>
          </li>
        ))}
      </ul>
      <p className="pt-2 text-sm text-muted">
        The server's log has all of them, with names and addresses that are left out here.
      </p>
    </Disclosure>
  );
}
