import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";
import { messagesIn, reservedNamesIn } from "./messages/plugin.ts";
import { sourceLanguage } from "./scripts/lib/languages.mjs";

/** Each language has a build of its own (scripts/lib/build.mjs). */
// oxlint-disable-next-line no-restricted-properties -- a setting of the build, none of the server's
const language = process.env["POSTCARD_LANGUAGE"] ?? sourceLanguage;
const isSource = language === sourceLanguage;

/**
 * Vite wraps every lazy import in a helper that preloads its styles and files. We have one style
 * sheet and preload nothing, and `modulePreload: false` leaves the helper in. Measured: 0.8 kB.
 *
 * Without a line nothing is asked for: Chromium keeps a failed import until the page is read again
 * (seen with 150), so that the piece would not come when the line is back.
 */
function plainLazyImports(): Plugin {
  return {
    name: "plain-lazy-imports",
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => ({
        code: `export const __vitePreload = (load) =>
          navigator.onLine === false ? Promise.reject(new Error("offline")) : load();`,
        map: null,
      }),
    },
  };
}

/**
 * React Router can report what it does to a monitor. We have none in the browser, and its bundle
 * cannot know that: the functions that would wrap every call stay out. Measured: 1.1 kB.
 */
function withoutRouterMonitoring(): Plugin {
  return {
    name: "without-router-monitoring",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: /react-router\/dist\/production\/lib\/router\/instrumentation\.js$/ },
      handler: (original) => {
        const [, names = ""] = /export \{([^}]*)\}/.exec(original) ?? [];
        const nothing = names.split(",").map((name) => `nothing as ${name.trim()}`);
        const code = `const nothing = () => undefined; export { ${nothing.join(", ")} };`;
        return { code, map: null };
      },
    },
  };
}

/**
 * Nothing uses React Router's own links (app/ui/link.tsx), but a call and a name that is set look like effects
 * to the bundler. Measured: 1 kB.
 */
function withoutRouterLinks(): Plugin {
  return {
    name: "without-router-links",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: { id: /react-router\/dist\/production\/lib\/dom\/lib\.js$/ },
      handler: (original) => {
        const code = original
          .replace(/^const (?:Nav)?Link = (?=React)/gm, "$&/* @__PURE__ */ ")
          .replace(/^(?:Nav)?Link\.displayName = .*$/gm, "");
        return { code, map: null };
      },
    },
  };
}

/** Each with what stands in its place; a React Router that is written otherwise stops the build. */
const whenUnreached: Record<string, [written: string, ours: string][]> = {
  routeModules: [
    [
      "\ttry {",
      `\twhile (navigator.onLine === false && !(await fetch(route.module).then(({ ok }) => ok, () => false)))
		await new Promise((online) => window.addEventListener("online", online, { once: true }));
	try {`,
    ],
    [
      "window.location.reload();",
      `if (window.dispatchEvent(new CustomEvent("page-unreached", { cancelable: true }))) window.location.reload();`,
    ],
  ],
  "fog-of-war": [
    [
      "if (signal?.aborted) return;\n\t\tthrow e;",
      `if (signal?.aborted) return;
		if (errorReloadPath && e instanceof TypeError && !window.dispatchEvent(new CustomEvent("page-unreached", { cancelable: true, detail: errorReloadPath }))) return new Promise(() => {});
		throw e;`,
    ],
  ],
};

/**
 * Where the code of a screen does not come React Router reads the document anew: right for a new
 * version, but without a line the browser's own page stands in the place of ours. The page is told
 * first (app/features/offline/unreached.tsx), and nothing is imported without a line: a browser
 * keeps a failed import.
 */
function stayWhenUnreached(): Plugin {
  return {
    name: "stay-when-unreached",
    applyToEnvironment: ({ name }) => name === "client",
    transform: {
      filter: {
        id: /react-router\/dist\/production\/lib\/dom\/ssr\/(?:routeModules|fog-of-war)\.js$/,
      },
      handler: (original, id) => {
        const [, file = ""] = /([\w-]+)\.js$/.exec(id) ?? [];
        let code = original;
        for (const [written, ours] of whenUnreached[file] ?? []) {
          if (code.split(written).length !== 2) throw new Error(`${file} is written otherwise now`);
          code = code.replace(written, () => ours);
        }
        return { code, map: null };
      },
    },
  };
}

