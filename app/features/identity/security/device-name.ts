import * as words from "#messages/security.json";
import { browserNames, systemNames, unknownDevice } from "#shared/device-names.ts";
import { fill } from "#app/lib/text/messages.tsx";

const browsers: ReadonlySet<string> = new Set(browserNames);
const systems: ReadonlySet<string> = new Set(systemNames);
/** Those that are no names of programs. */
const ownWords: Readonly<Record<string, string>> = {
  [unknownDevice]: words.unknownDevice,
  "A desktop app": words.desktopApp,
  "A web view": words.webView,
};
const inWords = (name: string) => ownWords[name] ?? name;

/** The name of a device, or of a passkey on it, as the server knows it; what somebody called theirs stays. */
export function deviceName(name: string): string {
  const [browser = "", system = "", ...rest] = name.split(" on ");
  return rest.length === 0 && browsers.has(browser) && systems.has(system)
    ? fill(words.browserOnSystem, { browser: inWords(browser), system })
    : inWords(name);
}
