import type { ReactNode } from "react";
import * as common from "#messages/common.json";
import * as words from "#messages/composer.json";
import type { ChosenPhoto } from "#app/features/posts/composer/chosen-photo.ts";
import { SignInBeside } from "#app/lib/forms/problem.tsx";
import { fill } from "#app/lib/text/messages.tsx";
import { Button } from "#app/ui/button.tsx";

type Acts = {
  onResume: (id: string) => void;
  onRemove: (id: string) => void;
  onChooseAnother: (id: string) => void;
};

type Props = Acts & {
  photos: readonly ChosenPhoto[];
  /** more were chosen than a post may have */
  leftOut: string | null;
};

/** Which photo has which problem, and what helps. The others are not affected. */
export function PhotoProblems({ photos, leftOut, ...acts }: Props) {
  return (
    <div
      id="picture-problem"
      aria-live="polite"
      className="grid gap-2 px-4 pb-3 text-sm empty:hidden"
    >
      {leftOut ? <p className="font-medium">{leftOut}</p> : null}
      {photos.map((photo, index) => (
        <PhotoProblem
          key={photo.id}
          photo={photo}
          number={photos.length > 1 ? index + 1 : null}
          {...acts}
        />
      ))}
    </div>
  );
}

type ProblemProps = Acts & {
  photo: ChosenPhoto;
  /** null: it is the only one */
  number: number | null;
};

function PhotoProblem({ photo, number, onResume, onRemove, onChooseAnother }: ProblemProps) {
  const { id, problem, hopeless, signedOut, still, waits } = photo;
  const several = number !== null;
  const withName = (text: string) =>
    several ? fill(words.photoHas, { at: number, problem: text }) : text;
  const safe = several ? words.restSafe : words.textStillHere;
  const again = <Act onPress={() => onResume(id)}>{common.tryAgain}</Act>;
  const remove = <Act onPress={() => onRemove(id)}>{words.removeIt}</Act>;
  if (waits?.long) {
    return (
      <div className={box}>
        <p className="font-medium">{withName(words.takesLong)}</p>
        <p className="text-muted">{fill(words.goesOn, { safe })}</p>
        <p className="-ms-3 flex flex-wrap">
          {again}
          {remove}
        </p>
      </div>
    );
  }
  if (still) {
    return <p>{several ? fill(words.photoIsStill, { at: number }) : words.pictureIsStill}</p>;
  }
  if (!problem) return null;
  return (
    <div className={box}>
      <p className="font-medium text-danger">{withName(problem)}</p>
      <p className="text-muted">{safe}</p>
      {signedOut ? (
        <p>
          <SignInBeside pathname="/upload" />
        </p>
      ) : null}
      <p className="-ms-3 flex flex-wrap">
        {hopeless ? <Act onPress={() => onChooseAnother(id)}>{words.chooseAnother}</Act> : again}
        {several ? remove : null}
      </p>
    </div>
  );
}

const box = "rounded-field border border-line bg-base-100 px-3 py-2";

const Act = ({ onPress, children }: { onPress: () => void; children: ReactNode }) => (
  <Button look="quiet" className="px-3" onClick={onPress}>
    {children}
  </Button>
);
