import type { Call, MastodonDeps, MastodonRouter, MemberCall } from "#server/mastodon/router.ts";
import type { FilterKeyword, WordFilter } from "#server/features/people/index.ts";
import { found, refuse } from "#shared/errors.ts";

/** Where a muted word keeps something away, whoever muted it and how. */
const places = ["home", "notifications", "public", "thread"];

/**
 * Every app begins with `warn`, and some offer `blur`: posts with a muted word are hidden all the same, which is
 * more than was asked for, and `filter_action` answers so. `context` does, too: Ice Cubes begins with `home` alone,
 * and says nothing when it is refused (its EditFilterView.swift, commit 0fc41d2).
 */
const actions: ReadonlySet<string> = new Set(["warn", "blur", "hide"]);

type WordFilters = MastodonDeps["features"]["wordFilters"];

const no = (message: string) => refuse("not-offered", { message });

/**
 * docs.joinmastodon.org/methods/filters: words that the member muted, in groups. What would be muted otherwise
 * than it was asked for is refused with a sentence.
 */
export function filterRoutes(router: MastodonRouter, { features }: MastodonDeps): void {
  const { wordFilters } = features;
  groupRoutes(router, wordFilters);
  keywordRoutes(router, wordFilters);
  firstRoutes(router, wordFilters);

  // A single post can't be muted.
  const statuses = "/api/v2/filters/:id/statuses";
  router.member("get", statuses, "read:filters", async (call) => {
    await groupIn(call);
    return [];
  });
  router.member("post", statuses, "write:filters", () => {
    throw no("Single posts can't be muted here; words and people can.");
  });
  const single = "/api/v2/filters/statuses/:id";
  router.member("get", single, "read:filters", () => notFound());
  router.member("delete", single, "write:filters", () => notFound());
}

function groupRoutes(router: MastodonRouter, wordFilters: WordFilters): void {
  const url = "/api/v2/filters";
  router.member("get", url, "read:filters", async ({ viewer }) =>
    (await wordFilters.list(viewer)).map(groupEntity),
  );
  router.member("get", `${url}/:id`, "read:filters", async (call) =>
    groupEntity(await groupIn(call)),
  );
  router.member("post", url, "write:filters", async ({ viewer, input }) => {
    refuseOthers(input, true);
    const words = keywordsIn(input).flatMap(({ keyword }) => keyword ?? []);
    return groupEntity(await wordFilters.create(viewer, input.text("title") ?? "", words));
  });
  router.member("put", `${url}/:id`, "write:filters", async ({ viewer, input, part }) => {
    refuseOthers(input, false);
    const sent = keywordsIn(input);
    const asked = {
      title: input.text("title"),
      add: sent.flatMap(({ id, keyword }) => (id ? [] : (keyword ?? []))),
      rename: sent.flatMap(({ id, keyword, _destroy }) =>
        id && keyword !== undefined && !isTrue(_destroy) ? { id, word: keyword } : [],
      ),
      remove: sent.flatMap(({ id, _destroy }) => (id && isTrue(_destroy) ? id : [])),
    };
    return groupEntity(await wordFilters.edit(viewer, part("id"), asked));
  });
  router.member("delete", `${url}/:id`, "write:filters", async ({ viewer, part }) => {
    await wordFilters.remove(viewer, part("id"));
    return {};
  });
}

function keywordRoutes(router: MastodonRouter, wordFilters: WordFilters): void {
  const list = "/api/v2/filters/:id/keywords";
  router.member("get", list, "read:filters", async (call) =>
    (await groupIn(call)).keywords.map(keywordEntity),
  );
  router.member("post", list, "write:filters", async ({ viewer, input, part }) => {
    refuseParts(input.flag("whole_word"));
    const word = input.text("keyword") ?? "";
    return keywordEntity(await wordFilters.addKeyword(viewer, part("id"), word));
  });
  const one = "/api/v2/filters/keywords/:id";
  router.member("get", one, "read:filters", async (call) => keywordEntity(await keywordIn(call)));
  router.member("put", one, "write:filters", async (call) => {
    const { viewer, input, part } = call;
    refuseParts(input.flag("whole_word"));
    const word = input.text("keyword") ?? (await keywordIn(call)).word;
    return keywordEntity(await wordFilters.editKeyword(viewer, part("id"), word));
  });
  router.member("delete", one, "write:filters", async ({ viewer, part }) => {
    await wordFilters.removeKeyword(viewer, part("id"));
    return {};
  });
}

