import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT } from "../stack/settings.ts";

const TEST = /[.](test|spec|fault|docker)[.]|\/e2e\/|\/real-browsers\/|\/testing\/|^infra\/dev\/tests\//;
const GENERATED = /(^|\/)(node_modules|dist|[.]data|test-results|playwright-report|screenshots|coverage)(\/|$)/;
const FILES = ["**/*.{ts,tsx,mjs,js,sql,md}", ".*.{mjs,cjs}"];

const read = (path: string) => readFileSync(join(CHECKOUT, path), "utf8");
const allowed: Record<string, number> = JSON.parse(read("budget.json"));
const used: Record<string, number> = {};
for (const path of globSync(FILES, { cwd: CHECKOUT, exclude: (path) => GENERATED.test(path) })) {
  const isDocument = path.endsWith(".md");
  const [folder] = path.match(/^services\/[^/]+|^(proto|web|infra)(?=\/)/) ?? ["the root"];
  const kind = isDocument ? "words of documents" : `${TEST.test(path) ? "tests" : "source"} of ${folder}`;
  used[kind] = (used[kind] ?? 0) + (read(path).match(isDocument ? /\S+/g : /\n/g)?.length ?? 0);
}

const counts = Object.entries(used).sort();
if (process.argv.includes("--print")) console.log(JSON.stringify(Object.fromEntries(counts), null, 2));
const over = counts.filter(([kind, count]) => count > (allowed[kind] ?? 0));
for (const [kind, count] of over) console.log(`${kind}: ${count}, and budget.json allows ${allowed[kind] ?? 0}`);
process.exitCode = over.length === 0 ? 0 : 1;
