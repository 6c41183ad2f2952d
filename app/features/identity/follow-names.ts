import type { UsernameCheck } from "#shared/usernames.ts";
import { sendJson } from "#app/lib/api-client.ts";

/** How long nothing is typed before the server is asked, milliseconds. */
const pause = 400;

/**
 * Says of the username in a sign-up's form whether it can be had, and fills the field from the names until
 * somebody types in it. Where the server does not answer, or not any more, nothing is said: it decides when the
 * form is sent.
 */
export function followNames(
  field: HTMLInputElement,
  show: (check: UsernameCheck | undefined) => void,
): void {
  const { form } = field;
  let own = field.value !== "";
  let timer: ReturnType<typeof setTimeout> | undefined;
  let asked = 0;

  const text = (name: string) => {
    const input = form?.elements.namedItem(name);
    return input instanceof HTMLInputElement ? input.value.trim() : "";
  };

  async function ask(): Promise<void> {
    const mine = (asked += 1);
    const username = own ? field.value.trim() : "";
    const name = own ? "" : `${text("firstName")} ${text("secondName")}`.trim();
    const check =
      username || name
        ? await sendJson<UsernameCheck>("POST", "/calls/username-check", { username, name }).catch(
            () => undefined,
          )
        : undefined;
    if (mine !== asked) return;
    if (!own && (check || !name)) field.value = check?.username ?? "";
    show(check);
  }

  function changed(event?: Event): void {
    const name = event?.target instanceof HTMLInputElement ? event.target.name : "";
    if (event && name === "username") own = true;
    else if (event && (own || !/^(first|second)Name$/.test(name))) return;
    // What was said is about another text by now.
    asked += 1;
    show(undefined);
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), pause);
  }

  form?.addEventListener("input", changed);
  changed();
}