export default defineConfig({
  plugins: [
    ...(isSource ? [] : [messagesIn(language)]),
    reservedNamesIn(language),
    plainLazyImports(),
    stayWhenUnreached(),
    withoutRouterMonitoring(),
    withoutRouterLinks(),
    tailwindcss(),
    reactRouter(),
  ],
  // Inlined assets would need data: URLs in the content security policy.
  build: {
    assetsInlineLimit: 0,
    modulePreload: false,
    // Every language's files have addresses of their own; what has no hash in its name is there once.
    assetsDir: isSource ? "assets" : `assets/${language}`,
    copyPublicDir: isSource,
  },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          // Messages stand where they are shown, as if they were written there (decision 0247).
          optimization: { inlineConst: { mode: "all", pass: 1 } },
          output: {
            // What every screen needs is one file: it compresses better than a handful.
            codeSplitting: {
              groups: [
                {
                  name: "framework",
                  priority: 3,
                  // and the few lines that everything on a page listens by, and says its sentences by
                  test: /node_modules\/(?:react|react-dom|scheduler|react-router)\/|app\/lib\/(?:store|instead|page\/back-here|text\/(?:messages|said))\.tsx?/,
                },
                {
                  name: "shell",
                  priority: 2,
                  test: /app\/(?:root|entry\.client|features\/shell\/(?:shell|fatal-error-page|language-choice)|ui\/(?:plain-boundary|lazy-component)|lib\/(?:page\/(?:theme|time-zone|hydrated|first-interaction|meta-description|history-steps|around-loaders)|live\/session-channel|lists\/remembered-lists|browser-data))\.tsx?$/,
                },
                {
                  // Apart: a comment shall not bring the sign-in along, nor a feed either.
                  name: "fields",
                  priority: 3,
                  test: /app\/(?:lib\/forms\/form-errors|ui\/(?:text-)?field)\.tsx?$/,
                },
                {
                  name: "away",
                  priority: 2,
                  test: /app\/lib\/forms\/(?:describe-error|unless-unreachable)\.ts/,
                },
                {
                  // What is written over a while: posts and profiles.
                  name: "sending",
                  priority: 0,
                  test: /(?:shared\/records|app\/(?:lib\/forms\/(?:problem|use-sending|use-leave-warning|use-ask-before-leaving)|features\/posts\/(?:composer\/upload-progress|audience\/audience-choices)|ui\/choices))\.tsx?$/,
                },
                {
                  // Not with what asks before one leaves: a few lines that many screens ask by.
                  name: "ask",
                  priority: 2,
                  test: /app\/ui\/ask\.ts$/,
                },
                {
                  // Posts and messages.
                  name: "writing",
                  priority: 0,
                  test: /app\/lib\/(?:forms\/(?:use-dropped-files|random-key)|indexed-db)\.ts$/,
                },
                {
                  // Sign-in and sign-up, and nobody else.
                  name: "identity",
                  priority: 2,
                  test: /app\/(?:features\/identity\/(?:signed-in|loading-gate|postcard-card|form-alert|other-form|provider-sign-in|until-dialog-is-read)|ui\/password-field|lib\/page\/problem-message)\.tsx?$/,
                },
                {
                  // What cards press; what forms and uploads need besides is apart.
                  name: "calls",
                  priority: 2,
                  test: /(?:app\/lib\/api-client|shared\/(?:refusals|effective-audience))\.ts/,
                },
                {
                  // Most of them are of forms: where a page reads numbers alone, they stand in its code.
                  name: "limits",
                  priority: 3,
                  test: /shared\/limit(?:s|-values)\.ts/,
                },
                {
                  name: "text",
                  priority: 2,
                  test: /shared\/text\.ts/,
                },
                {
                  // Members' alone, and of every page that shows something of others.
                  name: "live",
                  priority: 3,
                  test: /app\/lib\/live\/live\.ts/,
                },
                {
                  // Lists of posts; a post's own page needs none of it.
                  name: "cards",
                  priority: 0,
                  test: /app\/(?:features\/posts\/(?:post-card|use-morphing|comment-preview)|ui\/list-foot)/,
                },
                {
                  // Feed, post and profile: a dozen files of a few hundred bytes otherwise.
                  name: "posts",
                  priority: 1,
                  test: /app\/(?:features\/(?:posts\/(?!remove-listed|delete-post|post-menu-entries|photo-steps|post-card|use-morphing|comment-preview|composer|editor|audience\/(?!audience-mark)|lightbox\/(?!lightbox-photos)|post-grid|post-detail|photo-facts|alt-suggestions|carousel-controls|post-act\.|copy-link|share\.|veiled|read-edited|deletion-note)|likes\/(?!heart-burst)|bookmarks\/bookmark-button)|lib\/(?:lists\/(?:use-infinite-list|list-storage|older-pages|use-resettable-state|hidden-accounts)|toggles|text\/(?:counts|links|first-graphemes)|page\/scroll-behavior)|ui\/(?:skeleton|photo|post-time|link-button|menu|new-items-button)\.tsx)/,
                },
              ],
            },
          },
        },
      },
    },
  },
});
