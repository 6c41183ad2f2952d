import { useState } from "react";
import { limits } from "#shared/limits.ts";
import type { PostChoices } from "#shared/posts.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/composer.json";
import { CheckField } from "#app/ui/check-field.tsx";
import { FoldRow } from "#app/ui/fold-row.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Chosen = Pick<PostChoices, "warning" | "sensitive">;
type Props = { chosen: Chosen; error: string | undefined; onChange: () => void };

/** A post's content warning, in its form. Give it a `key` for each text that it begins with. */
export function WarningRow({ chosen, error, onChange }: Props) {
  const [warned, setWarned] = useState(chosen.warning !== null);
  const [veiled, setVeiled] = useState(chosen.sensitive);
  return (
    <FoldRow
      label={words.contentWarning}
      value={warned ? common.on : veiled ? words.photosHidden : words.none}
      open={error ? true : undefined}
    >
      <TextArea
        name="warning"
        label={words.warningLabel}
        hint={words.warningHint}
        rows={2}
        limit={limits.warning.graphemes}
        defaultValue={chosen.warning ?? ""}
        error={error}
        onChange={({ currentTarget }) => {
          setWarned(currentTarget.value.trim() !== "");
          onChange();
        }}
      />
      <CheckField
        name="sensitive"
        label={words.hidePhotos}
        defaultChecked={chosen.sensitive}
        onChange={({ currentTarget }) => setVeiled(currentTarget.checked)}
      />
    </FoldRow>
  );
}
