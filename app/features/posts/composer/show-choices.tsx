import type { PostChoices } from "#shared/posts.ts";
import * as words from "#messages/composer.json";
import { sendJson } from "#app/lib/api-client.ts";
import { CheckField } from "#app/ui/check-field.tsx";
import { FoldRow } from "#app/ui/fold-row.tsx";

type Props = { shows: PostChoices; onShows: (shows: PostChoices) => void };

/** Both off unless the author says otherwise; only the first is suggested again with the next post. */
export function ShowChoices({ shows, onShows }: Props) {
  const choice = (name: "showCamera" | "showPlace", label: string) => (
    <CheckField
      name={name}
      label={label}
      checked={shows[name]}
      onChange={({ currentTarget: { checked } }) => {
        onShows({ ...shows, [name]: checked });
        if (name === "showPlace") return;
        // Where the setting cannot be saved, this post still has what was chosen here.
        sendJson("POST", "/calls/settings", { showCamera: checked }).catch(() => undefined);
      }}
    />
  );
  return (
    <FoldRow label={words.cameraAndPlace} value={shownNames(shows)}>
      {choice("showCamera", words.showCamera)}
      {choice("showPlace", words.showPlace)}
    </FoldRow>
  );
}

function shownNames({ showCamera, showPlace }: PostChoices): string {
  if (showCamera) return showPlace ? words.shown : words.cameraShown;
  return showPlace ? words.placeShown : words.hidden;
}

/** What is shown of the photos' metadata, in one line. */
export function detailsNote({ showCamera, showPlace }: PostChoices): string {
  if (showCamera) return showPlace ? words.noteBoth : words.noteCamera;
  return showPlace ? words.notePlace : words.noteNeither;
}