/** The first version knows no groups: each word is a filter. */
function firstRoutes(router: MastodonRouter, wordFilters: WordFilters): void {
  const url = "/api/v1/filters";
  router.member("get", url, "read:filters", async (call) =>
    (await keywordsOf(call)).map(firstEntity),
  );
  router.member("get", `${url}/:id`, "read:filters", async (call) =>
    firstEntity(await keywordIn(call)),
  );
  router.member("post", url, "write:filters", async ({ viewer, input }) => {
    refuseOthers(input, true);
    const phrase = input.text("phrase") ?? "";
    const { keywords } = await wordFilters.create(viewer, phrase, [phrase]);
    return firstEntity(found(keywords[0]));
  });
  router.member("put", `${url}/:id`, "write:filters", async (call) => {
    const { viewer, input, part } = call;
    refuseOthers(input, false);
    const phrase = input.text("phrase") ?? (await keywordIn(call)).word;
    return firstEntity(await wordFilters.editKeyword(viewer, part("id"), phrase));
  });
  router.member("delete", `${url}/:id`, "write:filters", async ({ viewer, part }) => {
    await wordFilters.removeKeyword(viewer, part("id"));
    return {};
  });
}

function notFound(): never {
  throw refuse("not-found");
}

async function groupIn({ deps: { features }, viewer, part }: MemberCall) {
  return found((await features.wordFilters.list(viewer)).find(({ id }) => id === part("id")));
}

async function keywordsOf({ deps, viewer }: MemberCall) {
  const all = (await deps.features.wordFilters.list(viewer)).flatMap(({ keywords }) => keywords);
  return [...new Map(all.map((keyword) => [keyword.id, keyword])).values()];
}

async function keywordIn(call: MemberCall) {
  return found((await keywordsOf(call)).find(({ id }) => id === call.part("id")));
}

const isTrue = (value = "") => /^(?:1|t|true|on)$/i.test(value);

function keywordsIn(input: Call["input"]) {
  const sent = input.records("keywords_attributes");
  for (const { whole_word: whole } of sent) if (whole !== undefined) refuseParts(isTrue(whole));
  return sent;
}

function refuseParts(whole: boolean | undefined): void {
  if (whole === false) throw no("Words are muted as whole words here: choose whole words.");
}

/** What a muted word here is not. A new one has to say where it is to be muted, as in Mastodon. */
function refuseOthers(input: Call["input"], isNew: boolean): void {
  const context = input.list("context");
  if (isNew || input.has("context")) {
    if (!context.includes("home"))
      throw no("A muted word works everywhere here: choose home, at least.");
  }
  const action = input.text("filter_action") || "hide";
  if (!actions.has(action)) throw refuse("input-invalid");
  if (!/^0?$/.test(input.text("expires_in") ?? ""))
    throw no("Words stay muted here until you unmute them: choose no end.");
  refuseParts(input.flag("whole_word"));
}

/** docs.joinmastodon.org/entities/Filter */
const groupEntity = ({ id, title, keywords }: WordFilter) => ({
  id,
  title,
  context: places,
  expires_at: null,
  filter_action: "hide",
  keywords: keywords.map(keywordEntity),
  statuses: [],
});

/** docs.joinmastodon.org/entities/FilterKeyword */
const keywordEntity = ({ id, word }: FilterKeyword) => ({ id, keyword: word, whole_word: true });

/** docs.joinmastodon.org/entities/V1_Filter */
const firstEntity = ({ id, word }: FilterKeyword) => ({
  id,
  phrase: word,
  context: places,
  whole_word: true,
  expires_at: null,
  irreversible: true,
});
