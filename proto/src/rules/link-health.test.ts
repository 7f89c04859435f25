import { describe, expect, it } from "vitest";
import type { TagHealth } from "./amazon/tag-health.ts";
import { linkState, type PageState } from "./link-health.ts";

const SOUND: TagHealth = { kind: "sound", tag: "me-20" };
const UNUSUAL: TagHealth = { kind: "unusual", tag: "me" };

describe("the state of a link", () => {
  it.each<[TagHealth, PageState, string]>([
    [SOUND, "unknown", "unknown"],
    [SOUND, "out-of-stock", "out-of-stock"],
    [SOUND, "redirected-elsewhere", "redirected-elsewhere"],
    [{ kind: "none" }, "unknown", "tag-missing"],
    [{ kind: "none" }, "out-of-stock", "tag-missing"],
    [{ kind: "none" }, "product-gone", "product-gone"],
    [{ kind: "several", tags: ["me-20", "you-20"] }, "ok", "tag-malformed"],
    [UNUSUAL, "ok", "tag-malformed"],
    [{ kind: "misplaced", tag: "me-20" }, "ok", "tag-malformed"],
    [{ kind: "placeholder", tag: "yourtag-20" }, "ok", "tag-malformed"],
    [{ kind: "attribution", tag: "maas" }, "ok", "ok"],
    [{ kind: "foreign", tag: "me-21", suffix: "-20" }, "ok", "ok"],
    [{ kind: "onelink", tag: "me-20", isServed: false }, "ok", "ok"],
  ])("a link with the tag %j on a page that is %s is %s", (tag, page, state) => {
    expect(linkState(tag, page)).toBe(state);
  });

  it("does not call a tag malformed that the owner saved", () => {
    expect(linkState(UNUSUAL, "ok", true)).toBe("ok");
  });
});
