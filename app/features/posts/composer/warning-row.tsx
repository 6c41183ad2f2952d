import { useState } from "react";
import { limits } from "#shared/limits.ts";
import type { PostChoices } from "#shared/posts.ts";
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
      <label className="mt-2 flex min-h-11 items-center gap-3">
        <input
          type="checkbox"
          name="sensitive"
          defaultChecked={chosen.sensitive}
          onChange={({ currentTarget }) => setVeiled(currentTarget.checked)}
          className="size-5 shrink-0 accent-primary"
        />
        Hide the photos even without a warning
      </label>
    </FoldRow>
  );
}
