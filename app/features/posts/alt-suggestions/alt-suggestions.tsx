import { Form, useNavigation } from "react-router";
import type { AltSuggestion, PostView } from "#shared/views.ts";
import * as words from "#messages/posts.json";
import { pathOfPost } from "#app/lib/text/links.ts";
import { fill } from "#app/lib/text/messages.tsx";
import { Button } from "#app/ui/button.tsx";

type Props = { post: PostView; suggestions: readonly AltSuggestion[] };

/** Beside a photo of one's own: what others suggest as its description. One press takes it. */
export function AltSuggestions({ post, suggestions }: Props) {
  const busy = useNavigation().formData;
  if (suggestions.length === 0) return null;
  const { pictures } = post;
  return (
    <section
      id="suggested"
      aria-labelledby="suggested-title"
      className="mt-4 scroll-mt-16 rounded-box border border-line no-print"
    >
      <h2 id="suggested-title" className="px-4 pt-3 text-sm font-semibold">
        {words.suggestedDescriptions}
      </h2>
      <ul>
        {suggestions.map(({ id, key, by, alt }) => (
          <li key={id} className="border-line px-4 pt-2 not-first-of-type:border-t">
            <p dir="auto" className="whitespace-pre-wrap wrap-anywhere">
              {alt}
            </p>
            <Form
              method="post"
              action={`${pathOfPost(post)}/describe`}
              preventScrollReset
              className="-ms-3 flex flex-wrap items-center"
            >
              <input type="hidden" name="suggestion" value={id} />
              {(["take", "dismiss"] as const).map((go) => (
                <Button
                  key={go}
                  type="submit"
                  look="quiet"
                  name="go"
                  value={go}
                  pending={busy?.get("suggestion") === id && busy.get("go") === go}
                  className={go === "take" ? "px-3 text-primary" : "px-3 font-normal"}
                >
                  {go === "take" ? words.useSuggestion : words.dismissSuggestion}
                </Button>
              ))}
              <span className="ms-auto text-sm text-muted wrap-anywhere">
                {pictures.length > 1 &&
                  `${fill(words.photoNumber, { number: pictures.findIndex((photo) => photo.key === key) + 1 })} · `}
                <bdi>{by.name}</bdi>
              </span>
            </Form>
          </li>
        ))}
      </ul>
    </section>
  );
}
