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
  build: { assetsInlineLimit: 0 },
  ssr: { noExternal: ["@phosphor-icons/react"] },
});
