import { useState } from "react";
import type { AccountSummary } from "#shared/views.ts";
import { tryAgain } from "#messages/common.json";
import { profilePicture } from "#messages/identity.json";
import * as words from "#messages/profile.json";
import { UploadProgress } from "#app/features/posts/composer/upload-progress.tsx";
import type { useAvatarUpload } from "#app/features/profiles/use-avatar-upload.ts";
import { useFileInput } from "#app/lib/forms/use-file-input.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { CameraIcon } from "#app/ui/icons.ts";

type Props = {
  account: Pick<AccountSummary, "name" | "avatar">;
  avatar: ReturnType<typeof useAvatarUpload>;
  /** id of an avatar that was uploaded by a submit without scripts, otherwise "" */
  uploadedImageId: string;
};

/** The account's avatar: press it to choose another, which is visible at once. */
export function AvatarField({ account, avatar, uploadedImageId }: Props) {
  const { chosen, choose, again, drop } = avatar;
  const input = useFileInput(([file]) => file && choose(file));

  const waiting = chosen && !chosen.problem && !chosen.imageId;
  return (
    <div className="flex flex-wrap items-center gap-x-5 gap-y-3">
      <label className="group relative shrink-0 noscript:mb-15 cursor-pointer rounded-full outline-offset-4 has-focus-visible:outline-2 has-focus-visible:outline-primary">
        <span className="sr-only">{profilePicture}</span>
        {chosen ? (
          <Preview key={chosen.preview} src={chosen.preview} />
        ) : (
          <Avatar name={account.name} image={account.avatar} size="xl" priority />
        )}
        <span className="absolute end-0 bottom-0 grid size-11 place-items-center rounded-full border-2 border-base-100 bg-primary text-primary-content group-hover:[filter:brightness(1.1)]">
          <CameraIcon className="size-5" aria-hidden />
        </span>
        <input
          {...input}
          name="image"
          aria-describedby="picture-words"
          className="sr-only text-sm file-button noscript:not-sr-only noscript:absolute noscript:start-0 noscript:top-full noscript:mt-2 noscript:w-72"
        />
      </label>
      <div id="picture-words" aria-live="polite" className="min-w-0 flex-1 basis-48 text-sm">
        {uploadedImageId && !chosen && (
          <p className="font-medium">
            <input type="hidden" name="imageId" value={uploadedImageId} />
            {words.pictureStillHere}
          </p>
        )}
        {!chosen && <p className="text-muted">{words.pictureHint}</p>}
        {chosen?.imageId && <p className="text-muted">{words.asOthersSeeYou}</p>}
        {waiting && <UploadProgress fraction={chosen.fraction} bytes={chosen.file.size} />}
        {chosen?.problem && (
          <p className="font-medium text-danger">
            {fill(words.textStillHere, { problem: chosen.problem })}
          </p>
        )}
        {chosen && (
          <p className="mt-1 -ms-3 flex flex-wrap gap-1">
            {chosen.problem && !chosen.hopeless && (
              <Button look="quiet" className="px-3" onClick={again}>
                {tryAgain}
              </Button>
            )}
            <Button look="quiet" className="px-3" onClick={drop}>
              {words.keepOldPicture}
            </Button>
          </p>
        )}
      </div>
    </div>
  );
}

function Preview({ src }: { src: string }) {
  const [readable, setReadable] = useState(true);
  const shape = "size-24 rounded-full md:size-32";
  return readable ? (
    <img
      src={src}
      alt={words.yourChoice}
      onError={() => setReadable(false)}
      className={`${shape} object-cover`}
    />
  ) : (
    <span className={`${shape} block bg-base-300`} />
  );
}
