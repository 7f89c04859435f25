import { describe, expect, it } from "vitest";
import { setTag } from "./set-tag.ts";

const PAGE = "https://www.amazon.de/dp/B0ZZ1Y2X3W";

describe("setTag", () => {
  it.each([
    [PAGE, `${PAGE}?tag=new-21`],
    [`${PAGE}?`, `${PAGE}?tag=new-21`],
    [`${PAGE}?th=1#reviews`, `${PAGE}?th=1&tag=new-21#reviews`],
    [`${PAGE}?tag=old-21&th=1`, `${PAGE}?tag=new-21&th=1`],
    [`${PAGE}?a=1&tag=old-21&tag=two-21&b=2`, `${PAGE}?a=1&tag=new-21&b=2`],
    [`${PAGE}?%74ag=old-21`, `${PAGE}?tag=new-21`],
    [`${PAGE}?tag=`, `${PAGE}?tag=new-21`],
    [`${PAGE}?ascsubtag=old-21`, `${PAGE}?ascsubtag=old-21&tag=new-21`],
    ["https://www.amazon.de/exec/obidos/ASIN/B0ZZ1Y2X3W/old-21", `${PAGE}?tag=new-21`],
  ])("%s becomes %s", (url, expected) => {
    expect(setTag(url, "new-21")).toBe(expected);
  });

  it("gives a sponsored link's page the tag", () => {
    const sponsored = `https://www.amazon.de/sspa/click?url=${encodeURIComponent("/dp/B0ZZ1Y2X3W?tag=old-21")}`;
    expect(setTag(sponsored, "new-21")).toBe(`${PAGE}?tag=new-21`);
  });

  it.each(["https://amzn.to/3abc", "https://example.com/", "", `${PAGE}?x=${"x".repeat(4_080)}`])(
    "does not change %.40s",
    (url) => {
      expect(setTag(url, "new-21")).toBeNull();
    },
  );
});
