export type StreamedEvent = { type: string; data: unknown; id?: string };

/**
 * Reads text/event-stream as it arrives, as far as we write it (HTML Standard, section 9.2.6): takes chunks
 * of text, emits whole events. Comments, which keep the connection open, are ignored.
 */
export function createEventReader(onEvent: (event: StreamedEvent) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const blocks = (rest + text).split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const event = readBlock(block);
      if (event) onEvent(event);
    }
  };
}

function readBlock(block: string): StreamedEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const colon = line.indexOf(": ");
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const data = fields.get("data");
  if (data === undefined) return null;
  const id = fields.get("id");
  const event = { type: fields.get("event") ?? "message", data: JSON.parse(data) as unknown };
  return id === undefined ? event : { ...event, id };
}
