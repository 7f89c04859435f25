import { describe, expect, it } from "vitest";
import type { TagHealth } from "./amazon/tag-health.ts";
import type { PageState } from "./link-health.ts";
import { linkState } from "./link-state.ts";

const SOUND: TagHealth = { kind: "sound", tag: "me-20" };
const UNUSUAL: TagHealth = { kind: "unusual", tag: "me" };

describe("the state of a link", () => {
  it.each<[string, TagHealth, PageState, string]>([
    ["a sound tag and a page that works", SOUND, "ok", "ok"],
    ["a sound tag and a page that was not read", SOUND, "unknown", "unknown"],
    ["a product that is out of stock", SOUND, "out-of-stock", "out-of-stock"],
    ["a product that is gone", SOUND, "product-gone", "product-gone"],
    ["a page that leads elsewhere", SOUND, "redirected-elsewhere", "redirected-elsewhere"],
    ["no tag", { kind: "none" }, "ok", "tag-missing"],
    ["no tag, whose page was not read", { kind: "none" }, "unknown", "tag-missing"],
    ["no tag, whose product is out of stock", { kind: "none" }, "out-of-stock", "tag-missing"],
    ["no tag, whose product is gone", { kind: "none" }, "product-gone", "product-gone"],
    ["several tags", { kind: "several", tags: ["me-20", "you-20"] }, "ok", "tag-malformed"],
    ["a tag without the usual suffix", UNUSUAL, "ok", "tag-malformed"],
    ["a tag of Amazon Attribution", { kind: "attribution", tag: "maas" }, "ok", "ok"],
    ["a tag of another store", { kind: "foreign", tag: "me-21", suffix: "-20" }, "ok", "ok"],
    ["a tag that OneLink may serve", { kind: "onelink", tag: "me-20", isServed: false }, "ok", "ok"],
  ])("with %s", (_, tag, page, state) => {
    expect(linkState(tag, page)).toBe(state);
  });

  it("is not malformed with a tag that the owner saved", () => {
    expect(linkState(UNUSUAL, "ok", true)).toBe("ok");
  });
});
