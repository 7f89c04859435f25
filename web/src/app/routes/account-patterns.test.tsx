import type { LinkPattern } from "@tapthru/proto/patterns";
import { messages } from "@tapthru/proto/rules/messages";
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { serveAccounts } from "../../testing/accounts-server.ts";
import { mainChannel, serveChannels } from "../../testing/channels-server.ts";
import { fakeIdentityProvider, identityFor } from "../../testing/fake-identity-provider.ts";
import { renderApp } from "../../testing/render-app.tsx";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";
// Imported here, so that it does not take time of the first test.
import "./account.tsx";

const EMAIL = "anna@example.com";

const pattern = (changes: Partial<LinkPattern> = {}): LinkPattern => ({
  id: "m3k8pqr2stuv",
  name: "Camping blog",
  prefix: "https://tapthru.example/go?p=m3k8pqr2stuv&url=",
  tags: [],
  channelId: null,
  usesChannelTag: false,
  linkCount: 1_234,
  linkCountOfDay: 1,
  createdAt: "2026-11-20T12:00:00.000Z",
  ...changes,
});

let user: ReturnType<typeof userEvent.setup>;
let patterns: LinkPattern[];

beforeEach(() => {
  user = userEvent.setup();
  serveAccounts(EMAIL);
  patterns = [];
  server.use(
    http.get("/api/sessions", () => HttpResponse.json([])),
    http.get("/api/patterns", () => HttpResponse.json(patterns)),
    http.post("/api/patterns", async ({ request }) => {
      const created = pattern((await request.json()) as { name: string });
      patterns = [created, ...patterns];
      return HttpResponse.json(created, { status: 201 });
    }),
    http.patch("/api/patterns/:id", async ({ request }) => {
      const changed = pattern((await request.json()) as { tags: string[] });
      patterns = [changed];
      return HttpResponse.json(changed);
    }),
    http.delete("/api/patterns/:id/links", () => {
      patterns = [pattern({ linkCount: 0, linkCountOfDay: 0 })];
      return HttpResponse.json({ deletedCount: 1_234 });
    }),
    http.delete("/api/patterns/:id", ({ params }) => {
      patterns = patterns.filter(({ id }) => id !== params.id);
      return HttpResponse.json({ id: params.id });
    }),
  );
});

const open = () => renderApp("/account/developers", { identity: fakeIdentityProvider(identityFor(EMAIL)) });

async function section() {
  const heading = await screen.findByRole("heading", { name: "Link patterns" });
  return within(heading.closest("section") as HTMLElement);
}
const button = async (name: string) => (await section()).findByRole("button", { name });

async function create(name: string) {
  await open();
  await user.click(await button("New link pattern"));
  await user.type(screen.getByLabelText("Name of the pattern"), name);
  await user.click(await button("Create link pattern"));
}

test("a link pattern is created, and its address can be copied", async () => {
  await create(" Camping blog ");
  expect(await findToast("The link pattern was created. Copy its address from the list.")).toBeTruthy();
  expect(document.activeElement?.textContent).toBe("New link pattern");
  const item = await (await section()).findByRole("listitem");
  expect(item.textContent).toMatch(/^Camping blogCreated Nov 20, 2026.*https:.*&url=/);
  await user.click(await button("Copy the address of Camping blog"));
  expect(await navigator.clipboard.readText()).toBe(pattern().prefix);
});

test("a link pattern is revoked after confirmation", async () => {
  patterns = [pattern()];
  await open();
  await user.click(await button("Revoke Camping blog"));
  const dialog = within(screen.getByRole("alertdialog"));
  expect(
    dialog.getByText(
      "Links on your site that begin with this address stop working. The short links that it created stay.",
    ),
  ).toBeTruthy();
  await user.click(dialog.getByRole("button", { name: "Revoke" }));
  expect(await findToast("The link pattern was revoked.")).toBeTruthy();
  expect(await (await section()).findByText("You have no link patterns.")).toBeTruthy();
  expect(patterns).toEqual([]);
});

test("a link pattern is restricted to tags", async () => {
  patterns = [pattern()];
  await open();
  const tags = await button("Tags of Camping blog");
  await user.click(tags);
  const field = screen.getByLabelText("Allowed tags");
  await user.type(field, "anna-21, an!na{Enter}");
  expect(await screen.findByText(messages.tagMalformed)).toBeTruthy();
  await user.clear(field);
  await user.type(field, " anna-21,anna-20 {Enter}");
  expect(await findToast("The tags of the link pattern were changed.")).toBeTruthy();
  expect(await (await section()).findByText("Only with the tag anna-21 or anna-20")).toBeTruthy();
  expect(document.activeElement).toBe(tags);
});

test("a link pattern gets a channel, whose tag its links use", async () => {
  const blog = { id: 2, name: "Blog", isDefault: false, tags: [], fallbackUrl: null, linkCount: 0 };
  server.use(serveChannels(mainChannel(), blog));
  patterns = [pattern()];
  await open();
  expect(await (await section()).findByText("Channel: Main")).toBeTruthy();
  await user.click(await button("Channel of Camping blog"));
  const select = screen.getByRole("combobox", { name: "Channel of new links" });
  expect(document.activeElement).toBe(select);
  await user.selectOptions(select, "Blog");
  await user.click(screen.getByRole("checkbox", { name: /^Use the channel's tag/ }));
  await user.click(await button("Save"));
  expect(await findToast("The channel of the link pattern was changed.")).toBeTruthy();
  expect(patterns).toEqual([pattern({ channelId: 2, usesChannelTag: true })]);
  await (await section()).findByText("Channel: Blog. Links without a tag get the channel's tag.");
});

test("a link pattern shows its use, and its links are deleted after confirmation", async () => {
  patterns = [pattern()];
  await open();
  const usage = (links: string, ofDay: number) => `Links: ${links} of 10,000, within 24 hours ${ofDay} of 1,000`;
  expect(await (await section()).findByText(usage("1,234", 1))).toBeTruthy();
  await user.click(await button("Delete links of Camping blog"));
  const dialog = within(screen.getByRole("alertdialog", { name: "Delete the links of Camping blog?" }));
  await user.click(dialog.getByRole("button", { name: "Delete links" }));
  expect(await findToast("1,234 links were deleted.")).toBeTruthy();
  expect(await (await section()).findByText(usage("0", 0))).toBeTruthy();
});
