import type { Plugin } from "vite";

const MODULE = /[/]react-router[/]dist[/].*[.]mjs$/;
const WARNINGS = /(?<=^var ENABLE_DEV_WARNINGS = )true/m;
const NAME = /^\w+[.]displayName = "\w+";$/gm;
const DEFINITION = /^(var \w+ = )(?=React\d*[.](?:forwardRef|createContext)[(])/gm;

/**
 * Lets the bundler leave out what is not used of React Router: its warnings for developers, in which alone its two
 * builds differ, and its components. The bundler keeps components that are assigned a name, and cannot know that their
 * definitions have no side effects.
 */
export function unusedRouterParts(): Plugin {
  return {
    name: "tapthru:unused-router-parts",
    apply: "build",
    transform: {
      filter: { id: MODULE },
      handler: (code) => ({
        code: code
          .replace(WARNINGS, "false")
          .replace(NAME, "")
          .replace(DEFINITION, "$1/* @__PURE__ */ "),
        map: null,
      }),
    },
  };
}
