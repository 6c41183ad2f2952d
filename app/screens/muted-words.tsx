import { useEffect, useRef, type RefObject } from "react";
import { Form, useNavigation } from "react-router";
import { limits } from "#shared/limits.ts";
import * as words from "#messages/settings.json";
import { unlessUnreachable } from "#app/lib/forms/unless-unreachable.ts";
import { SettingsTitle } from "#app/features/settings/settings-title.tsx";
import type { FormCalls } from "#app/lib/context.server.ts";
import { memberPage } from "#app/lib/refusals.server.ts";
import { fieldsOf } from "#app/lib/forms/fields-of.ts";
import { problemAt } from "#app/lib/forms/form-errors.ts";
import { form, formAction, unnamed } from "#app/lib/forms/form-action.server.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { Submit } from "#app/ui/button.tsx";
import { IntentButton } from "#app/ui/intent-button.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { TextField } from "#app/ui/text-field.tsx";
import type { Route } from "./+types/muted-words";

export async function loader({ context }: Route.LoaderArgs) {
  const { member, features } = memberPage(context);
  return { muted: await features.mutedWords.list(member) };
}

const field = fieldsOf<FormCalls["mutedWords"]["mute"]>();

export const action = formAction({
  [unnamed]: form(({ mutedWords }) => mutedWords.mute, {
    restores: ["word"],
    to: "/settings/words",
  }),
  unmute: form(({ mutedWords }) => mutedWords.unmute, {
    restores: ["word"],
    to: "/settings/words",
  }),
});

export const clientAction = ({ serverAction }: Route.ClientActionArgs) =>
  unlessUnreachable(serverAction, { typed: null });

export default function MutedWords({ loaderData, actionData }: Route.ComponentProps) {
  const { muted } = loaderData;
  const form = useRef<HTMLFormElement>(null);
  return (
    <>
      <SettingsTitle>{words.mutedWords}</SettingsTitle>
      <div className="grid gap-4 px-4 pb-8 md:px-0">
        <p className="text-sm text-pretty text-muted">{words.mutedWordsText}</p>
        <WordForm form={form} muted={muted} returned={actionData} />
        {muted.length > 0 ? (
          <>
            <h2 className="mt-4 -mb-2 font-semibold">
              {fill(words.mutedOf, { count: muted.length, max: limits.mutedWords })}
            </h2>
            <ul className="overflow-hidden rounded-box border border-line bg-base-100">
              {muted.toReversed().map((word) => (
                <MutedWord
                  key={word}
                  word={word}
                  // Its row disappears.
                  onUnmute={() => form.current?.querySelector("button")?.focus()}
                />
              ))}
            </ul>
          </>
        ) : (
          <EmptyState drawing="lens" title={words.nothingMuted} />
        )}
      </div>
    </>
  );
}

type FormProps = {
  form: RefObject<HTMLFormElement | null>;
  muted: string[];
  returned: Route.ComponentProps["actionData"];
};

function WordForm({ form, muted, returned }: FormProps) {
  const sent = useNavigation().formData;
  const adding = useRef(false);
  useEffect(() => {
    // The added word is in the list, and a refusal adds nothing: the field is for the next.
    if (adding.current && muted.length > 0) form.current?.reset();
    adding.current = false;
  }, [form, muted]);
  useEffect(() => {
    if (returned) form.current?.querySelector("input")?.focus();
  }, [form, returned]);
  return (
    <Form
      ref={form}
      method="post"
      noValidate
      onSubmit={() => {
        adding.current = true;
      }}
      className="grid gap-3"
    >
      <TextField
        name={field("word")}
        label={words.wordOrPhrase}
        autoComplete="off"
        autoCapitalize="none"
        hint={words.wordHint}
        defaultValue={returned?.typed?.word ?? ""}
        error={problemAt("word", returned?.problem)}
        required
        className="w-full"
      />
      <Submit pending={sent !== undefined && !sent.has("intent")} className="justify-self-start">
        {words.mute}
      </Submit>
    </Form>
  );
}

function MutedWord({ word, onUnmute }: { word: string; onUnmute: () => void }) {
  return (
    <li className="-mb-px flex min-h-14 items-center gap-3 border-b border-line px-4 py-1">
      <span className="min-w-0 grow wrap-anywhere">
        <bdi>{word}</bdi>
      </span>
      <Form method="post" className="shrink-0">
        <input type="hidden" name={field("word")} value={word} />
        <IntentButton
          intent="unmute"
          look="quiet"
          aria-label={fill(words.unmuteWord, { word })}
          onClick={onUnmute}
        >
          {words.unmute}
        </IntentButton>
      </Form>
    </li>
  );
}
