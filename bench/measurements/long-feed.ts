import { chromium, type CDPSession, type Page } from "@playwright/test";
import type { Member } from "../product.ts";
import type { MeasuredServer } from "../servers/measured-server.ts";
import { inFull, median, type Figure } from "../table.ts";

const short = 60;
const long = 1000;
/** How many times slower than this machine: a phone. */
const slowdown = 4;
const likes = 7;
/** How long a reload may take, milliseconds. */
const patience = 120_000;
const phone = { width: 390, height: 844 };

type Length = { posts: number; nodes: number; heap: number; like: number; taskOfLike: number };

/**
 * The home feed of a member in a phone's browser, scrolled to 60 posts and to 1,000: what the page holds
 * after a garbage collection, and how long a like and a reload take at a quarter of this machine's speed.
 */
export async function longFeed({ cookie }: Member, postcard: MeasuredServer): Promise<Figure[]> {
  const executablePath = process.env.CHROMIUM_PATH ?? "/usr/bin/chromium-headless-shell";
  const browser = await chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu"],
  });
  try {
    const context = await browser.newContext({
      viewport: phone,
      deviceScaleFactor: 2,
      extraHTTPHeaders: { cookie },
      serviceWorkers: "block",
    });
    const page = await context.newPage();
    await page.goto(postcard.url);
    const devtools = await context.newCDPSession(page);
    await devtools.send("Performance.enable");
    const at60 = await measure(page, devtools, short);
    const at1000 = await measure(page, devtools, long);
    const reload = await timeReload(page, devtools, at1000.posts);
    return figuresOf(at60, at1000, reload);
  } finally {
    await browser.close();
  }
}

async function measure(page: Page, devtools: CDPSession, posts: number): Promise<Length> {
  const shown = await scrollTo(page, posts);
  const { nodes, heap } = await held(devtools);
  const { like, taskOfLike } = await timeLikes(page, devtools);
  return { posts: shown, nodes, heap, like, taskOfLike };
}

/* Code that runs in the page is written as text: nothing here knows its names. */
const scrollOn = `new Promise((resolve) => {
  scrollBy({ top: innerHeight, behavior: "instant" });
  requestAnimationFrame(() => requestAnimationFrame(resolve));
})`;
const likeInSight = `new Promise((resolve) => {
  const likes = [...document.querySelectorAll("[data-shortcut=like]")];
  const like = likes.find((button) => button.getBoundingClientRect().top > 0);
  const pressed = performance.now();
  like.click();
  requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pressed)));
})`;
/** Posts in the list: a run of unrendered ones is one element. */
const countPosts = `[...document.querySelectorAll("main :is(article, [data-far])")]
  .reduce((sum, node) => sum + Number(node.dataset.far ?? 1), 0)`;
const isThere = (posts: number, position: number) => `
  ${countPosts} >= ${posts} &&
  Math.abs(scrollY - ${position}) < 2000 &&
  !!document.elementFromPoint(195, 400)?.closest("main article")?.querySelector("button")`;

/** In steps of a screen, as one reads: new posts are drawn on the way. */
async function scrollTo(page: Page, posts: number): Promise<number> {
  for (let step = 0; step < 50 * posts; step += 1) {
    const count = await page.evaluate<number>(countPosts);
    if (count >= posts) return count;
    await page.evaluate(scrollOn);
  }
  throw new Error(
    `The feed ends or stops before ${posts} posts: ${await page.evaluate<number>(countPosts)}.`,
  );
}

async function held(devtools: CDPSession): Promise<{ nodes: number; heap: number }> {
  for (let round = 0; round < 3; round += 1) {
    await devtools.send("HeapProfiler.collectGarbage");
  }
  const metrics = await metricsOf(devtools);
  return { nodes: metrics("Nodes"), heap: metrics("JSHeapUsedSize") };
}

async function metricsOf(devtools: CDPSession): Promise<(name: string) => number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return (wanted) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
}

/** Milliseconds from the press to the frame that shows it. */
async function timeLikes(page: Page, devtools: CDPSession) {
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  const times: number[] = [];
  const tasks: number[] = [];
  for (let round = 0; round < likes; round += 1) {
    await page.waitForTimeout(500);
    const before = (await metricsOf(devtools))("TaskDuration");
    times.push(await page.evaluate<number>(likeInSight));
    await page.waitForTimeout(700);
    tasks.push(1000 * ((await metricsOf(devtools))("TaskDuration") - before));
  }
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  return { like: median(times), taskOfLike: median(tasks) };
}

/** Milliseconds until the feed is as long as before, at the same scroll position. */
async function timeReload(page: Page, devtools: CDPSession, posts: number): Promise<number> {
  await page.waitForTimeout(1000);
  const position = await page.evaluate<number>("scrollY");
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slowdown });
  const started = performance.now();
  await page.reload({ waitUntil: "commit" });
  // Waiting inside the page would need an evaluation there, which its policy refuses.
  while (!(await page.evaluate(isThere(posts, position)))) {
    if (performance.now() - started > patience) throw new Error("The feed did not come back.");
    await page.waitForTimeout(50);
  }
  const took = performance.now() - started;
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  return took;
}

function figuresOf(at60: Length, at1000: Length, reload: number): Figure[] {
  const ratio = (key: "nodes" | "heap") => at1000[key] / at60[key];
  return [
    {
      what: `Long feed in a browser, ${inFull(at1000.posts)} posts against ${at60.posts}: nodes`,
      value: `${ratio("nodes").toFixed(2)} × (${inFull(at1000.nodes)} against ${inFull(at60.nodes)})`,
      goal: "≤ 1.5 ×",
      met: ratio("nodes") <= 1.5,
    },
    {
      what: "The same: heap of scripts",
      value: `${ratio("heap").toFixed(2)} × (${mb(at1000.heap)} against ${mb(at60.heap)})`,
      goal: "≤ 1.5 ×",
      met: ratio("heap") <= 1.5,
    },
    {
      what: `The same, processor ${slowdown} times slower: a like, from the press to its frame`,
      value: `${ms(at1000.like)} (${ms(at60.like)}); all that it causes ${ms(at1000.taskOfLike)} (${ms(at60.taskOfLike)})`,
      goal: "≤ 100 ms",
      met: at1000.like <= 100,
    },
    {
      what: `The same: a reload, until ${inFull(at1000.posts)} posts are there and one is where one was`,
      value: ms(reload),
      goal: "",
      met: null,
    },
  ];
}

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;

const ms = (time: number) => `${Math.round(time)} ms`;
