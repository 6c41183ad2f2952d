/** Whose link was followed: nobody signs in to a stranger's account, or changes its password, unknowing. */
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
