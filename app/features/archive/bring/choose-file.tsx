import type { Audience } from "#shared/posts.ts";
import * as words from "#messages/bring.json";
import * as data from "#messages/data.json";
import { NewestField } from "#app/features/archive/bring/newest-field.tsx";
import { AudienceRow } from "#app/features/posts/audience/audience-row.tsx";
import { filesDropped } from "#app/lib/forms/dropped-folders.ts";
import { useDroppedFiles } from "#app/lib/forms/use-dropped-files.ts";
import { acceptedImages, useFileInput } from "#app/lib/forms/use-file-input.ts";
import { useHydrated } from "#app/lib/page/hydrated.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { sizeText } from "#app/lib/text/sizes.ts";
import { Button } from "#app/ui/button.tsx";
import { FolderIcon } from "#app/ui/icons.ts";

/** Pixelfed's export is a list, as are those whom one followed; photos without a zip file are read like a folder. */
const accepted = `.zip,application/zip,.json,application/json,.csv,text/csv,${acceptedImages}`;

type Props = {
  audience: Audience;
  isPrivate: boolean;
  room: number | null;
  onChoose: (files: readonly File[]) => void;
};

/** The file of an export; without scripts a form that sends it as a whole. */
export function ChooseFile({ audience, isPrivate, room, onChoose }: Props) {
  const input = useFileInput(onChoose);
  const over = useDroppedFiles(onChoose, filesDropped);
  const hydrated = useHydrated();
  const space = room === null ? null : fill(words.roomFor, { size: sizeText(room) });
  return (
    <form
      method="post"
      encType="multipart/form-data"
      onSubmit={(event) => event.preventDefault()}
      className="grid gap-4"
    >
      <label
        className={`grid cursor-pointer place-items-center gap-3 rounded-box border-2 border-dashed px-6 py-12 text-center has-focus-visible:outline-2 ${
          over ? "border-primary" : "border-line"
        }`}
      >
        <FolderIcon className="size-12 text-muted" aria-hidden />
        <span className="font-wordmark text-2xl">{words.chooseArchive}</span>
        <span className="text-muted noscript:hidden">{words.dropHere}</span>
        <input
          {...input}
          accept={accepted}
          name="archive"
          multiple={hydrated}
          className="sr-only file-button noscript:not-sr-only"
        />
      </label>
      <ChooseFolder onChoose={onChoose} />
      <ImportSources />
      <p className="text-sm text-pretty text-muted">
        {words.fewerThere} {space}
      </p>
      <div className="hidden gap-4 noscript:grid">
        <div className="-mx-4 grid border-b border-line">
          <AudienceRow chosen={audience} isPrivate={isPrivate} />
        </div>
        <NewestField />
        <Button type="submit" look="primary" className="justify-self-start">
          {words.import}
        </Button>
      </div>
    </form>
  );
}

/** A folder in place of a zip, where the browser has folders to choose: phones have none. */
function ChooseFolder({ onChoose }: { onChoose: (files: readonly File[]) => void }) {
  const { ref, type, onChange } = useFileInput(onChoose);
  const hydrated = useHydrated();
  if (!hydrated || !("webkitdirectory" in HTMLInputElement.prototype)) return null;
  return (
    <label className="relative inline-flex min-h-11 cursor-pointer items-center justify-self-start link has-focus-visible:outline-2 pointer-coarse:hidden">
      {words.chooseFolder}
      <input {...{ ref, type, onChange }} {...{ webkitdirectory: "" }} className="sr-only" />
    </label>
  );
}

/** How to get the file, in one sentence each. */
const sources = [
  ["Instagram", data.instagramHow],
  ["Mastodon", data.mastodonHow],
  ["Pixelfed", data.pixelfedHow],
  ["Google Photos", data.googleHow],
  ["Flickr", data.flickrHow],
  [data.folder, data.folderHow],
  [data.anotherPostcard, data.anotherPostcardHow],
] as const;

/** What may be brought; it opens without scripts, too. */
function ImportSources() {
  return (
    <details className="w-full text-sm">
      <summary className="link inline-flex min-h-11 cursor-pointer items-center">
        {data.howToGetFile}
      </summary>
      <dl className="grid gap-2">
        {sources.map(([name, how]) => (
          <div key={name}>
            <dt className="font-medium">{name}</dt>
            <dd className="text-pretty text-muted">{how}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
