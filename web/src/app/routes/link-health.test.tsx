import type { Link, LinkHealth } from "@tapthru/proto/links";
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { advanceUntil, useFakeClock } from "../../testing/fake-timers.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";
import { toast } from "../../testing/toast.ts";

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
  server.use(http.get("/api/links/abcdefg", () => HttpResponse.json(link)));
});

async function openCard(tab = "") {
  await renderPages(`/link/abcdefg${tab}`);
  const heading = await screen.findByRole("heading", { name: "Health" });
  return within(heading.closest("section") as HTMLElement);
}

/** @param health what the link has after the check */
function serveCheck(isQueued: boolean, health: Partial<LinkHealth>) {
  server.use(
    http.post("/api/links/abcdefg/check", () => {
      link = { ...link, health: { ...link.health, ...health } };
      return HttpResponse.json({ isQueued }, { status: 202 });
    }),
  );
}

describe("the health of a link", () => {
  test("says what is wrong, since when, and what to do", async () => {
    const card = await openCard();
    expect(card.getByText(/^Amazon no longer has this product\./)).toBeTruthy();
    expect(card.getByText(/^Change the destination above to another product\./)).toBeTruthy();
    expect(card.getByText(/^Since Nov 20, 2026.*Amazon last responded Nov 20, 2026/)).toBeTruthy();
    expect(screen.getByText("Product gone")).toBeTruthy();
  });

  test("does not repeat the warning about a missing tag", async () => {
    const webUrl = "https://www.amazon.com/dp/B0CX23V2ZK";
    link = { ...link, webUrl, health: { ...GONE, state: "tag-missing" } };
    const card = await openCard("/settings");
    expect(card.getByText(/^Add your tag above, or change the destination/)).toBeTruthy();
    expect(screen.getAllByText(/^This link has no tag, so you earn nothing/)).toHaveLength(1);
  });

  test("says when Amazon did not respond", async () => {
    link.health = { ...GONE, state: "ok", attemptedAt: "2026-11-21T08:00:00.000Z" };
    const card = await openCard("/settings");
    expect(card.getByText(/^Everything works/)).toBeTruthy();
    expect(card.getByText(/Our last try was Nov 21, 2026.*; Amazon did not respond\./)).toBeTruthy();
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
  ] as const)(
    "shows the new state: %s",
    async (_case, tab, before, after, text) => {
      link.health = { ...GONE, state: before };
      const card = await openCard(tab);
      serveCheck(true, { state: after, checkedAt: LATER, attemptedAt: LATER });
      await user.click(card.getByRole("button", { name: "Check now" }));
      expect(await card.findByText("Checked just now.", {}, { timeout: 20_000 })).toBeTruthy();
      expect(card.getByText(text)).toBeTruthy();
      expect(card.getByRole("button", { name: "Check now" })).toBeTruthy();
    },
    30_000,
  );

  test("says that Amazon did not respond", async () => {
    const card = await openCard();
    serveCheck(true, { attemptedAt: LATER });
    await user.click(card.getByRole("button", { name: "Check now" }));
    const note = "Amazon did not respond. We try again later.";
    expect(await card.findByText(note, {}, { timeout: 20_000 })).toBeTruthy();
  }, 30_000);

  test("says that the product was checked just before", async () => {
    const card = await openCard();
    serveCheck(false, {});
    await user.click(card.getByRole("button", { name: "Check now" }));
    expect(await card.findByText("This product was checked less than a minute ago.")).toBeTruthy();
  });

  test("ends although the link cannot be loaded", async () => {
    const card = await openCard();
    serveCheck(true, {});
    const clock = useFakeClock();
    await clock.click(card.getByRole("button", { name: "Check now" }));
    server.use(http.get("/api/links/abcdefg", () => HttpResponse.error()));
    await advanceUntil(() => card.queryByText(/^The check takes longer/) !== null);
    expect(card.getByRole("button", { name: "Check now" })).toHaveProperty("disabled", false);
  });

  test("shows an error if the request fails", async () => {
    const card = await openCard();
    server.use(http.post("/api/links/abcdefg/check", () => new HttpResponse(null, { status: 429 })));
    await user.click(card.getByRole("button", { name: "Check now" }));
    await expect.poll(toast).toContain("Failed to check the link. Please try again.");
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
