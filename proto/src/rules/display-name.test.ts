import { describe, expect, it } from "vitest";
import { displayName } from "./display-name.ts";

const HOST = "tapthru.example";
const link = { nickname: null, title: null, originalUrl: "https://www.amazon.de/s?k=lamp" };

function named(changes: Partial<Parameters<typeof displayName>[0]>): string {
  return displayName({ ...link, ...changes }, HOST);
}

describe("displayName", () => {
  it("prefers the nickname", () => {
    expect(named({ nickname: "My lamp", title: "A lamp" })).toBe("My lamp");
  });

  it("uses the title where the nickname is missing or empty", () => {
    expect(named({ title: "A lamp" })).toBe("A lamp");
    expect(named({ nickname: "", title: "A lamp" })).toBe("A lamp");
  });

  it.each([
    ["x".repeat(40), ".", "more", "x".repeat(40)],
    ["x".repeat(40), "-", "more. And more", "x".repeat(40)],
    ["x".repeat(39), "-", "more", `${"x".repeat(39)}-more`],
    ["x".repeat(10), ".", `${"y".repeat(50)}. z`, `${"x".repeat(10)}.${"y".repeat(50)}. z`],
  ])("cuts the title %s%s%s to %s", (start, mark, rest, name) => {
    expect(named({ title: start + mark + rest })).toBe(name);
  });

  it("ignores a title that is only our host", () => {
    expect(named({ title: HOST })).toBe("Amazon Product");
    expect(named({ title: `${HOST}!` })).toBe(`${HOST}!`);
  });

  it.each([
    ["https://www.amazon.de/Lampe/dp/B0ZZ1Y2X3W/ref=x?tag=me-21", "Amazon Product: B0ZZ1Y2X3W"],
    ["https://www.amazon.de/gp/product/155404295X", "Amazon Product: 155404295X"],
    ["https://www.amazon.de/gp/aw/d/B0ZZ1Y2X3W", "Amazon Product"],
    ["https://www.amazon.de/s?url=/dp/B0ZZ1Y2X3W", "Amazon Product"],
  ])("names %s by its product id, else 'Amazon Product'", (originalUrl, name) => {
    expect(named({ originalUrl })).toBe(name);
  });
});
