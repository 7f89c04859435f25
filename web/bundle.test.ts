import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import compatData from "@mdn/browser-compat-data";
import { CALLS } from "@tapthru/proto/calls";
import { PRERENDERED_PAGES } from "@tapthru/proto/rules/paths";
import { build, type Rollup } from "vite";
import { beforeAll, expect, test, vi } from "vitest";
import { OLDEST_BROWSERS } from "./oldest-browsers.ts";
import { CALL } from "./without-documentation.ts";

let files: Map<string, string | Uint8Array>;

beforeAll(async () => {
  vi.stubEnv("NODE_ENV", "production");
  const result = await build({
    root: import.meta.dirname,
    logLevel: "error",
    build: { write: false },
  });
  vi.unstubAllEnvs();
  const { output } = result as Rollup.RolldownOutput;
  files = new Map(output.map((file) => [`/${file.fileName}`, file.type === "chunk" ? file.code : file.source]));
}, 60_000);

const page = (path: string) => files.get(path)?.toString() ?? "";
const html = () => page("/index.html");
const prerendered = () => Object.values(PRERENDERED_PAGES).map((file) => page(`/${file}`));

const scriptsOf = (text: string) => [...text.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path]) => path ?? "");

test("the scripts have each call: its definition is one that the build finds", async () => {
  const found = new Set<string>();
  for await (const path of glob("../proto/src/**/*.ts", { cwd: import.meta.dirname })) {
    const source = await readFile(join(import.meta.dirname, path), "utf8");
    for (const [, name = ""] of source.matchAll(CALL)) found.add(name);
  }
  expect(Object.keys(CALLS).filter((name) => !found.has(name))).toEqual([]);
});

test("a page begins with one script", () => {
  for (const text of [html(), ...prerendered()]) expect(scriptsOf(text)).toHaveLength(1);
});

test("the pages have no inline style, and an inline script that sets the theme", () => {
  for (const text of [html(), ...prerendered()]) {
    expect(text.match(/<script>.*?<\/script>/gs)?.[0]).toContain("dataset.theme");
    expect(text).not.toMatch(/<style|\sstyle=|\son\w+=/);
  }
});

test("every inline script of a prerendered page is in index.html, whose scripts the gateway allows", () => {
  for (const script of prerendered()
    .join("")
    .match(/<script>.*?<\/script>/gs) ?? []) {
    expect(html()).toContain(script);
  }
});

test.each([
  ["/", "Amazon links that open in the app", /<input[^>]* name="url"/],
  ["/dashboard", "Your Links", /data-loading/],
] as const)("%s is prerendered, without scripts and styles of its own", (path, title, element) => {
  const root = new RegExp(`<div id="root" data-prerendered="${path}">(.*)<noscript>`, "s");
  const [, content = ""] = root.exec(page(`/${PRERENDERED_PAGES[path]}`)) ?? [];
  expect(content).toContain(`>${title}</h1>`);
  expect(content).toMatch(element);
  expect(content).toContain("{product name}");
  expect(content).not.toMatch(/<script|<style|\sstyle=|\son\w+=|hidden id="S:/);
});

test("each script and style sheet has a Brotli and a gzip copy", () => {
  const paths = [...files.keys()].filter((path) => /\.(js|css)$/.test(path));
  expect(paths.length).toBeGreaterThan(10);
  for (const path of paths) {
    const content = Buffer.from(files.get(path) ?? "");
    expect(brotliDecompressSync(files.get(`${path}.br`) ?? "")).toEqual(content);
    expect(gunzipSync(files.get(`${path}.gz`) ?? "")).toEqual(content);
  }
});

test("version.txt is one line of text", () => {
  expect(files.get("/version.txt")?.toString()).toMatch(/^[0-9a-f]{8}\n$/);
});

/** Called only where it exists. */
const OPTIONAL_FUNCTIONS = [
  "Error.captureStackTrace",
  "Intl.DurationFormat",
  "PublicKeyCredential.getClientCapabilities",
  "PublicKeyCredential.signalAllAcceptedCredentials",
  "PublicKeyCredential.signalCurrentUserDetails",
  "PublicKeyCredential.signalUnknownCredential",
  "Symbol.asyncDispose",
  "Temporal.Now",
  "URL.canParse",
];

// Methods of values, such as toSorted, are not found.
test("the scripts use only static members that the oldest supported browsers have", () => {
  const scripts = [...files].filter(([path]) => path.endsWith(".js"));
  const used = scripts.flatMap(([, code]) => `${code}`.match(/(?<![\w$.])[A-Z]\w+\.\w+/g) ?? []);
  const missing = new Set(used.filter((name) => !isSupported(name)));
  expect(missing).toEqual(new Set(OPTIONAL_FUNCTIONS));
});

/** @param name such as "AbortSignal.any" */
function isSupported(name: string): boolean {
  const [owner = "", member = ""] = name.split(".");
  const { api, javascript } = compatData;
  const known = api[owner]?.[`${member}_static`] ?? javascript.builtins?.[owner]?.[member];
  if (!known?.__compat) return true;
  const { support } = known.__compat;
  return Object.entries(OLDEST_BROWSERS).every(([browser, oldest]) =>
    [support[browser as keyof typeof OLDEST_BROWSERS] ?? []]
      .flat()
      .some(({ version_added: since }) => since && Number.parseFloat(since) <= oldest),
  );
}
