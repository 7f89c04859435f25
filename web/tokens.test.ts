import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PAGE_COLORS } from "@tapthru/proto/rules/page-style";
import { expect, test } from "vitest";

const SOURCE = join(import.meta.dirname, "src");

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
