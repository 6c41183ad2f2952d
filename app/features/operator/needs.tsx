import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Need } from "#shared/operator.ts";
import { OperatorForm } from "#app/features/operator/operator-form.tsx";
import type { FormResult } from "#app/features/operator/operator.server.ts";
import { formatCount } from "#app/lib/text/counts.ts";
import { CheckCircleIcon, WarningCircleIcon } from "#app/ui/icons.ts";
import { PostTime } from "#app/ui/post-time.tsx";
import { Stamp } from "#app/ui/stamp.tsx";

type Props = { needs: readonly Need[]; returned: FormResult | undefined };

/** Whether all is well; if not, what needs the operator, with a button for each. */
export function Needs({ needs, returned }: Props) {
  const well = needs.length === 0;
  const StateIcon = well ? CheckCircleIcon : WarningCircleIcon;
  return (
    <section aria-labelledby="needs" className="mx-4 overflow-hidden card md:mx-0">
      <div className="airmail h-2" />
      <div className="flex items-center gap-4 p-4">
        <StateIcon
          weight="fill"
          className={`size-10 shrink-0 ${well ? "text-primary" : "text-danger"}`}
          aria-hidden
        />
        <div className="min-w-0 grow">
          <h2 id="needs" className="font-wordmark text-3xl">
            {well
              ? "All well"
              : `${formatCount(needs.length, "thing")} ${needs.length === 1 ? "needs" : "need"} you`}
          </h2>
          {well && <p className="text-muted">There's nothing for you to do.</p>}
        </div>
        <Stamp className="w-12 shrink-0 rotate-3" />
      </div>
      {!well && (
        <ul>
          {needs.map((need) => (
            <li key={`${need.about} ${need.text}`} className="border-t border-line p-4">
              <NeedRow need={need} returned={returned} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

const row = "flex flex-wrap items-center gap-x-4 gap-y-2";

const button = "btn btn-outline border-line";

type RowProps = { need: Need; returned: FormResult | undefined };

function NeedRow({ need, returned }: RowProps) {
  switch (need.about) {
    case "backups-off":
      return (
        <HowTo need={need} label="Turn on">
          Set BACKUP_DIR to a folder on another disk, or to a bucket, and restart. Postcard then
          makes a backup every night, and tests it.
        </HowTo>
      );
    case "mail-off":
      return (
        <HowTo need={need} label="Set up">
          Set SMTP_URL to the address of your mail provider, such as{" "}
          <span dir="ltr">smtps://name:password@smtp.example.org</span>, and restart. Until then you
          can make links for people who forgot their password, under{" "}
          <Link to="/operator/people" className="link">
            People
          </Link>
          .
        </HowTo>
      );
    default:
      return (
        <div className={row}>
          <Said need={need} />
          <Press about={need.about} returned={returned} />
        </div>
      );
  }
}

function Said({ need: { text, since } }: { need: Need }) {
  return (
    <div className="w-60 min-w-0 grow wrap-anywhere">
      <p className="font-medium">{text}</p>
      {since !== null && (
        <p className="text-sm text-muted">
          Since <PostTime at={since} />
        </p>
      )}
    </div>
  );
}

function Press({ about, returned }: Pick<Need, "about"> & Pick<RowProps, "returned">) {
  if (about === "disk" || about === "backups") {
    return (
      <a href={about === "disk" ? "#storage" : "#backups"} className={button}>
        {about === "disk" ? "See storage" : "See backups"}
      </a>
    );
  }
  const [form, press] =
    about === "jobs" ? (["retry", "Try again"] as const) : (["checks", "Run checks"] as const);
  return (
    <OperatorForm
      form={form}
      press={press}
      look="outline"
      asksPassword={false}
      returned={about === "jobs" ? returned : undefined}
    />
  );
}

/** What to do at the machine itself, opened by the button; the whole row opens it. */
function HowTo({ need, label, children }: { need: Need; label: string; children: ReactNode }) {
  return (
    <details>
      <summary className={`cursor-pointer list-none ${row}`}>
        <span className="w-60 min-w-0 grow font-medium">{need.text}</span>
        <span className={button}>{label}</span>
      </summary>
      <p className="pt-3 text-pretty text-muted wrap-anywhere">{children}</p>
    </details>
  );
}
