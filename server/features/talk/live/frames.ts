import type { LiveEvents, LiveHello } from "#shared/live.ts";

type Opening = {
  /** the first: how its tabs name the stream, and whether all that was missed will come */
  hello: LiveHello;
  /** what was missed has come */
  level: Record<string, never>;
};

/** An event of a stream with its data. */
export function event<Type extends keyof (LiveEvents & Opening)>(
  type: Type,
  data: (LiveEvents & Opening)[Type],
  id?: string,
): string {
  return frame(type, JSON.stringify(data), id);
}

/** One event as text/event-stream writes it (HTML Standard, section 9.2). `json` has no line break. */
export function frame(type: string, json: string, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${type}\ndata: ${json}\n\n`;
}
