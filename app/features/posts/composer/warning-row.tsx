import { useState } from "react";
import { limits } from "#shared/limits.ts";
import type { PostChoices } from "#shared/posts.ts";
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
      label="Content warning"
      value={warned ? "On" : veiled ? "Photos hidden" : "None"}
      open={error ? true : undefined}
    >
      <TextArea
        name="warning"
        label="What should people know first?"
        hint="They see this, and press Show for the words and photos."
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
        label="Hide the photos even without a warning"
        defaultChecked={chosen.sensitive}
        onChange={({ currentTarget }) => setVeiled(currentTarget.checked)}
      />
    </FoldRow>
  );
}
