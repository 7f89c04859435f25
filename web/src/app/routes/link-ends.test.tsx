import type { Link } from "@tapthru/proto/links";
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { mainChannel, serveChannels } from "../../testing/channels-server.ts";
import { click, fill } from "../../testing/controls.ts";
import { shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { serve } from "../../testing/serve.ts";
import { server } from "../../testing/server.ts";

const FALLBACK = "https://www.amazon.de/s?k=lamp";
const UNTAGGED = "https://tapthru.example/l/abcdefg-print";

let link: Link;
/** The changes that the api received. */
let sent: unknown[];

beforeEach(() => {
  link = shortLink({ shortCode: "abcdefg" });
  server.use(serveChannels(mainChannel({ fallbackUrl: "https://www.amazon.de/" })));
  serve("GET /api/links/abcdefg", () => link);
  sent = serve<Partial<Link>>("PATCH /api/links/abcdefg", ({ body }) => {
    link = { ...link, ...body };
    return link;
  });
});

test("the page in place of an ended link is that of the channel, until the link has its own of an Amazon store", async () => {
  await renderPages("/link/abcdefg/settings");
  await screen.findByRole("link", { name: "https://www.amazon.de/" });
  await click("Edit what opens when the link ends");
  await fill("Amazon page in place of the link", "https://amzn.to/abc1234{Enter}");
  await screen.findByText(/^Please paste the long address of the page/);
  await fill("Amazon page in place of the link", `${FALLBACK}{Enter}`);
  await screen.findByRole("link", { name: FALLBACK });
  expect(sent).toEqual([{ fallbackUrl: FALLBACK }]);
});

test("an expired link says what visitors get", async () => {
  link = { ...link, expiresAt: "2026-01-01T00:00:00.000Z" };
  link.health.fallbackUrl = FALLBACK;
  await renderPages("/link/abcdefg");
  await screen.findByText(`This link has expired. Visitors get this page instead: ${FALLBACK}`);
});

test("the QR code and the copy for emails are of one link without tag, made when it is first wanted", async () => {
  const untagged = serve("PUT /api/links/abcdefg/untagged", () => {
    link = { ...link, untaggedUrl: UNTAGGED };
    return link;
  });
  await renderPages("/link/abcdefg");
  await click("Show QR code");
  const dialog = within(await screen.findByRole("dialog"));
  dialog.getByText(/^Amazon's rules refuse affiliate tags offline/);
  dialog.getByText(link.shortUrl);
  expect(untagged).toEqual([]);
  await userEvent.click(dialog.getByRole("radio", { name: "Link without tag" }));
  await dialog.findByText(UNTAGGED);
  await userEvent.click(dialog.getByRole("radio", { name: "Link with your tag" }));
  dialog.getByText(link.shortUrl);
  await userEvent.keyboard("{Escape}");
  await click("Copy for email");
  await screen.findByText(/^Copied the link without tag/);
  expect(await navigator.clipboard.readText()).toBe(UNTAGGED);
  expect(untagged).toHaveLength(1);
});
