/** Begins the comment with the name of the one it replies to, replacing a former such name. */
export function fillReply(username: string, before: string | undefined): void {
  const field = document.querySelector<HTMLTextAreaElement>("#leave-comment textarea");
  if (!field) return;
  const begun = [username, before].map((name) => `@${name} `);
  const length = begun.find((name) => field.value.startsWith(name))?.length ?? 0;
  field.setRangeText(`@${username} `, 0, length);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
}
