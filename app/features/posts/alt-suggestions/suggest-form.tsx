import { Form, useNavigation } from "react-router";
import { limits } from "#shared/limits.ts";
import type { AltSuggestion, PostView } from "#shared/views.ts";
import * as common from "#messages/common.json";
import * as words from "#messages/posts.json";
import { nothingSent, type Sent } from "#app/features/posts/alt-suggestions/sent.ts";
import { ProblemLine } from "#app/lib/forms/problem.tsx";
import { pathOfPost } from "#app/lib/text/links.ts";
import { fill, rich } from "#app/lib/text/messages.tsx";
import { ButtonLink, Submit } from "#app/ui/button.tsx";
import { Photo } from "#app/ui/photo.tsx";
import { TextArea } from "#app/ui/text-area.tsx";

type Props = {
  post: PostView;
  /** the viewer's earlier suggestions */
  own: readonly AltSuggestion[];
  returned: Sent | undefined;
};

/** A field for each photo that has no alt text. */
export function SuggestForm({ post, own, returned }: Props) {
  const pending = useNavigation().formData !== undefined;
  const { problem, wrong, typed } = returned ?? nothingSent;
  const several = post.pictures.length > 1;
  const path = pathOfPost(post);
  return (
    <Form method="post" className="grid gap-6 px-4 pb-8 md:px-0">
      <p className="text-pretty text-muted">
        {rich(words.sayWhatItShows, { name: <bdi>{post.author.name}</bdi> })}
      </p>
      {post.pictures.map((photo, at) => {
        const { key, alt } = photo;
        if (alt) return null;
        return (
          <div key={key} className="grid gap-3">
            <Photo
              photo={photo}
              sizes="(min-width: 48rem) 600px, 100vw"
              fit="contain"
              alt=""
              className="aspect-4/3 rounded-box"
            />
            <TextArea
              name={`alt-${key}`}
              label={several ? fill(words.whatNumberShows, { number: at + 1 }) : words.whatItShows}
              limit={limits.altText}
              defaultValue={typed[key] ?? own.find((one) => one.key === key)?.alt ?? ""}
              error={wrong[key]}
            />
          </div>
        );
      })}
      <div role="alert" className="empty:hidden">
        {problem && <ProblemLine problem={problem} pathname={path} />}
      </div>
      <div className="flex flex-wrap items-center gap-3">
        <Submit pending={pending}>{common.send}</Submit>
        <ButtonLink to={path}>{common.cancel}</ButtonLink>
      </div>
    </Form>
  );
}
