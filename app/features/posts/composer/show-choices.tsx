import type { PostChoices } from "#shared/posts.ts";
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
    <FoldRow label="Camera and place" value={shownNames(shows)}>
      {choice("showCamera", "Show camera details")}
      {choice("showPlace", "Show where it was taken")}
    </FoldRow>
  );
}

function shownNames({ showCamera, showPlace }: PostChoices): string {
  if (showCamera) return showPlace ? "Shown" : "Camera shown";
  return showPlace ? "Place shown" : "Hidden";
}

/** What is shown of the photos' metadata, in one line. */
export function detailsNote({ showCamera, showPlace }: PostChoices): string {
  const location = "location to about 1 km";
  if (showCamera) {
    return `Shown with camera details${showPlace ? ` and ${location}` : ", without location"}. `;
  }
  return showPlace
    ? `Shown with ${location}, without camera details. `
    : "Shown without location or camera details. ";
}
