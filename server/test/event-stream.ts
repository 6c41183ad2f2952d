import type { Live } from "#server/features/talk/live/live.ts";
import { createEventReader, type StreamedEvent } from "#shared/event-stream.ts";
import type { Viewer } from "#shared/views.ts";

/** A member's stream in this process, with all events it received. */
export async function openStream(live: Live, viewer: Viewer, after: string | null = null) {
  const events: StreamedEvent[] = [];
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
    /** the position to reconnect with */
    last: () => events.findLast(({ id }) => id !== undefined)?.id ?? null,
    close: () => live.close(stream),
  };
}
