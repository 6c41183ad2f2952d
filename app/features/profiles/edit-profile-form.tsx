import { Fragment, useRef, type ReactNode } from "react";
import type { FieldErrors } from "#shared/errors.ts";
import { extraFieldInputs, extraProblem, type ExtraFieldInput } from "#shared/extra-fields.ts";
import { limits } from "#shared/limits.ts";
import {
  profileFieldNames,
  profileFields,
  type ProfileField,
  type ProfileWords,
} from "#shared/profiles.ts";
import { recordOf } from "#shared/records.ts";
import type { AccountSummary } from "#shared/views.ts";
import * as common from "#messages/common.json";
import { firstName, secondName } from "#messages/identity.json";
import * as messages from "#messages/profile.json";
import { useAvatarUpload } from "#app/features/profiles/use-avatar-upload.ts";
import { AvatarField } from "#app/features/profiles/avatar-field.tsx";
import { ExtraFieldsInput } from "#app/features/profiles/extra-fields-input.tsx";
import { useSaveProfile } from "#app/features/profiles/use-save-profile.ts";
import { WebsiteField } from "#app/features/profiles/website-field.tsx";
import type { Refused } from "#app/lib/forms/form-action.server.ts";
import { useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { ProblemLine } from "#app/lib/forms/problem.tsx";
import { useAskBeforeLeaving } from "#app/lib/forms/use-ask-before-leaving.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { ButtonLink, Submit } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import { TextField } from "#app/ui/text-field.tsx";

type EditedWords = ProfileWords & Record<ExtraFieldInput, string>;

type Props = {
  account: Pick<AccountSummary, "name" | "avatar">;
  words: EditedWords;
  /** the owner's page, absolute */
  profileUrl: string;
  /** the answer to a submit without scripts */
  returned?: Refused<"imageId"> | undefined;
};

const text = (form: FormData, name: string) => String(form.get(name) ?? "");

const problems: Record<string, (typed: string) => string | null> = {
  ...recordOf(profileFieldNames, (name) => profileFields[name].problem),
  ...recordOf(extraFieldInputs, () => extraProblem),
};

function check(form: FormData): FieldErrors {
  return Object.fromEntries(
    Object.entries(problems).flatMap(([name, problemOf]) => {
      const problem = problemOf(text(form, name));
      return problem === null ? [] : [[name, problem]];
    }),
  );
}

/** Avatar, names, bio, a link and fields. What is typed and chosen survives a failure. */
export function EditProfileForm({ account, words, profileUrl, returned }: Props) {
  const avatar = useAvatarUpload();
  const { save, saving, saved, problem = returned?.problem ?? null } = useSaveProfile(avatar);
  const element = useRef<HTMLFormElement>(null);
  const { errors, ...listeners } = useFieldErrors(problem?.fields, check, submit);

  function isUnsaved(): boolean {
    if (!element.current || saved.current) return false;
    const form = new FormData(element.current);
    return (
      avatar.chosen !== null ||
      Object.entries(words).some(([name, value]) => text(form, name) !== value)
    );
  }
  useAskBeforeLeaving(isUnsaved, { title: messages.leaveQuestion, text: messages.leaveText });

  function submit(element: HTMLFormElement): void {
    const form = new FormData(element);
    const names = [...Object.keys(problems), "imageId"];
    void save(Object.fromEntries(names.map((name) => [name, text(form, name)])));
  }

  return (
    <form
      ref={element}
      method="post"
      encType="multipart/form-data"
      noValidate
      {...listeners}
      className="flex flex-col gap-5 px-4 pb-8 md:card md:p-6"
    >
      <AvatarField
        account={account}
        avatar={avatar}
        uploadedImageId={
          returned?.problem.code === "picture-unknown" ? "" : (returned?.typed.imageId ?? "")
        }
      />
      <Fields words={words} errors={errors} />
      <ExtraFieldsInput words={words} errors={errors} profileUrl={profileUrl} />
      <div role="alert" className="empty:hidden">
        {problem && !problem.fields && (
          <ProblemLine
            problem={{
              ...problem,
              message: fill(messages.wordsStillHere, { problem: problem.message }),
            }}
            pathname="/profile/edit"
          />
        )}
      </div>
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <ButtonLink to="/profile" look="quiet">
          {common.cancel}
        </ButtonLink>
        <Submit pending={saving}>{messages.saveChanges}</Submit>
      </div>
    </form>
  );
}

/** The names beside each other, the other fields below. */
function Fields({ words, errors }: { words: ProfileWords; errors: FieldErrors }) {
  const {
    firstName: first,
    secondName: second,
    ...others
  } = {
    firstName: (
      <TextField
        name="firstName"
        label={firstName}
        autoComplete="given-name"
        required
        defaultValue={words.firstName}
        error={errors["firstName"]}
      />
    ),
    secondName: (
      <TextField
        name="secondName"
        label={secondName}
        autoComplete="family-name"
        required
        defaultValue={words.secondName}
        error={errors["secondName"]}
      />
    ),
    bio: (
      <TextArea
        name="bio"
        label={messages.bio}
        optional
        rows={4}
        limit={limits.bio}
        hint={counted(messages.bioHint, limits.bio)}
        defaultValue={words.bio}
        error={errors["bio"]}
      />
    ),
    website: <WebsiteField defaultValue={words.website} error={errors["website"]} />,
  } satisfies Record<ProfileField, ReactNode>;
  return (
    <>
      <div className="grid gap-5 sm:grid-cols-2 sm:gap-4">
        {first}
        {second}
      </div>
      {Object.entries(others).map(([name, control]) => (
        <Fragment key={name}>{control}</Fragment>
      ))}
    </>
  );
}
