import type { Link, LinkHealth } from "@tapthru/proto/links";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { section } from "../../testing/controls.ts";
import { advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { serve } from "../../testing/serve.ts";

const CHECKED = "2026-11-20T08:00:00.000Z";
const GONE: LinkHealth = {
  state: "product-gone",
  since: CHECKED,
  checkedAt: CHECKED,
  source: "page",
  attemptedAt: CHECKED,
  fallbackUrl: null,
};

let user: ReturnType<typeof userEvent.setup>;
let link: Link;
beforeEach(() => {
  user = userEvent.setup();
  link = shortLink({ shortCode: "abcdefg", health: GONE });
  serve("GET /api/links/abcdefg", () => link);
});

async function openCard(tab = "") {
  await renderPages(`/link/abcdefg${tab}`);
  return section("Health");
}

/** @param health what the link has after the check */
function serveCheck(health: Partial<LinkHealth>) {
  serve("POST /api/links/abcdefg/check", () => {
    link = { ...link, health: { ...link.health, ...health } };
    return { isQueued: true };
  });
}

describe("the health of a link", () => {
  test("says what is wrong, since when, and what to do", async () => {
    const card = await openCard();
    expect(card.getByText(/^Amazon no longer has this product\./)).toBeTruthy();
    expect(card.getByText(/^Change the destination to another product\./)).toBeTruthy();
    expect(card.getByText(/^Since Nov 20, 2026.*Amazon last responded Nov 20, 2026/)).toBeTruthy();
    expect(screen.getByText("Product gone")).toBeTruthy();
  });

  test("does not repeat the warning about a missing tag", async () => {
    const webUrl = "https://www.amazon.com/dp/B0CX23V2ZK";
    link = { ...link, webUrl, health: { ...GONE, state: "tag-missing" } };
    const card = await openCard("/settings");
    expect(card.getByText(/^Add your tag, or change the destination/)).toBeTruthy();
    expect(screen.getAllByText(/^This link has no tag, so you earn nothing/)).toHaveLength(1);
  });

  test.each([{ takenDown: true }, { invalid: true, webUrl: "", deepLink: "" }])(
    "is not shown of a link that cannot be opened: %j",
    async (changes) => {
      link = { ...link, ...changes };
      await renderPages("/link/abcdefg");
      await screen.findByRole("button", { name: "Delete" });
      expect(screen.queryByRole("heading", { name: "Health" })).toBeNull();
      expect(screen.queryByText("Product gone")).toBeNull();
    },
  );
});

describe("'Check now'", () => {
  const LATER = "2026-11-22T08:00:00.000Z";

  test.each([
    ["on the overview, that nothing is wrong any more", "", "product-gone", "ok", /^Everything works/],
    ["on the settings, that something is wrong", "/settings", "ok", "product-gone", /^Amazon no longer/],
  ] as const)("shows the new state: %s", async (_case, tab, before, after, text) => {
    link.health = { ...GONE, state: before };
    const card = await openCard(tab);
    serveCheck({ state: after, checkedAt: LATER, attemptedAt: LATER });
    await user.click(card.getByRole("button", { name: "Check now" }));
    expect(await card.findByText("Checked just now.")).toBeTruthy();
    expect(card.getByText(text)).toBeTruthy();
    expect(card.getByRole("button", { name: "Check now" })).toBeTruthy();
  });

  test("says that Amazon did not respond", async () => {
    const card = await openCard();
    serveCheck({ attemptedAt: LATER });
    await user.click(card.getByRole("button", { name: "Check now" }));
    const note = "Amazon did not respond. We try again later.";
    expect(await card.findByText(note)).toBeTruthy();
  });

  test("ends although the link cannot be loaded", async () => {
    const card = await openCard();
    serveCheck({});
    const clock = useFakeClock();
    await clock.click(card.getByRole("button", { name: "Check now" }));
    serve("GET /api/links/abcdefg", () => HttpResponse.error());
    await advanceUntil(() => card.queryByText(/^The check takes longer/) !== null);
    expect(card.getByRole("button", { name: "Check now" })).toHaveProperty("disabled", false);
  });
});

test("the list shows what is wrong with a link", async () => {
  const states = ["product-gone", "redirected-elsewhere", "tag-malformed", "out-of-stock"] as const;
  serveLinks(states.map((state, n) => shortLink({ id: 9 - n, health: { ...GONE, state } })));
  await renderPages("/dashboard");
  for (const badge of ["Product gone", "Redirected", "Check the tag", "Out of stock"]) {
    expect(await screen.findByText(badge)).toBeTruthy();
  }
});
