import type { EventEmitter } from "node:events";

export const bounds: { lookMs: number; silentLooks: number; most: number; withinMs: number };

export const notes: { readonly slots: number; readonly bytes: number };

export type Hang = { seconds: number; underWay: string[]; left: boolean };

export function createWatchdog(): (
  child: Pick<EventEmitter, "on" | "once">,
  act: { kill: () => void; onHang: (hang: Hang) => void },
) => void;
