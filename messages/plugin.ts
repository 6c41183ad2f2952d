import { basename } from "node:path";
import type { Plugin } from "vite";
import { messagesOf, type Message, type Messages } from "./read.ts";

const files = { id: /\/messages\/en\/[\w-]+\.json$/ };

/**
 * Puts a language's messages in the place of the English ones that the screens import. So a build has one language
 * only, and what it sends has no word of another; the English one is as if its sentences stood in the code.
 */
export function messagesIn(language: string): Plugin {
  return {
    name: "messages",
    load: {
      filter: files,
      handler: (id) => JSON.stringify(shownIn(language, id)),
    },
  };
}

/**
 * Exports the messages whose names are reserved words, too: `words.delete`. Vite declares a constant for each name, and
 * leaves out those that no constant may have; read by such a name, a message would be undefined.
 */
export function reservedNamesIn(language: string): Plugin {
  return {
    name: "messages-by-reserved-names",
    enforce: "post",
    transform: {
      filter: files,
      handler(code, id) {
        const left = Object.entries(shownIn(language, id)).filter(
          // Names alone: what the server says is found by its sentence.
          ([name]) => /^\w+$/.test(name) && !code.includes(`export const ${name} = `),
        );
        const more = left.map(
          ([name, message], at) =>
            `const reserved${at} = ${JSON.stringify(message)};\nexport { reserved${at} as ${name} };\n`,
        );
        return { code: code + more.join(""), map: null };
      },
    },
  };
}

function shownIn(language: string, id: string): Messages {
  const messages = Object.entries(messagesOf(language, basename(id)));
  return Object.fromEntries(messages.map(([name, message]) => [name, inOneLine(message)]));
}

/** No line ends after "E-" of "E-Mail": a word joiner, which neither searches nor screen readers take for a letter. */
function inOneLine(message: Message): Message {
  if (typeof message === "string") {
    return message.replaceAll(/\be-(?=mail)/gi, "$&\u2060");
  }
  return Object.fromEntries(
    Object.entries(message).map(([form, sentence]) => [form, inOneLine(sentence) as string]),
  );
}
