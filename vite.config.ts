import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig, type Plugin } from "vite";

/** Each Phosphor icon carries six weights; we draw two of them. Measured: two thirds less script. */
function onlyUsedIconWeights(): Plugin {
  const unused = /\n {2}\[\n {4}"(?:bold|duotone|light|thin)",[\s\S]*?\n {2}\](?:,|(?=\n\]))/g;
  return {
    name: "only-used-icon-weights",
    transform: {
      filter: { id: /@phosphor-icons\/react\/dist\/defs\// },
      handler: (code) => ({ code: code.replace(unused, ""), map: null }),
    },
  };
}

/**
 * Vite wraps every lazy import in a helper that preloads its styles and files. We have one style
 * sheet and preload nothing, and `modulePreload: false` leaves the helper in. Measured: 0.8 kB.
 */
function plainLazyImports(): Plugin {
  return {
    name: "plain-lazy-imports",
    transform: {
      filter: { id: /vite\/preload-helper/ },
      handler: () => ({ code: "export const __vitePreload = (load) => load();", map: null }),
    },
  };
}

export default defineConfig({
  plugins: [onlyUsedIconWeights(), plainLazyImports(), tailwindcss(), reactRouter()],
  // Inlined assets would need data: URLs in the content security policy.
  build: { assetsInlineLimit: 0, modulePreload: false },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            // What every screen needs is one file: it compresses better than a handful.
            codeSplitting: {
              groups: [
                {
                  name: "framework",
                  priority: 3,
                  test: /node_modules\/(?:react|react-dom|scheduler|react-router)\//,
                },
                {
                  name: "shell",
                  priority: 2,
                  test: /app\/(?:features\/(?:shell\/(?:shell|error-page|loading-gate)|identity\/(?:signed-in|postcard-card|form-alert|provider-sign-in))|ui\/password-field|lib\/(?:theme|time-zone|hydrated|form-errors|passing-message|about))\.tsx?$/,
                },
                {
                  // What forms and uploads need besides, without the posts.
                  name: "calls",
                  priority: 2,
                  test: /(?:app\/lib\/post-form|shared\/(?:limits|text|errors))\.ts/,
                },
                {
                  // Feed, post and profile: a dozen files of a few hundred bytes otherwise.
                  name: "posts",
                  priority: 1,
                  test: /app\/(?:features\/(?:post-card|text-post|like-button|save-button|follow-button|post-picture|post-time|caption|linked-text|share|comments\/comment-preview)|lib\/(?:use-endless-list|kept-lists|older-pages|use-wish|use-fresh|last-wish|counts|links|first-graphemes)\.ts|ui\/(?:skeleton|picture)\.tsx)/,
                },
              ],
            },
          },
        },
      },
    },
  },
  ssr: { noExternal: ["@phosphor-icons/react"] },
});
