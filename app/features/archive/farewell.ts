/** Set by the request to delete an account, so that nobody else reads that theirs is deleted. */
const name = "goodbye";
const seconds = 600;

/** A complete Set-Cookie value. */
export function farewellCookie(secure: boolean): string {
  return `${name}=1; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
}

/** Whether this browser asked for the deletion of an account within the last minutes. */
export function hasJustLeft({ headers }: Request): boolean {
  return (headers.get("cookie") ?? "").split("; ").includes(`${name}=1`);
}
