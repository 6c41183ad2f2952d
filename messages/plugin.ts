import { basename } from "node:path";
import type { Plugin } from "vite";
import { messagesOf } from "./read.ts";

/**
 * Puts a language's messages in the place of the English ones that the screens import. So a build has one language
 * only, and what it sends has no word of another; the English one is as if its sentences stood in the code.
 */
export function messagesIn(language: string): Plugin {
  return {
    name: "messages",
    load: {
      filter: { id: /\/messages\/en\/[\w-]+\.json$/ },
      handler: (id) => JSON.stringify(messagesOf(language, basename(id))),
    },
  };
}
