import * as words from "#messages/settings.json";
import { errorMessage } from "#app/lib/api-client.ts";
import { notify } from "#app/lib/toasts.ts";
import { useLastToggle } from "#app/lib/toggles/use-toggle.ts";
import { fill } from "#app/lib/text/messages.tsx";

type Options = {
  saved: boolean;
  /** its name, for the message when the save fails */
  label: string;
  save: (on: boolean) => Promise<unknown>;
};

/** A switch of the settings, with a message when it could not be saved. */
export const useSwitch = ({ saved, label, save }: Options) =>
  useLastToggle({
    now: saved,
    save,
    onFailed: (holds, error) =>
      notify.error(
        fill(holds ? words.stillOn : words.stillOff, { label, problem: errorMessage(error) }),
      ),
  });
