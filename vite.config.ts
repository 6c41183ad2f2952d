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

export default defineConfig({
  plugins: [onlyUsedIconWeights(), tailwindcss(), reactRouter()],
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
                  test: /node_modules\/(?:react|react-dom|scheduler|react-router)\//,
                },
                {
                  name: "forms",
                  test: /app\/(?:features\/identity\/(?:signed-in|postcard-card|form-alert)|ui\/password-field|lib\/(?:form-errors|passing-message))\.tsx?$/,
                },
                {
                  name: "shell",
                  test: /app\/(?:features\/shell\/(?:shell|error-page)|lib\/(?:theme|time-zone|hydrated))\.tsx?$/,
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
