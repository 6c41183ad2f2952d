import { useState, type SubmitEvent } from "react";
import { limits } from "#shared/limits.ts";
import { altTextProblem, captionProblem } from "#shared/posts.ts";
import { cleanText } from "#shared/text.ts";
import { PictureField } from "#app/features/posts/composer/picture-field.tsx";
import { Uploading } from "#app/features/posts/composer/uploading.tsx";
import { usePictureUpload } from "#app/features/posts/composer/use-picture-upload.ts";
import { usePublish, type Problem } from "#app/features/posts/composer/use-publish.ts";
import { signInPath } from "#app/lib/return-path.ts";
import { Button } from "#app/ui/button.tsx";
import { Stamp } from "#app/ui/stamp.tsx";
import { TextArea } from "#app/ui/text-area.tsx";
import { TextField } from "#app/ui/text-field.tsx";

type Props = {
  /** makes a repeated submit harmless */
  clientKey: string;
  /** what a submit without scripts brought back */
  returned?: { caption: string; alt: string; imageId: string; problem: Problem } | undefined;
};

/** Writes a postcard: a photo on one side, words on the other, a stamp in the corner. */
export function Composer({ clientKey, returned }: Props) {
  const picture = usePictureUpload();
  const { publish, saving, problem = returned?.problem ?? null } = usePublish(picture);
  const [errors, setErrors] = useState<Record<string, string | undefined>>({});

  function submit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? "");
    const caption = text("caption");
    const alt = text("alt");
    const found = {
      caption: captionProblem(cleanText(caption)) ?? undefined,
      alt: altTextProblem(cleanText(alt)) ?? undefined,
    };
    setErrors(found);
    if (found.caption || found.alt) return;
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    void publish({ caption, alt, imageId: text("imageId"), clientKey, timeZone });
  }

  const shown = { ...problem?.fields, ...errors };
  return (
    <form
      method="post"
      encType="multipart/form-data"
      onSubmit={submit}
      className="relative grid overflow-hidden bg-base-100 md:min-h-110 md:grid-cols-[11fr_9fr] md:rounded-box md:border md:border-line md:shadow-sm"
    >
      <input type="hidden" name="clientKey" value={clientKey} />
      <PictureField
        chosen={picture.chosen}
        kept={returned?.imageId ?? ""}
        onChoose={picture.choose}
        onAgain={picture.again}
        onRemove={picture.drop}
      />
      <div className="flex flex-col gap-4 p-4 md:border-s md:border-line md:p-5">
        <Stamp className="w-11 rotate-3 self-end max-md:hidden" />
        <TextArea
          name="caption"
          label="Write a Caption"
          rows={5}
          limit={limits.caption}
          hint="Words alone are enough. So is a photo."
          defaultValue={returned?.caption}
          error={shown.caption}
          onChange={() => setErrors({})}
        />
        <TextField
          name="alt"
          label="Describe the photo"
          optional
          hint="Read aloud to people who can't see it."
          defaultValue={returned?.alt}
          error={shown.alt}
        />
        <div role="alert">
          {problem && !problem.fields?.["caption"] && !problem.fields?.["alt"] && (
            <p className="font-medium text-danger">
              {problem.message}{" "}
              {problem.code === "sign-in-required" && (
                <a href={signInPath({ pathname: "/upload" })} target="_blank" className="link">
                  Sign in in another tab
                </a>
              )}
            </p>
          )}
        </div>
        <Button look="primary" type="submit" pending={saving} className="mt-auto w-full">
          Post
        </Button>
      </div>
      {saving && <Uploading picture={picture.chosen} />}
    </form>
  );
}
