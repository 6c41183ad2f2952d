import { useRef, useState } from "react";
import { useNavigate, useRevalidator } from "react-router";
import type { FieldErrors } from "#shared/errors.ts";
import type { usePictureUpload } from "#app/features/profiles/use-picture-upload.ts";
import { callErrorOf, sendJson, sentenceOf } from "#app/lib/forms/post-form.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { useLeaveWarning } from "#app/lib/forms/use-leave-warning.ts";
import { ask } from "#app/ui/ask.ts";

export type SaveProblem = {
  code: string;
  message: string;
  /** field name → sentence */
  fields?: FieldErrors | undefined;
};

type Picture = ReturnType<typeof usePictureUpload>;

/** Saves a profile: waits for its picture, then sends the words. One at a time. */
export function useSaveProfile(picture: Picture) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const [saving, setSaving] = useState(false);
  const [problem, setProblem] = useState<SaveProblem | null | undefined>();
  const busy = useRef(false);
  const saved = useRef(false);

  useLeaveWarning(saving);

  async function send(fields: Record<string, string>): Promise<void> {
    const imageId = (await picture.finished()) ?? fields["imageId"] ?? "";
    await sendJson("POST", "/calls/edit-profile", { ...fields, imageId });
  }

  async function save(fields: Record<string, string>): Promise<boolean> {
    if (busy.current) return false;
    busy.current = true;
    setSaving(true);
    setProblem(null);
    try {
      await send(fields);
      saved.current = true;
      return true;
    } catch (error) {
      const { code = "internal", fields: wrong } = callErrorOf(error);
      setProblem({ code, message: sentenceOf(error), fields: wrong });
      // Unclaimed pictures are swept after a while; the file is still here.
      if (code === "picture-unknown") picture.again();
      return false;
    } finally {
      busy.current = false;
      setSaving(false);
    }
  }

  /** Saves, says so, and leads to the profile. */
  async function saveAndShow(fields: Record<string, string>): Promise<void> {
    if (!(await save(fields))) return;
    // Name and picture stand in the shell and in lists too.
    forgetLists();
    void revalidate();
    await ask({ title: "Success", text: "Saved Changes" });
    await navigate("/profile");
  }

  return { save: saveAndShow, saving, saved, problem };
}
