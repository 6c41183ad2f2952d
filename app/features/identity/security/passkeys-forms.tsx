import { useRevalidator } from "react-router";
import { limits } from "#shared/limits.ts";
import type { PasskeyView } from "#shared/views.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/security.json";
import { deviceName } from "#app/features/identity/security/device-name.ts";
import { fill, rich } from "#app/lib/text/messages.tsx";
import { PostTime } from "#app/ui/post-time.tsx";
import {
  useDialogSending,
  useSecurityForm,
  type FormProps,
} from "#app/features/identity/security/use-security-form.ts";
import { missing, useFieldErrors } from "#app/lib/forms/form-errors.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { useRootData } from "#app/lib/page/root-data.ts";
import { Button, Submit } from "#app/ui/button.tsx";
import { KeyIcon } from "#app/ui/icons.ts";
import { PasswordField } from "#app/ui/password-field.tsx";
import { TextField } from "#app/ui/text-field.tsx";

type Props = FormProps & {
  passkeys: PasskeyView[];
  /** browsers allow passkeys at the address of this page */
  work: boolean;
  /** the password was not given in the last minutes */
  asksPassword: boolean;
};

/** The member's passkeys, and a form to create one on this device. */
export function PasskeysForms({ passkeys, work, asksPassword, returned, feedback }: Props) {
  return (
    <>
      {passkeys.length > 0 ? (
        <ul aria-label={words.yourPasskeys}>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              returned={returned}
              feedback={feedback}
            />
          ))}
        </ul>
      ) : null}
      {work ? (
        <AddPasskey asksPassword={asksPassword} feedback={feedback} />
      ) : (
        <p className="border-t border-line pt-4 text-sm text-muted">{words.noPasskeysHere}</p>
      )}
    </>
  );
}

function PasskeyRow({ passkey, returned, feedback }: FormProps & { passkey: PasskeyView }) {
  const { id, synced, addedAt, usedAt } = passkey;
  const name = deviceName(passkey.name);
  const { form, saving } = useSecurityForm({ changes: ["passkey-remove"], returned, feedback });
  return (
    <li className="flex items-center gap-4 border-t border-line py-3">
      <KeyIcon className="size-6 shrink-0 text-muted" aria-hidden />
      <div className="min-w-0 grow">
        <p dir="auto" className="font-medium">
          {name}
        </p>
        <p className="text-sm text-muted">
          {rich(synced ? words.passkeyAddedAtSynced : words.passkeyAddedAt, {
            time: <PostTime at={addedAt} />,
          })}
        </p>
        <p className="text-sm text-muted">
          {usedAt === null
            ? words.notUsedYet
            : rich(words.lastUsed, { time: <PostTime at={usedAt} /> })}
        </p>
      </div>
      <form {...form} className="shrink-0">
        <input type="hidden" name="change" value="passkey-remove" />
        <input type="hidden" name="passkey" value={id} />
        <Button
          type="submit"
          pending={saving !== null}
          aria-label={fill(words.removePasskey, { name })}
        >
          {common.remove}
        </Button>
      </form>
    </li>
  );
}

/** Creating one needs the browser's own dialog, so it needs scripts; its code loads when pressed. */
function AddPasskey({ asksPassword, feedback }: Pick<Props, "asksPassword" | "feedback">) {
  const { revalidate } = useRevalidator();
  const hydrated = useHydrated();
  const publicUrl = useRootData()?.publicUrl ?? "";
  const { send, sending, problem } = useDialogSending(feedback);
  const { errors, ...listeners } = useFieldErrors(
    problem?.fields,
    (fields) => (asksPassword ? missing(fields, ["password"]) : {}),
    make,
  );

  function make(form: HTMLFormElement): void {
    const fields = new FormData(form);
    const text = (name: string) => String(fields.get(name) ?? "");
    const wanted = { password: text("password"), name: text("name") };
    void send(async () => {
      const { makePasskey } = await import("#app/features/identity/security/passkey-ceremonies.ts");
      if (!(await makePasskey(publicUrl, wanted))) return;
      form.reset();
      await revalidate();
      feedback.stay(words.passkeyReady);
    });
  }

  return (
    <div className="border-t border-line pt-4">
      <noscript>
        <p className="text-sm text-muted">{words.passkeyNeedsScripts}</p>
      </noscript>
      <form
        method="post"
        noValidate
        {...listeners}
        className={`grid gap-4 ${hydrated ? "" : "hidden"}`}
      >
        <TextField
          label={words.passkeyName}
          name="name"
          optional
          autoComplete="off"
          maxLength={limits.name * 2}
          hint={words.passkeyNameHint}
          error={errors["name"]}
        />
        {asksPassword || errors["password"] ? (
          <PasswordField label={words.yourPassword} error={errors["password"]} />
        ) : null}
        <Submit pending={sending} className="justify-self-start">
          {words.addPasskey}
        </Submit>
      </form>
    </div>
  );
}
