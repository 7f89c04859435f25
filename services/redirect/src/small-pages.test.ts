import { Window } from "happy-dom";
import { describe, expect, it } from "vitest";
import { contentSecurityPolicy } from "./html.ts";
import { createSmallPages, SMALL_PAGE_POLICY } from "./small-pages.ts";

const pages = createSmallPages({
  productName: `Tap & <thru> "x"`,
  homeUrl: "https://go.example/",
});

describe("createSmallPages", () => {
  it.each(Object.entries(pages))("shows a way home on the page for %s", (_, html) => {
    const { document } = new Window();
    document.write(html);
    expect(document.querySelector("a")?.getAttribute("href")).toBe("https://go.example/");
    expect(document.querySelector("a")?.textContent).toBe(`Go to Tap & <thru> "x"`);
    expect(document.querySelector("h1")?.textContent).not.toBe("");
    expect(SMALL_PAGE_POLICY).toBe(
      contentSecurityPolicy({ style: document.querySelector("style")?.textContent ?? "" }),
    );
  });
});
