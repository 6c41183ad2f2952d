import { Form, useNavigation } from "react-router";
import * as common from "#messages/common.json";
import * as words from "#messages/links.json";
import type { FieldErrors } from "#shared/refusals.ts";
import { effectiveAudience } from "#shared/effective-audience.ts";
import type { Audience, ShownAudience } from "#shared/posts.ts";
import type { LinkLifetime } from "#shared/link-kinds.ts";
import type { AlbumForGuests, AudienceCounts } from "#shared/shared-links.ts";
import { FormAlert } from "#app/features/identity/form-alert.tsx";
import {
  albumQuestion,
  othersLine,
  postQuestion,
  postsPutIn,
  profileChoices,
} from "#app/features/links/shown-audiences.ts";
import type { FormCalls } from "#app/lib/context.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import { useTimeZone } from "#app/lib/page/time-zone.ts";
import { ButtonLink, Submit } from "#app/ui/button.tsx";
import { CheckField } from "#app/ui/check-field.tsx";
import { ChoiceCards } from "#app/ui/choices.tsx";
import { PasswordField } from "#app/ui/password-field.tsx";
import { SelectField } from "#app/ui/select-field.tsx";
import { TextField } from "#app/ui/text-field.tsx";

/** What a link is to show. */
export type Subject =
  | { kind: "post"; audience: ShownAudience; isPrivate: boolean; photos: number }
  | { kind: "profile"; isPrivate: boolean; counts: AudienceCounts }
  | ({ kind: "album" } & AlbumForGuests);

/** What came back with a refusal. */
type ReturnedLink = {
  typed: { [Name in (typeof restored)[number]]?: string | undefined };
  problem: { message: string; fields: FieldErrors | undefined };
};
export const restored = ["audience", "lasts", "until", "downloads", "previews"] as const;

const lifetimes: readonly [LinkLifetime, string][] = [
  ["day", words.day],
  ["week", words.week],
  ["month", words.month],
  ["year", words.year],
  ["date", words.untilADate],
  ["never", words.untilIEndIt],
];

const field = fieldsOf<FormCalls["sharedLinks"]["make"]>();

type Props = { subject: Subject; back: string; returned: ReturnedLink | undefined };

/** What a new link shows, until when, and what its guests may do. */
export function LinkForm({ subject, back, returned }: Props) {
  const pending = useNavigation().formData !== undefined;
  const { typed = {}, problem } = returned ?? {};
  const errors = problem?.fields ?? {};
  return (
    <Form method="post" noValidate className="grid gap-6 px-4 pb-8 md:px-0">
      {problem && !problem.fields ? <FormAlert text={problem.message} /> : null}
      <input type="hidden" name={field("timeZone")} value={useTimeZone()} />
      <Confirmation subject={subject} chosen={typed.audience} error={errors["audience"]} />
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          name={field("lasts")}
          label={words.worksFor}
          choices={lifetimes}
          defaultValue={typed.lasts ?? "month"}
          error={errors["lasts"]}
        />
        <TextField
          name={field("until")}
          type="date"
          label={words.lastDay}
          hint={words.lastDayHint}
          defaultValue={typed.until ?? ""}
          error={errors["until"]}
          dir="ltr"
          className="w-full"
        />
      </div>
      <PasswordField
        name={field("password")}
        label={words.password}
        optional
        required={false}
        autoComplete="new-password"
        hint={words.passwordHint}
        error={errors["password"]}
        className="w-full"
      />
      <div>
        <CheckField
          name={field("downloads")}
          label={words.mayDownload}
          hint={words.mayDownloadHint}
          defaultChecked={typed.downloads === "on"}
        />
        <CheckField
          name={field("previews")}
          label={words.mayPreview}
          hint={words.mayPreviewHint}
          defaultChecked={typed.previews === "on"}
        />
      </div>
      <div className="flex flex-wrap gap-3">
        <Submit pending={pending}>{words.makeTheLink}</Submit>
        <ButtonLink to={back}>{common.cancel}</ButtonLink>
      </div>
    </Form>
  );
}

type WhichProps = Pick<ConfirmationProps, "chosen" | "error"> & {
  legend: string;
  of: Parameters<typeof profileChoices>[0];
};

function WhichPosts({ legend, of, chosen, error }: WhichProps) {
  const choices = profileChoices(of);
  return (
    <ChoiceCards<Audience>
      name={field("audience")}
      legend={legend}
      choices={choices}
      chosen={chosen ?? choices[0]?.[0] ?? "everyone"}
      error={error}
    />
  );
}

type AlbumConfirmationProps = Omit<ConfirmationProps, "subject"> & {
  subject: Extract<Subject, { kind: "album" }>;
};

/** The same of an album: whom it is for, one's own posts in it, and what others allow. */
function AlbumConfirmation({ subject, chosen, error }: AlbumConfirmationProps) {
  const { audience, isPrivate, others } = subject;
  const shownFor = effectiveAudience(audience, isPrivate);
  const counts = postsPutIn(subject);
  return (
    <>
      <input type="hidden" name={field("albumAudience")} value={shownFor} />
      <div
        className={`grid gap-2 rounded-field border px-3 py-2.5 text-pretty ${shownFor === "everyone" ? "border-line" : "border-s-4 border-warning"}`}
      >
        <p>{albumQuestion(subject)}</p>
        {others.shown + others.hidden > 0 && <p className="text-sm">{othersLine(others)}</p>}
      </div>
      {counts.length > 0 && (
        <WhichPosts
          legend={words.postsYouPutIn}
          of={{ counts, isPrivate }}
          {...{ chosen, error }}
        />
      )}
    </>
  );
}

type ConfirmationProps = {
  subject: Subject;
  chosen: string | undefined;
  error: string | undefined;
};

/** The question which of one's posts strangers may see. */
function Confirmation({ subject, chosen, error }: ConfirmationProps) {
  if (subject.kind === "album") {
    return <AlbumConfirmation {...{ subject, chosen, error }} />;
  }
  if (subject.kind === "profile") {
    return <WhichPosts legend={words.whatItShows} of={subject} {...{ chosen, error }} />;
  }
  const audience = effectiveAudience(subject.audience, subject.isPrivate);
  return (
    <>
      {/* A photo of an album is its author's alone wherever the album is not asked. */}
      <input
        type="hidden"
        name={field("audience")}
        value={audience === "album" ? "only-me" : audience}
      />
      {audience !== "everyone" && (
        <p className="rounded-field border border-s-4 border-warning px-3 py-2.5 text-pretty">
          {postQuestion(audience, subject.photos)}
        </p>
      )}
    </>
  );
}
