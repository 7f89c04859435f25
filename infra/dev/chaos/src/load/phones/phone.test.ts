import { expect, it } from "vitest";
import { type OpenedPage, outcomeOn, type Phone, readPage } from "./phone.ts";

const PROOF = "p".repeat(43);
const PAGE: OpenedPage = {
  reportPath: "/l/abc2345/outcome",
  strategy: "2026-11-22/browser-ios",
  proof: PROOF,
  isAutomatic: true,
};
const PHONE: Phone = { row: "browser-ios", userAgent: "iPhone", opensByItself: true };

it("reads what the page's script uses", () => {
  const html = (more: string) => `<!doctype html>
<body data-row="2026-11-22/browser-ios" data-report="/l/abc2345/outcome" data-proof="${PROOF}" data-hidden="opened"${more}>
<main>…</main>`;
  expect(readPage(html(' data-automatic=""'))).toEqual(PAGE);
  expect(readPage(html("")).isAutomatic).toBe(false);
  expect(() => readPage("<body><h1>Not found</h1>")).toThrow("data-report");
});

it("reports what the app did, after the page's own attempt or after a tap", () => {
  const hasApp = () => 0.5;
  const hasNone = () => 0.95;
  const broken = { ...PHONE, opensByItself: false };
  const tapPage = { ...PAGE, isAutomatic: false };
  expect(outcomeOn(PHONE, PAGE, hasApp)).toEqual({
    row: "2026-11-22/browser-ios",
    proof: PROOF,
    outcome: "opened",
  });
  expect(outcomeOn(PHONE, PAGE, hasNone).outcome).toBe("stayed");
  expect(outcomeOn(broken, PAGE, hasApp).outcome).toBe("stayed");
  expect(outcomeOn(broken, tapPage, hasApp).outcome).toBe("opened");
});
