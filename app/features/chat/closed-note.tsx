import { Link } from "react-router";
import type { AccountSummary } from "#shared/views.ts";

/** In place of the field one writes in, where one cannot write any more. */
export function ClosedNote({ other }: { other: AccountSummary | null }) {
  return (
    <p className="shrink-0 border-t border-line bg-base-200 px-4 py-4 text-center text-sm text-pretty">
      {other ? (
        <>
          You can read this, but not go on: you and{" "}
          <Link to={`/search/${other.id}`} className="link">
            <bdi>{other.name}</bdi>
          </Link>{" "}
          do not follow each other any more.
        </>
      ) : (
        "This account is gone. What you wrote is still here for you."
      )}
    </p>
  );
}
