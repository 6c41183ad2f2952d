import { unknownDevice, type BrowserName, type SystemName } from "#shared/device-names.ts";
import type { DeviceView } from "#shared/views.ts";

/**
 * What a User-Agent header has for each browser, most specific first: nearly all of them also say
 * Chrome and Safari (developer.mozilla.org, "Browser detection using the user agent").
 */
const browsers: readonly [pattern: RegExp, name: BrowserName][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|OPT|OPX|Opera)\b/, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bYaBrowser\//, "Yandex Browser"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\bDuckDuckGo\/|\bDdg\//, "DuckDuckGo"],
  [/\bUCBrowser\//, "UC Browser"],
  [/\bSeaMonkey\//, "SeaMonkey"],
  [/\b(?:Firefox|FxiOS|Focus)\//, "Firefox"],
  [/\bElectron\//, "A desktop app"],
  [/\bHeadlessChrome\//, "Headless Chrome"],
  [/\b(?:Chrome|CriOS)\//, "Chrome"],
  [/\bChromium\//, "Chromium"],
  [/\bVersion\/\d.*\bSafari\//, "Safari"],
  [/\bAppleWebKit\//, "A web view"],
];

type System = { name: SystemName; kind: "computer" | "phone" | "tablet" };

/** Android and iPad first: they also say Linux and Mac OS X. */
const systems: readonly [pattern: RegExp, system: System][] = [
  [/\biPhone\b|\biPod\b/, { name: "iPhone", kind: "phone" }],
  [/\biPad\b/, { name: "iPad", kind: "tablet" }],
  [/\bAndroid\b.*\bMobile\b/, { name: "Android", kind: "phone" }],
  [/\bAndroid\b/, { name: "Android", kind: "tablet" }],
  [/\bCrOS\b/, { name: "ChromeOS", kind: "computer" }],
  [/\bWindows\b/, { name: "Windows", kind: "computer" }],
  [/\bMac OS X\b|\bMacintosh\b/, { name: "macOS", kind: "computer" }],
  [/\bFreeBSD\b/, { name: "FreeBSD", kind: "computer" }],
  [/\bOpenBSD\b/, { name: "OpenBSD", kind: "computer" }],
  [/\bLinux\b|\bX11\b/, { name: "Linux", kind: "computer" }],
];

function first<Found>(pairs: readonly [RegExp, Found][], text: string): Found | undefined {
  return pairs.find(([pattern]) => pattern.test(text))?.[1];
}

/**
 * A User-Agent header in words by which people recognize their own device: "Firefox on Windows". A
 * program has its own name. It is what the other side claims, so only a hint.
 */
export function deviceOf(sent: string): DeviceView {
  // Searching for two parts takes the square of the length.
  const userAgent = sent.slice(0, 400);
  const system = first(systems, userAgent);
  const browser = userAgent.startsWith("Mozilla/") ? first(browsers, userAgent) : undefined;
  if (browser && system) return { name: `${browser} on ${system.name}`, kind: system.kind };
  if (browser) return { name: browser, kind: "computer" };
  // RFC 9110, section 10.1.5: product identifiers, the most significant first
  const [product = ""] = /^[\w.!#$%&'*+^`|~-]{1,40}/.exec(userAgent) ?? [];
  if (product === "" || product === "Mozilla") return { name: unknownDevice, kind: "computer" };
  return { name: product, kind: "program" };
}
