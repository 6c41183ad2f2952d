import { useEffect, useState } from "react";
import { limits } from "#shared/limits.ts";
import * as words from "#messages/composer.json";
import type { PhotoSideProps } from "#app/features/posts/composer/chosen-side.tsx";
import { useDroppedFiles } from "#app/lib/forms/use-dropped-files.ts";
import { useFileInput } from "#app/lib/forms/use-file-input.ts";
import { useHasInteracted } from "#app/lib/page/first-interaction.ts";
import { counted, fill } from "#app/lib/text/messages.tsx";
import { Button } from "#app/ui/button.tsx";
import { CameraIcon, ImageIcon } from "#app/ui/icons.ts";
import { lazyComponent, notifyUnreachable } from "#app/ui/lazy-component.tsx";

const loadChosenSide = async () =>
  (await import("#app/features/posts/composer/chosen-side.tsx")).ChosenSide;

/** Loads before the first photo is chosen, since somebody who chooses has pressed something. */
const ChosenSide = lazyComponent(loadChosenSide, notifyUnreachable);

const most = limits.photosPerPost;

/** The photo side of the postcard: click it, drop or paste photos, sort them. */
export function PhotoSide({ onDescribe, ...rest }: PhotoSideProps) {
  const { photos, all, chosen, onChoose } = rest;
  const { leftOut, remove, input, takePhoto, dropAreaClass } = usePhotoInput(rest);
  const acted = useHasInteracted();
  useEffect(() => {
    if (acted) loadChosenSide().catch(() => undefined);
  }, [acted]);
  const field = (
    <input
      {...input}
      name="image"
      multiple
      className="composer-file sr-only file-button noscript:not-sr-only"
      aria-describedby="picture-problem"
    />
  );

  return (
    <div className="composer-column">
      {chosen ? (
        <div className="composer-photos">
          <ChosenSide
            {...{ photos, all, chosen, onChoose, onDescribe }}
            {...{ field, leftOut, remove, takePhoto, dropAreaClass }}
            choose={() => input.ref.current?.click()}
          />
        </div>
      ) : (
        <div className="composer-photos gap-3 p-4">
          <label className={`grow ${dropAreaClass}`}>
            {field}
            <Invitation />
          </label>
          <Button className="composer-camera gap-2 noscript:hidden" onClick={takePhoto}>
            <CameraIcon className="size-5" aria-hidden />
            {words.takePhoto}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Adding and removing photos. */
function usePhotoInput({ photos, all, chosen, onChoose }: Omit<PhotoSideProps, "onDescribe">) {
  const [leftOut, setLeftOut] = useState<string | null>(null);
  const over = useDroppedFiles(add);
  const input = useFileInput(add);

  function add(files: readonly File[]): void {
    const taken = photos.add(files);
    const out = files.length - taken.length;
    setLeftOut(out > 0 ? counted(words.leftOut, out, { most }) : null);
    const [first] = taken;
    if (first) onChoose(first.id);
  }

  /** The next photo becomes the selected one. */
  function remove(id: string): void {
    const at = all.findIndex((one) => one.id === id);
    const next = all[at + 1] ?? all[at - 1];
    if (chosen?.id === id && next) onChoose(next.id);
    setLeftOut(null);
    photos.remove(id);
  }

  /** Phones open the camera instead of the album. */
  function takePhoto(): void {
    const element = input.ref.current;
    if (!element) return;
    element.setAttribute("capture", "environment");
    element.click();
    element.removeAttribute("capture");
  }

  /** the look of the area where photos are dropped or chosen */
  const dropAreaClass = `composer-drop relative grid cursor-pointer place-items-center outline-offset-2 has-focus-visible:outline-2 has-focus-visible:outline-primary ${
    over ? "composer-over" : ""
  }`;
  return { leftOut, remove, input, takePhoto, dropAreaClass };
}

function Invitation() {
  return (
    <span className="flex flex-col items-center gap-2 p-6 text-center">
      <ImageIcon className="size-10 text-muted" aria-hidden />
      <span className="font-medium">{words.clickToUpload}</span>
      <span className="text-sm text-balance text-muted">
        <span className="pointer-coarse:hidden">{fill(words.dropUpTo, { most })}</span>
        <span className="hidden pointer-coarse:inline">{fill(words.upTo, { most })}</span>
      </span>
    </span>
  );
}
