import { Link } from "react-router";
import type { ImportView, UndoableImport } from "#shared/archive.ts";
import { limits } from "#shared/limits.ts";
import { bringPath } from "#app/features/archive/bring/bring-path.ts";
import { hereOf } from "#app/features/archive/bring/here-of.ts";
import { DataSection } from "#app/features/archive/data-section.tsx";
import { ImportState } from "#app/features/archive/import-state.tsx";
import { UndoList } from "#app/features/archive/undo-list.tsx";
import { ButtonLink } from "#app/ui/button.tsx";

type Props = {
  latest: ImportView | null;
  /** those that can be undone */
  undoable: UndoableImport[];
  /** of a stored archive */
  hasMessages: boolean;
};

const gigabytes = limits.archive.bytes / 1024 ** 3;

/** The way to bring photos from elsewhere, and how the last import stands. */
export function ImportSection({ latest, undoable, hasMessages }: Props) {
  const open = latest?.state === "arriving";
  return (
    <DataSection
      title="Bring your photos"
      about={`From Instagram, Mastodon, Pixelfed, Google Photos, Flickr, a folder or another Postcard, in zip files of up to ${gigabytes} GB. You choose which. Your posts keep their photos, words and days and are marked as imported. They're in nobody's feed, and nobody is notified. What is here already is skipped.`}
    >
      {open ? (
        <p className="font-medium">{hereOf(latest)}</p>
      ) : latest ? (
        <ImportState latest={latest} />
      ) : null}
      {latest?.state === "waiting" ? null : (
        <ButtonLink to={bringPath} className="justify-self-start">
          {open ? "Go on" : "Choose a file"}
        </ButtonLink>
      )}
      <UndoList imports={undoable} />
      {hasMessages ? (
        <Link to="/settings/data/messages" className="link justify-self-start py-2.5 text-sm">
          Read your imported messages
        </Link>
      ) : null}
    </DataSection>
  );
}
