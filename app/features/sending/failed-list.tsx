import { useId } from "react";
import * as common from "#messages/common.json";
import * as words from "#messages/composer.json";
import { Button } from "#app/ui/button.tsx";

type Props = {
  title: string;
  failed: readonly { id: string; name: string; problem: string | null }[];
  /** absent where the same again would change nothing */
  onTryAgain?: (() => void) | undefined;
  /** absent while others are on their way */
  onLeaveOut?: (() => void) | undefined;
};

/** What was not sent, by name and each with its reason. */
export function FailedList({ title, failed, onTryAgain, onLeaveOut }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id} className="grid gap-3">
      <h2 id={id} className="font-semibold text-danger">
        {title}
      </h2>
      <ul className="grid gap-2">
        {failed.map((one) => (
          <li key={one.id} className="wrap-anywhere">
            <bdi className="font-medium">{one.name}</bdi>
            <span className="block text-sm text-muted">{one.problem}</span>
          </li>
        ))}
      </ul>
      <div className="flex gap-2">
        {onTryAgain ? (
          <Button look="primary" onClick={onTryAgain}>
            {common.tryAgain}
          </Button>
        ) : null}
        {onLeaveOut ? (
          <Button look="quiet" onClick={onLeaveOut}>
            {words.leaveThemOut}
          </Button>
        ) : null}
      </div>
    </section>
  );
}
