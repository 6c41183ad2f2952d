import { useEffect, useRef, useState } from "react";
import { refuseEarly } from "#shared/early-refusals.ts";
import { limits } from "#shared/limits.ts";
import { connectionBroke } from "#messages/ui.json";
import { callErrorOf, errorMessage } from "#app/lib/api-client.ts";
import { uploadWithProgress } from "#app/lib/forms/upload-with-progress.ts";

/** The used part of the answer of POST /api/images. */
type ImageAnswer = { data: { id: string } };

export type ChosenAvatar = {
  file: File;
  /** blob: address of the file itself, until the page is left */
  preview: string;
  /** fraction of its bytes that are sent, 0 to 1 */
  fraction: number;
  /** why it was not uploaded; the file is kept */
  problem: string | null;
  /** this file can never be uploaded: another one may */
  hopeless: boolean;
  /** null while it is being sent */
  imageId: string | null;
};

/** The state of an upload as it begins, and begins again. */
const fresh = { fraction: 0, problem: null, hopeless: false, imageId: null };

/** An error of the file, not of the connection, the server or the session. */
function isAboutTheFile(error: unknown): boolean {
  return [413, 415, 422].includes(callErrorOf(error).status ?? 0);
}

/** The one avatar of a form: sent when it is chosen, so often before the form is. */
export function useAvatarUpload() {
  const [chosen, setChosen] = useState<ChosenAvatar | null>(null);
  const sending = useRef<{ done: Promise<string>; stop: AbortController } | null>(null);

  function send(file: File): void {
    const stop = new AbortController();
    const update = (part: Partial<ChosenAvatar>) => {
      if (!stop.signal.aborted) setChosen((current) => current && { ...current, ...part });
    };
    const upload = async () => {
      if (file.size > limits.imageBytes) throw refuseEarly("picture-too-heavy");
      const onProgress = (fraction: number) => update({ fraction });
      const sending = { onProgress, broke: connectionBroke, signal: stop.signal };
      const fields = { image: file };
      const { data } = await uploadWithProgress<ImageAnswer>("/api/images", fields, sending);
      update({ imageId: data.id, fraction: 1 });
      return data.id;
    };
    const done = upload();
    done.catch((error: unknown) =>
      update({ problem: errorMessage(error), hopeless: isAboutTheFile(error) }),
    );
    sending.current = { done, stop };
  }

  function choose(file: File): void {
    drop();
    setChosen({ file, preview: URL.createObjectURL(file), ...fresh });
    send(file);
  }

  function again(): void {
    if (!chosen) return;
    setChosen({ ...chosen, ...fresh });
    send(chosen.file);
  }

  function drop(): void {
    sending.current?.stop.abort();
    sending.current = null;
    setChosen((current) => {
      if (current) URL.revokeObjectURL(current.preview);
      return null;
    });
  }

  useEffect(() => () => sending.current?.stop.abort(), []);

  return {
    chosen,
    choose,
    again,
    drop,
    /** The id of the avatar once it is uploaded; null without one. Rejects with its problem. */
    finished: async (): Promise<string | null> => (await sending.current?.done) ?? null,
  };
}
