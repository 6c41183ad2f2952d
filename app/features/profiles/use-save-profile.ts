import { useRef } from "react";
import { useNavigate, useRevalidator } from "react-router";
import { success } from "#messages/identity.json";
import { savedChanges } from "#messages/profile.json";
import type { useAvatarUpload } from "#app/features/profiles/use-avatar-upload.ts";
import { sendJson } from "#app/lib/api-client.ts";
import { problemOf } from "#app/lib/forms/problem.tsx";
import { useLeaveWarning } from "#app/lib/forms/use-leave-warning.ts";
import { useSending } from "#app/lib/forms/use-sending.ts";
import { forgetLists } from "#app/lib/lists/remembered-lists.ts";
import { ask } from "#app/ui/ask.ts";

type AvatarUpload = ReturnType<typeof useAvatarUpload>;

async function send(avatar: AvatarUpload, fields: Record<string, string>): Promise<void> {
  const imageId = (await avatar.finished()) ?? fields["imageId"] ?? "";
  await sendJson("POST", "/calls/edit-profile", { ...fields, imageId });
}

/** Saves a profile: waits for its avatar, then sends the fields. */
export function useSaveProfile(avatar: AvatarUpload) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const { send: start, sending: saving, problem } = useSending();
  const saved = useRef(false);

  useLeaveWarning(saving);

  function explain(error: unknown) {
    const why = problemOf(error);
    // Unused images are swept after a while; the file is still here.
    if (why.code === "picture-unknown") avatar.again();
    return why;
  }

  /** Saves, says so, and leads to the profile. */
  async function save(fields: Record<string, string>): Promise<void> {
    if (!(await start(() => send(avatar, fields), explain))) return;
    saved.current = true;
    // Name and avatar are in the shell and in lists too.
    forgetLists();
    void revalidate();
    await ask({ title: success, text: savedChanges });
    await navigate("/profile");
  }

  return { save, saving, saved, problem };
}
