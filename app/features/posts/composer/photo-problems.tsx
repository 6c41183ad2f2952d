import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photos.ts";
import { signInPath } from "#app/lib/return-path.ts";
import { Button } from "#app/ui/button.tsx";

type Props = {
  photos: readonly ChosenPhoto[];
  /** more than a post holds were chosen */
  leftOut: string | null;
  onResume: (id: string) => void;
  onRemove: (id: string) => void;
  onChooseAnother: (id: string) => void;
};

/** What is wrong with which photo, and what helps. The others stay as they are. */
export function PhotoProblems({ photos, leftOut, onResume, onRemove, onChooseAnother }: Props) {
  const several = photos.length > 1;
  return (
    <div id="picture-problem" aria-live="polite" className="grid gap-2 text-sm empty:hidden">
      {leftOut ? <p className="font-medium">{leftOut}</p> : null}
      {photos.map(({ id, problem, hopeless, signedOut, still, waits }, index) =>
        waits?.long ? (
          <div key={id} className="rounded-field border border-line bg-base-100 px-3 py-2">
            <p className="font-medium">
              {several ? `Photo ${index + 1}: ` : ""}This takes longer than it should.
            </p>
            <p className="text-muted">
              {several ? "Your words and the other photos are safe." : "Your text is still here."}{" "}
              It goes on by itself. You can also post later.
            </p>
            <p className="-ms-3 flex flex-wrap">
              <Button look="quiet" className="px-3" onClick={() => onResume(id)}>
                Try again
              </Button>
              <Button look="quiet" className="px-3" onClick={() => onRemove(id)}>
                Remove it
              </Button>
            </p>
          </div>
        ) : still ? (
          <p key={id}>
            {several ? `Photo ${index + 1}` : "This picture"} is too long or too large to move:
            people will see its first frame.
          </p>
        ) : problem ? (
          <div key={id} className="rounded-field border border-line bg-base-100 px-3 py-2">
            <p className="font-medium text-danger">
              {several ? `Photo ${index + 1}: ` : ""}
              {problem}
            </p>
            <p className="text-muted">
              {several ? "Your words and the other photos are safe." : "Your text is still here."}
            </p>
            {signedOut ? (
              <p>
                <a href={signInPath({ pathname: "/upload" })} target="_blank" className="link">
                  Sign in in another tab
                </a>
              </p>
            ) : null}
            <p className="-ms-3 flex flex-wrap">
              {hopeless ? (
                <Button look="quiet" className="px-3" onClick={() => onChooseAnother(id)}>
                  Choose another photo
                </Button>
              ) : (
                <Button look="quiet" className="px-3" onClick={() => onResume(id)}>
                  Try again
                </Button>
              )}
              {several ? (
                <Button look="quiet" className="px-3" onClick={() => onRemove(id)}>
                  Remove it
                </Button>
              ) : null}
            </p>
          </div>
        ) : null,
      )}
    </div>
  );
}
