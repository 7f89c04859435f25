import type { LinkPattern } from "@tapthru/proto/patterns";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { mainChannel, serveChannels } from "../../testing/channels-server.ts";
import { answer, button, click, question, section } from "../../testing/controls.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { linkPattern } from "../../testing/patterns.ts";
import { serve } from "../../testing/serve.ts";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

let pattern: LinkPattern;

beforeEach(() => {
  pattern = linkPattern();
  serve("GET /api/patterns", () => [pattern]);
  serve<Partial<LinkPattern>>("PATCH /api/patterns/:id", ({ body }) => {
    pattern = linkPattern(body);
    return pattern;
  });
});

const open = () => openAsUser("/account/developers");

test("the address of a link pattern can be copied", async () => {
  await open();
  const item = await (await section("Link patterns")).findByRole("listitem");
  expect(item.textContent).toMatch(/^Camping blogCreated Nov 20, 2026.*https:.*&url=/);
  await click("Copy the address of Camping blog");
  expect(await navigator.clipboard.readText()).toBe(pattern.prefix);
});

test("the script for a site can be copied, and previewed", async () => {
  await open();
  await click("Copy the script of Camping blog");
  expect(await navigator.clipboard.readText()).toBe(
    `<script async src="https://tapthru.example/site.js" data-pattern="${pattern.id}"></script>`,
  );
  const preview = screen.getByRole("link", { name: "See which links it changes" });
  expect(preview.getAttribute("href")).toBe("/site-preview.html");
});

test("a link pattern is restricted to tags", async () => {
  await open();
  const tags = await button("Tags of Camping blog");
  await userEvent.click(tags);
  const field = screen.getByLabelText("Allowed tags");
  await userEvent.type(field, "anna-21, an!na{Enter}");
  expect(
    await screen.findByText("A tag has only letters, digits, hyphens and underscores, at most 64 in total"),
  ).toBeTruthy();
  await userEvent.clear(field);
  await userEvent.type(field, " anna-21,anna-20 {Enter}");
  expect(await findToast("The tags of the link pattern were changed.")).toBeTruthy();
  expect(await screen.findByText("Only with the tag anna-21 or anna-20")).toBeTruthy();
  expect(document.activeElement).toBe(tags);
});

test("a link pattern gets a channel, whose tag its links use", async () => {
  server.use(serveChannels(mainChannel(), mainChannel({ id: 2, name: "Blog", isDefault: false })));
  await open();
  expect(await screen.findByText("Channel: Main")).toBeTruthy();
  await click("Channel of Camping blog");
  await userEvent.selectOptions(screen.getByRole("combobox", { name: "Channel of new links" }), "Blog");
  await userEvent.click(screen.getByRole("checkbox", { name: /^Use the channel's tag/ }));
  await click("Save");
  expect(await findToast("The channel of the link pattern was changed.")).toBeTruthy();
  expect(pattern).toEqual(linkPattern({ channelId: 2, usesChannelTag: true }));
  await screen.findByText("Channel: Blog. Links without a tag get the channel's tag.");
});

test("a link pattern shows its use, and its links are deleted after a question", async () => {
  serve("DELETE /api/patterns/:id/links", () => {
    pattern = linkPattern({ linkCount: 0, linkCountOfDay: 0 });
    return { deletedCount: 1_234 };
  });
  await open();
  const usage = (links: string, ofDay: number) => `Links: ${links} of 10,000, within 24 hours ${ofDay} of 1,000`;
  expect(await screen.findByText(usage("1,234", 1))).toBeTruthy();
  await click("Delete links of Camping blog");
  expect(question().getByText("Delete the links of Camping blog?")).toBeTruthy();
  await answer("Delete links");
  expect(await findToast("1,234 links were deleted.")).toBeTruthy();
  expect(await screen.findByText(usage("0", 0))).toBeTruthy();
});
