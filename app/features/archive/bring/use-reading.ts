import { useRef, useState } from "react";
import { useRevalidator } from "react-router";
import type { ImportView } from "#shared/archive.ts";
import type { Audience } from "#shared/posts.ts";
import type { Chosen } from "#app/features/archive/bring/choose-posts.tsx";
import type { DeviceExport } from "#app/features/archive/device/read-export.ts";
import { knownOf } from "#app/features/archive/bring/import-calls.ts";
import { importUpload } from "#app/features/archive/bring/import-upload.ts";
import { storedChoices } from "#app/features/archive/bring/stored-choices.ts";
import { errorMessage, toCallError } from "#app/lib/api-client.ts";
import { loadSentences } from "#app/lib/text/said.ts";

/** An export that is read, what of it is here, and what is ticked at first. */
type ReadExport = {
  device: DeviceExport;
  known: ReadonlySet<string>;
  /** how many were here before the import that is open */
  before: number;
  first: ReadonlySet<string>;
  audience: Audience;
  showNewest: boolean;
};

type Step =
  | { is: "file" }
  | { is: "reading" }
  | { is: "choosing"; read: ReadExport; pending: boolean }
  /** it is read by the server: an archive of a Postcard, or what this browser cannot unpack */
  | { is: "whole"; file: File; isPostcard: boolean };

type Props = {
  accountId: string;
  audience: Audience;
  /** an import that is not at its end, of an earlier page or another device */
  open: ImportView | null;
};

/** Reads the file of an export, and sends what is chosen of it. */
export function useReading({ accountId, audience, open }: Props) {
  const { revalidate } = useRevalidator();
  const [step, setStep] = useState<Step>({ is: "file" });
  const [problem, setProblem] = useState<string>();
  /** of the last file: an earlier one that is read more slowly is forgotten */
  const latest = useRef(0);

  async function read(files: readonly File[]): Promise<void> {
    const number = (latest.current += 1);
    const set = (next: Step) => {
      if (number === latest.current) setStep(next);
    };
    const [file] = files;
    setProblem(undefined);
    if (!file) return;
    if (!canUnpack()) return set({ is: "whole", file, isPostcard: false });
    set({ is: "reading" });
    try {
      const device = await readFiles(files);
      if (device === "postcard") return set({ is: "whole", file, isPostcard: true });
      const { known, before } = await knownOf(device.posts);
      const stored = open && (await storedChoices.of(accountId, open.id));
      const all = new Set(device.posts.map(({ key }) => key));
      const wanted = stored ? new Set(stored.chosen) : null;
      const first = device.posts.filter(
        ({ key, problem: why }) => why === null && !known.has(key) && (wanted?.has(key) ?? true),
      );
      const sameFile = stored?.chosen.every((key) => all.has(key));
      if (stored && sameFile && number === latest.current) {
        await importUpload.begin({ device, posts: first, before, choices: stored });
        return set({ is: "file" });
      }
      const ticked = new Set(first.map(({ key }) => key));
      const chosen = {
        audience: stored?.audience ?? audience,
        showNewest: stored?.showNewest ?? open?.showNewest ?? false,
      };
      const choice = { device, known, before, first: ticked, ...chosen };
      set({ is: "choosing", read: choice, pending: false });
    } catch (error) {
      if (number !== latest.current) return;
      setProblem(errorMessage(error));
      setStep({ is: "file" });
    }
  }

  async function send({ posts, ...choices }: Chosen): Promise<void> {
    if (step.is !== "choosing" || step.pending) return;
    setProblem(undefined);
    setStep({ ...step, pending: true });
    try {
      const { device, before } = step.read;
      await importUpload.begin({ device, posts, before, choices: { ...choices, accountId } });
      setStep({ is: "file" });
      void revalidate();
    } catch (error) {
      setProblem(errorMessage(error));
      setStep({ ...step, pending: false });
    }
  }

  function anotherFile(): void {
    latest.current += 1;
    setProblem(undefined);
    setStep({ is: "file" });
  }

  return { step, problem, read, send, anotherFile };
}

/** Safari before 16.4 cannot. */
function canUnpack(): boolean {
  try {
    return new DecompressionStream("deflate-raw") instanceof DecompressionStream;
  } catch {
    return false;
  }
}

/** Chunks of their own: most members bring nothing. */
async function readFiles(files: readonly File[]): Promise<DeviceExport | "postcard"> {
  const [reader] = await Promise.all([
    import("#app/features/archive/device/read-export.ts"),
    // A grid of 20,000 is not rendered without it.
    import("#app/lib/lists/grid-window.ts"),
    // What does not come over is said in sentences.
    loadSentences(),
  ]).catch(() => {
    throw toCallError(0, null);
  });
  return reader.readOnDevice(files);
}
