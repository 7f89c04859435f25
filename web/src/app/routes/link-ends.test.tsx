import type { Link } from "@tapthru/proto/links";
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { mainChannel, serveChannels } from "../../testing/channels-server.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";

const FALLBACK = "https://www.amazon.de/s?k=lamp";
const UNTAGGED = "https://tapthru.example/l/abcdefg-print";

let user: ReturnType<typeof userEvent.setup>;
let link: Link;
/** The changes that the api received. */
let bodies: unknown[];
/** How often the link without tag was requested. */
let untagged: number;

const button = (name: string | RegExp) => screen.findByRole("button", { name });

beforeEach(() => {
  user = userEvent.setup();
  bodies = [];
  untagged = 0;
  link = shortLink({ shortCode: "abcdefg" });
  server.use(
    serveChannels(mainChannel({ fallbackUrl: "https://www.amazon.de/" })),
    http.get("/api/links/abcdefg", () => HttpResponse.json(link)),
    http.patch("/api/links/abcdefg", async ({ request }) => {
      const change = (await request.json()) as Partial<Link>;
      bodies.push(change);
      link = { ...link, ...change };
      return HttpResponse.json(link);
    }),
    http.put("/api/links/abcdefg/untagged", () => {
      untagged++;
      link = { ...link, untaggedUrl: UNTAGGED };
      return HttpResponse.json(link);
    }),
  );
});

test("the page in place of an ended link is that of the channel, until the link has its own of an Amazon store", async () => {
  await renderPages("/link/abcdefg/settings");
  await screen.findByRole("link", { name: "https://www.amazon.de/" });
  await user.click(await button("Edit what opens when the link ends"));
  const field = screen.getByRole("textbox", { name: "Amazon page in place of the link" });
  await user.type(field, "https://amzn.to/abc1234");
  await user.click(await button("Save"));
  await screen.findByText(/^Please paste the long address of the page/);
  await user.clear(field);
  await user.type(field, FALLBACK);
  await user.click(await button("Save"));
  await screen.findByRole("link", { name: FALLBACK });
  expect(bodies).toEqual([{ fallbackUrl: FALLBACK }]);
});

test("an expired link says what visitors get", async () => {
  link = { ...link, expiresAt: "2026-01-01T00:00:00.000Z" };
  link.health.fallbackUrl = FALLBACK;
  await renderPages("/link/abcdefg");
  await screen.findByText(`This link has expired. Visitors get this page instead: ${FALLBACK}`);
});

test("the QR code and the copy for emails are of one link without tag, made when it is first wanted", async () => {
  await renderPages("/link/abcdefg");
  await user.click(await button("Show QR code"));
  const dialog = within(await screen.findByRole("dialog"));
  dialog.getByText(/^Amazon's rules refuse affiliate tags offline/);
  dialog.getByText(link.shortUrl);
  expect(untagged).toBe(0);
  await user.click(dialog.getByRole("radio", { name: "Link without tag" }));
  await dialog.findByText(UNTAGGED);
  await user.click(dialog.getByRole("radio", { name: "Link with your tag" }));
  dialog.getByText(link.shortUrl);
  await user.keyboard("{Escape}");
  await user.click(await button("Copy for email"));
  await screen.findByText(/^Copied the link without tag/);
  expect(await navigator.clipboard.readText()).toBe(UNTAGGED);
  expect(untagged).toBe(1);
});
