import { expect, it } from "vitest";
import { parseHtml as parse } from "../testing/start-world.ts";
import { contentSecurityPolicy } from "./content-security-policy.ts";
import { createSmallPages, SMALL_PAGE_POLICY } from "./small-pages.ts";

const site = { productName: `Tap & <thru> "x"`, homeUrl: "https://go.example/" };
const pages = createSmallPages(site);

it.each(Object.entries(pages.en))("links to the home page from the page for %s", (_, html) => {
  const document = parse(html);
  expect(document.querySelector("a")?.getAttribute("href")).toBe("https://go.example/");
  expect(document.querySelector("a")?.textContent).toBe(`Go to Tap & <thru> "x"`);
  expect(document.querySelector("h1")?.textContent).not.toBe("");
  expect(SMALL_PAGE_POLICY).toBe(contentSecurityPolicy({ style: document.querySelector("style")?.textContent ?? "" }));
});

it.each([
  ["de", "ltr", "Link nicht gefunden"],
  ["ar", "rtl", "الرابط غير موجود"],
] as const)("is in the language %s with the direction %s", (language, direction, heading) => {
  const { documentElement, title } = parse(pages[language].notFound);
  expect([documentElement.lang, documentElement.dir]).toEqual([language, direction]);
  expect(documentElement.querySelector("h1")?.textContent).toBe(heading);
  expect(title).toBe(`${heading} - ${site.productName}`);
});
