import { join } from "node:path";
import { PRERENDERED_PAGES } from "@tapthru/proto/rules/prerendered-pages";
import type { Plugin, Rollup } from "vite";

const QUERIES = "lib/http/queries.tsx";
const SESSION = ["features/session/session.ts", "features/session/firebase.ts"];

/** Modules under src that a page needs as soon as the initial script has run. */
const PAGES: Record<string, string[]> = {
  "/login": ["app/routes/login.tsx"],
  "/signup": ["app/routes/signup.tsx"],
};
/** The same by the files of prerendered pages. */
const PRERENDERED: Record<string, string[]> = {
  [PRERENDERED_PAGES["/"]]: ["app/routes/home.tsx", QUERIES],
  [PRERENDERED_PAGES["/dashboard"]]: [
    "app/routes/dashboard.tsx",
    QUERIES,
    "lib/http/parse-reply.ts",
    ...SESSION,
  ],
};

/**
 * Adds an inline script to index.html that preloads the chunks of the page that is opened, and to each prerendered page
 * the links that preload its own, after the initial script. Otherwise the browser would find them only after it has run
 * the initial script.
 */
export function preloadedChunks(): Plugin {
  return {
    name: "tapthru:preloaded-chunks",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const index = bundle["index.html"];
        if (index?.type !== "asset") return;
        const source = join(this.environment.config.root, "src");
        const chunksOf = (modules: string[]) => [
          ...new Set(modules.flatMap((module) => filesOf(join(source, module), bundle))),
        ];
        const pages = Object.entries(PAGES).map(([path, modules]) => [path, chunksOf(modules)]);
        const script = `for(const href of ${JSON.stringify(Object.fromEntries(pages))}[location.pathname]||[])document.head.append(Object.assign(document.createElement("link"),{rel:"modulepreload",href}))`;
        index.source = index.source
          .toString()
          .replace("</head>", (end) => `  <script>${script}</script>\n  ${end}`);
        for (const [file, modules] of Object.entries(PRERENDERED)) {
          const page = bundle[file];
          if (page?.type !== "asset") throw new Error(`No ${file}`);
          const links = chunksOf(modules).map(
            (href) =>
              `  <link rel="modulepreload" crossorigin fetchpriority="low" href="${href}">\n  `,
          );
          page.source = page.source.toString().replace("</head>", (end) => links.join("") + end);
        }
      },
    },
  };
}

/** The file of the chunk that contains a module, and the files it imports, except those of the initial load. */
function filesOf(module: string, bundle: Rollup.OutputBundle): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === "chunk");
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  const root = chunks.find((chunk) => chunk.moduleIds.includes(module));
  if (!root) throw new Error(`No chunk contains ${module}`);
  const found = new Set<string>();
  const visit = (fileName: string) => {
    const chunk = byName.get(fileName);
    if (!chunk || chunk.isEntry || found.has(fileName)) return;
    found.add(fileName);
    for (const imported of chunk.imports) visit(imported);
  };
  visit(root.fileName);
  return [...found].map((fileName) => `/${fileName}`);
}
