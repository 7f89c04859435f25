import { existsSync, globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { API_PROMISE } from "@tapthru/proto/api-info";
import { expect, it } from "vitest";
import { CHECKOUT } from "./stack/settings.ts";

const DOCUMENTS = globSync(["*.md", "{docs,infra,proto,services,web}/**/*.md"], {
  cwd: CHECKOUT,
  exclude: ["**/node_modules"],
});
const DECISIONS = globSync("docs/decisions/0*.md", { cwd: CHECKOUT }).toSorted();

const read = (document: string) => readFileSync(join(CHECKOUT, document), "utf8");

/** The headings of the document, as addresses name them. */
const headings = (document: string) =>
  [...read(document).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, "")
      .replaceAll(" ", "-"),
  );

it("decisions have numbers without gaps, in the file's name and in the title", () => {
  for (const [index, file] of DECISIONS.entries()) {
    expect(Number(basename(file).split("-")[0])).toBe(index + 1);
    expect(read(file), file).toMatch(`# ${index + 1}. `);
    expect(read(file).trim().split(/\s+/).length, file).toBeLessThanOrEqual(200);
  }
});

it.each(DOCUMENTS)("%s names and links to existing files, and to decisions by their number", (document) => {
  const text = read(document);
  const paths = text.match(/(?<=`)(?:docs|infra|k8s|proto|services|web)\/[\w/.*-]+(?=`)/g) ?? [];
  expect(paths.filter((path) => globSync(path, { cwd: CHECKOUT }).length === 0)).toEqual([]);

  const links = [...text.matchAll(/\[([^\]]*)\]\(([^()\s]+)\)/g)];
  for (const [, text = "", address = ""] of links) {
    if (URL.canParse(address)) continue;
    const [path = "", heading] = address.split("#");
    const file = path === "" ? document : join(dirname(document), path);
    expect(existsSync(join(CHECKOUT, file)), address).toBe(true);
    if (heading) expect(headings(file), address).toContain(heading);
    const number = /decision (\d+)/.exec(text)?.[1];
    if (number) expect(basename(path), text).toMatch(`${number.padStart(4, "0")}-`);
  }
});

it("docs/API.md has the promise of the OpenAPI document", () => {
  expect(read("docs/API.md").replaceAll(/\s+/g, " ")).toContain(API_PROMISE);
});
