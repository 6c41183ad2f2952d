import type { Live } from "#server/features/live/live.ts";
import type { Viewer } from "#shared/views.ts";

export type HeardEvent = { type: string; data: unknown; id?: string };

/** Reads text/event-stream as a browser does (HTML Standard, section 9.2.6), for what we send. */
export function createEventReader(onEvent: (event: HeardEvent) => void) {
  let rest = "";
  return (text: string): void => {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map(
        block
          .split("\n")
          .filter((line) => !line.startsWith(":"))
          .map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]),
      );
      const data = fields.get("data");
      if (data === undefined) continue;
      const id = fields.get("id");
      const type = fields.get("event") ?? "message";
      onEvent({ type, data: JSON.parse(data) as unknown, ...(id === undefined ? {} : { id }) });
    }
  };
}

/** A stream of a member in this process, with all that it was told. */
export async function openStream(live: Live, viewer: Viewer, after: string | null = null) {
  const events: HeardEvent[] = [];
  const read = createEventReader((event) => void events.push(event));
  const state = { ended: false, backlog: 0 };
  const outlet = {
    write: read,
    backlog: () => state.backlog,
    end: () => void (state.ended = true),
  };
  const stream = await live.open(viewer, outlet, after);
  return {
    events,
    state,
    stream,
    of: (type: string) => events.filter((event) => event.type === type),
    /** the position to come back with */
    last: () => events.findLast(({ id }) => id !== undefined)?.id ?? null,
    close: () => live.close(stream),
  };
}
