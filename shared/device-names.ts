/** What devices are called: "Firefox on Windows". Screens say it in their language. */
export const browserNames = [
  "Edge",
  "Opera",
  "Vivaldi",
  "Yandex Browser",
  "Samsung Internet",
  "DuckDuckGo",
  "UC Browser",
  "SeaMonkey",
  "Firefox",
  "A desktop app",
  "Headless Chrome",
  "Chrome",
  "Chromium",
  "Safari",
  "A web view",
] as const;
export type BrowserName = (typeof browserNames)[number];

export const systemNames = [
  "iPhone",
  "iPad",
  "Android",
  "ChromeOS",
  "Windows",
  "macOS",
  "FreeBSD",
  "OpenBSD",
  "Linux",
] as const;
export type SystemName = (typeof systemNames)[number];

/** The name of a device that says nothing of itself. */
export const unknownDevice = "Unknown device";
