import * as words from "#messages/account.json";
import { rich } from "#app/lib/text/messages.tsx";

/** Whose link it is: nobody signs in to a stranger's account, or changes its password, unknowingly. */
export function LinkOwner({ username }: { username: string }) {
  return (
    <p>
      {rich(words.forAccount, {
        username: (
          <span dir="ltr" className="font-medium wrap-anywhere">
            @{username}
          </span>
        ),
      })}
    </p>
  );
}
