import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PAGE_COLORS } from "@tapthru/proto/rules/page-style";
import { expect, test } from "vitest";

const SOURCE = join(import.meta.dirname, "src");

/** A literal color anywhere, or a literal length in a class name. */
const LITERAL_COLOR = /-\[#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|oklch)a?\(/i;
const LITERAL_LENGTH = /-\[[^\]]*\d(?:px|rem|em|vw|vh|%)/;

test("components use only sizes and colors from styles.css and Tailwind", () => {
  const components = readdirSync(SOURCE, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".tsx") && !path.endsWith(".test.tsx"),
  );
  expect(components.length).toBeGreaterThan(50);
  const violations = components.flatMap((path) =>
    readFileSync(join(SOURCE, path), "utf8")
      .split("\n")
      .filter((line) => LITERAL_COLOR.test(line) || LITERAL_LENGTH.test(line))
      .map((line) => `${path}: ${line.trim()}`),
  );
  expect(violations).toEqual([]);
});

test.each(Object.entries(PAGE_COLORS))(
  "the color %s of styles.css is that of the pages of other services",
  (name, { light, dark }) => {
    const styles = readFileSync(join(SOURCE, "styles.css"), "utf8");
    expect(styles).toContain(`  --color-${name}: light-dark(${light}, ${dark});\n`);
  },
);

test.each(["light", "dark"] as const)("the color of the browser's bar is that of the page in the %s theme", (theme) => {
  const html = readFileSync(join(import.meta.dirname, "index.html"), "utf8");
  const media = `media="(prefers-color-scheme: ${theme})"`;
  expect(html).toContain(`<meta name="theme-color" content="${PAGE_COLORS.page[theme]}" ${media}`);
});
