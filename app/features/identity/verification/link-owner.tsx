/**
 * The account a followed link belongs to: nobody signs in to a stranger's account, or changes its password,
 * unknowingly.
 */
export function LinkOwner({ username }: { username: string }) {
  return (
    <p>
      For the account{" "}
      <span dir="ltr" className="font-medium wrap-anywhere">
        @{username}
      </span>
    </p>
  );
}
