import * as words from "#messages/data.json";
import type { ImportView, UndoableImport } from "#shared/archive.ts";
import { limits } from "#shared/limits.ts";
import { bringPath } from "#app/features/archive/bring/bring-path.ts";
import { hereOf } from "#app/features/archive/bring/here-of.ts";
import { DataSection } from "#app/features/archive/data-section.tsx";
import { ImportState } from "#app/features/archive/import-state.tsx";
import { UndoList } from "#app/features/archive/undo-list.tsx";
import { fill } from "#app/lib/text/messages.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";

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
    <DataSection title={words.importTitle} about={fill(words.importAbout, { gigabytes })}>
      {open ? (
        <p className="font-medium">{hereOf(latest)}</p>
      ) : latest ? (
        <ImportState latest={latest} />
      ) : null}
      {latest?.state === "waiting" ? null : (
        <ButtonLink to={bringPath} className="justify-self-start">
          {open ? words.goOn : words.chooseFile}
        </ButtonLink>
      )}
      <UndoList imports={undoable} />
      {hasMessages ? (
        <Link to="/settings/data/messages" className="link justify-self-start py-2.5 text-sm">
          {words.readMessages}
        </Link>
      ) : null}
    </DataSection>
  );
}
