import type {
  Command as CommandOn,
  CommandWork as WorkOn,
} from "#server/platform/admin/command-line.ts";
import type { Installation } from "#server/installation.ts";

export type Command = CommandOn<Installation>;
export type CommandWork = WorkOn<Installation>;
