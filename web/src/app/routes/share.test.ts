import { expect, test } from "vitest";
import { sharedText } from "./share.tsx";

const search = (params: Record<string, string>) => `?${new URLSearchParams(params)}`;

test.each([
  ["in the text of Amazon's app", { text: "A lamp https://amzn.eu/d/0aB1cD2" }],
  ["as an address", { url: "https://amzn.eu/d/0aB1cD2" }],
  ["in the title", { title: "A lamp - https://amzn.eu/d/0aB1cD2", text: "" }],
  ["beside another address", { url: "https://example.com/", text: "https://amzn.eu/d/0aB1cD2" }],
])("finds an Amazon link %s", (_case, params) => {
  expect(sharedText(search(params))).toBe("https://amzn.eu/d/0aB1cD2");
});

test("returns the whole text if it contains no Amazon link", () => {
  expect(sharedText(search({ title: "A page", url: " https://example.com/ " }))).toBe("https://example.com/ A page");
});

test.each(["", "?", "?url=", "?text=%20&title=", "?other=https://www.amazon.com/dp/B0TESTLAMP"])(
  "returns an empty text for %o",
  (params) => {
    expect(sharedText(params)).toBe("");
  },
);
