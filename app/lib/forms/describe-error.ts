import { isRouteErrorResponse } from "react-router";
import * as words from "#messages/shell.json";
import type { RefusalData } from "#app/lib/refusals.server.ts";

/** For unexpected errors; the table of refusals stays on the server. */
const internal: RefusalData = { code: "internal", message: words.unexpected };

const offline: RefusalData = {
  code: "internal",
  message: words.unreachableNothingLost,
};

/** In an ErrorBoundary: status and sentence of the thrown error; 500 for unexpected ones. */
export function describeError(error: unknown): RefusalData & { status: number } {
  if (isRouteErrorResponse(error)) {
    const { status, data } = error;
    if (isRefusalData(data)) return { ...data, status };
    if (status === 404) return { code: "not-found", message: "", status };
    return { ...internal, status };
  }
  // What fetch and import() throw when offline.
  const away = error instanceof TypeError && /fetch|load|import/i.test(error.message);
  return { ...(away ? offline : internal), status: 500 };
}

function isRefusalData(value: unknown): value is RefusalData {
  return typeof value === "object" && value !== null && "code" in value && "message" in value;
}
