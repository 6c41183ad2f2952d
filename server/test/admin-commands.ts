import { expect, vi } from "vitest";
import { parseCommand } from "#server/commands/commands.ts";
import type { Installation } from "#server/installation.ts";

/** The output of an operator's command, run in this process on as much of an installation as it needs. */
export async function runAdmin(on: Partial<Installation>, ...words: string[]): Promise<string> {
  const said: string[] = [];
  const out = vi
    .spyOn(process.stdout, "write")
    .mockImplementation((text) => said.push(String(text)) > 0);
  try {
    expect(await parseCommand(words).work?.(on as Installation)).toBe(0);
  } finally {
    out.mockRestore();
  }
  return said.join("");
}
