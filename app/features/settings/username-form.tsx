import { useState } from "react";
import { useRevalidator } from "react-router";
import type { FieldErrors } from "#shared/errors.ts";
import { limits } from "#shared/limits.ts";
import { usernameOf, usernameProblem } from "#shared/usernames.ts";
import type { OwnSettings } from "#shared/views.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/settings.json";
import type { DialogFeedback } from "#app/features/settings/change-dialog.tsx";
import type { Refused } from "#app/lib/forms/form-action.server.ts";
import { useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { problemOf, type Problem } from "#app/lib/forms/problem.tsx";
import { useSending } from "#app/lib/forms/use-sending.ts";
import { sendJson } from "#app/lib/api-client.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { ask } from "#app/ui/ask.ts";
import { Submit } from "#app/ui/button.tsx";
import { noWord, TextField } from "#app/ui/text-field.tsx";

type Props = {
  settings: OwnSettings;
  /** the day from which on it can be changed, in words; null: now */
  changeableFrom: string | null;
  /** the answer to a submit without scripts */
  returned?: Refused<"username"> | undefined;
  feedback: DialogFeedback;
};

const { daysBetweenChanges } = limits.username;

function check(form: FormData): FieldErrors {
  const problem = usernameProblem(usernameOf(String(form.get("username") ?? "")));
  return problem === null ? {} : { username: problem };
}

/** There is one field: whatever is wrong is said beside it. */
const besideField = (problem: Problem): Problem => ({
  ...problem,
  fields: problem.fields ?? { username: problem.message },
});

/** The username, changeable once in 30 days. What is typed survives a refusal. */
export function UsernameForm({ settings, changeableFrom, returned, feedback }: Props) {
  const { revalidate } = useRevalidator();
  const [first] = useState(returned && besideField(returned.problem));
  const { send, sending, problem = first } = useSending();
  const { errors, ...listeners } = useFieldErrors(problem?.fields, check, save);
  const fixed = changeableFrom !== null;

  async function save(form: HTMLFormElement): Promise<void> {
    const username = usernameOf(String(new FormData(form).get("username")));
    if (username === settings.username) return;
    const sure = await ask({
      title: fill(words.newUsernameQuestion, { username }),
      text: counted(words.newUsernameText, daysBetweenChanges, { username: settings.username }),
      ok: words.changeIt,
      cancel: common.cancel,
    });
    if (!sure) return;
    await send(
      async () => {
        await sendJson("POST", "/calls/settings/username", { username });
        forgetLists();
        await revalidate();
        feedback.leave(fill(words.usernameChanged, { username }));
      },
      (error) => besideField(problemOf(error)),
    );
  }

  return (
    <form
      method="post"
      action="/settings"
      noValidate
      {...listeners}
      className="flex flex-col gap-4"
    >
      <input type="hidden" name="change" value="username" />
      <TextField
        key={settings.username}
        name="username"
        label={words.username}
        {...noWord}
        autoComplete="off"
        required
        readOnly={fixed}
        hint={
          fixed
            ? fill(words.changeAgainOn, { day: changeableFrom })
            : counted(words.usernameChangeHint, daysBetweenChanges)
        }
        defaultValue={returned?.typed.username ?? settings.username}
        error={errors["username"]}
      />
      {fixed ? null : (
        <Submit pending={sending} className="self-start">
          {words.changeUsername}
        </Submit>
      )}
    </form>
  );
}
