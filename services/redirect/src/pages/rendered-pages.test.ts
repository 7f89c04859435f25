import { expect, it } from "vitest";
import { htmlPage } from "../prepared-response.ts";
import { liveRecord } from "../testing/test-service.ts";
import { RenderedPages } from "./rendered-pages.ts";

const link = { ...liveRecord({ revision: 1 }), marketplace: "de" as const, routed: null };

function countRenders() {
  let renders = 0;
  const render = () => htmlPage(200, "default-src 'none'", `page ${++renders}`);
  return { render, count: () => renders };
}

it("renders the page of a link once", () => {
  const pages = new RenderedPages();
  const { render, count } = countRenders();
  const first = pages.get("abc2345 card", { link, version: "1" }, render);
  expect(pages.get("abc2345 card", { link, version: "1" }, render)).toBe(first);
  expect(count()).toBe(1);
});

it("renders it again for another version, or when the link was read again", () => {
  const pages = new RenderedPages();
  const { render } = countRenders();
  const bodies = [
    { link, version: "1" },
    { link, version: "2" },
    { link: { ...link }, version: "2" },
  ].map((state) => pages.get("abc2345 card", state, render).body);
  expect(bodies).toEqual(["page 1", "page 2", "page 3"]);
});

it("keeps pages up to a size, the most recently used", () => {
  const pages = new RenderedPages();
  const { render, count } = countRenders();
  const renderLarge = () => ({ ...render(), body: "x".repeat(6_000) });
  for (let number = 0; number < 1_000; number++) pages.get(`code${number}`, { link, version: "" }, renderLarge);
  pages.get("code999", { link, version: "" }, render);
  expect(count()).toBe(1_000);
  pages.get("code0", { link, version: "" }, render);
  expect(count()).toBe(1_001);
});
