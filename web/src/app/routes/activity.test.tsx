import { listActivity } from "@tapthru/proto/activity";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { click, link, textsOf } from "../../testing/controls.ts";
import { exampleOf, like } from "../../testing/examples.ts";
import { shortLink } from "../../testing/links-server.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { serve } from "../../testing/serve.ts";

const row = like(exampleOf(listActivity).activity[0], {
  actor: "user",
  actorName: null,
  actorUsername: null,
  object: "lampcod",
  after: { nickname: "Lamp" },
});
const items = async () => within(await screen.findByRole("list", { name: "Activity" })).getAllByRole("listitem");

test("the page says what was changed, by whom, from what to what", async () => {
  const rows = [
    row(),
    row({ actor: "key", actorName: "Script", action: "link.deleted", after: null }),
    row({ actor: "mcp", actorName: "Chat", action: "key.created", object: "New", before: null }),
    row({ actor: "operator", before: { taken_down_at: null }, after: { taken_down_at: "spam" } }),
    row({ actor: "job", actorName: "move-links-of-removed-domains", action: "link.changed", object: "lamp" }),
    row({ action: "two-factor.changed", object: "", before: { rates: { EUR: 2 } }, after: { rates: {} } }),
    row({
      action: "routing.changed",
      object: "",
      actorUsername: "ben",
      before: { is_on: true },
      after: { is_on: false },
    }),
  ];
  serve("GET /api/activity", () => ({ activity: rows.map((each, id) => ({ ...each, id })), nextBefore: null }));
  await openAsUser("/account/activity");
  expect(textsOf(await items())).toEqual([
    expect.stringMatching(/^Link changedlampcodYouNov 20, 2026.*Nickname: nothing → Lamp$/),
    expect.stringMatching(/^Link deletedlampcodAPI key ScriptNov/),
    expect.stringMatching(/^API key createdNewAssistant with the API key Chat.*Nickname: Lamp$/),
    expect.stringMatching(/An operator of this site.*Taken down: nothing → spam$/),
    expect.stringMatching(/^Link changedlampThis site: move-links-of-removed-domainsNov/),
    expect.stringMatching(/^Two-factor login changedYou.*Rates: EUR: 2 → nothing$/),
    expect.stringMatching(/^Visitors' stores changedben.*On: yes → no$/),
  ]);
  expect(screen.getAllByRole("link", { name: "lampcod" })[0]?.getAttribute("href")).toBe("/link/lampcod");
});

test("another product for all links is undone there", async () => {
  const change = { before: { product: "B0ZZ1Y2X3W" }, after: { product: "B0ZZ1Y2X3V" } };
  const activity = [row({ ...change, action: "links.changed", object: "amazon.de" }), row({ id: 2 })];
  serve("GET /api/activity", () => ({ activity, nextBefore: null }));
  const sent = serve("PATCH /api/links/bulk", () => ({ results: [], changedAt: "2026-11-29T10:00:00.000Z" }));
  await openAsUser("/account/activity");
  await click("Undo");
  const product = { marketplace: "de", from: "B0ZZ1Y2X3V", to: "B0ZZ1Y2X3W", undoOf: row().at };
  await waitFor(() => expect(sent).toEqual([{ product }]));
});

test.each([
  [
    "after it was undone",
    [
      ["B0ZZ1Y2X3V", "B0ZZ1Y2X3W", "amazon.de"],
      ["B0ZZ1Y2X3W", "B0ZZ1Y2X3V", "amazon.de"],
    ],
    ["B0ZZ1Y2X3V"],
  ],
  [
    "after its links got a third product",
    [
      ["B0ZZ1Y2X3V", "B0ZZ1Y2X3U", "amazon.de"],
      ["B0ZZ1Y2X3W", "B0ZZ1Y2X3V", "amazon.de"],
    ],
    ["B0ZZ1Y2X3V"],
  ],
  [
    "but after a change of another store or product it is",
    [
      ["B0ZZ1Y2X3V", "B0ZZ1Y2X3U", "amazon.fr"],
      ["B0ZZ1Y2X3T", "B0ZZ1Y2X3U", "amazon.de"],
      ["B0ZZ1Y2X3W", "B0ZZ1Y2X3V", "amazon.de"],
    ],
    ["B0ZZ1Y2X3V", "B0ZZ1Y2X3T", "B0ZZ1Y2X3W"],
  ],
])("another product for all links is not offered to be undone again: %s", async (_case, changes, undone) => {
  const activity = changes.map(([from, to, object], at) =>
    row({
      id: 9 - at,
      action: "links.changed",
      object: String(object),
      before: { product: from },
      after: { product: to },
    }),
  );
  serve("GET /api/activity", () => ({ activity, nextBefore: null }));
  await openAsUser("/account/activity");
  const rows = await items();
  const offered = rows.filter((each) => within(each).queryByRole("button", { name: "Undo" }));
  expect(textsOf(offered).map((text) => /Product: (\w+)/.exec(text ?? "")?.[1])).toEqual(undone);
});

test("a link's page leads to its changes, which are searched, and older ones are shown on request", async () => {
  serve("GET /api/links/lampcod", () => shortLink({ shortCode: "lampcod" }));
  const rows = Array.from({ length: 9 }, (_, at) => row({ id: 9 - at }));
  const requested = serve("GET /api/activity", ({ query }) => {
    const older = rows.filter(({ id }) => id < Number(query.get("before") ?? 10));
    return { activity: older.slice(0, 7), nextBefore: older[7] ? (older[6]?.id ?? null) : null };
  });
  await openAsUser("/link/lampcod/settings");
  await userEvent.click(await link("What was changed of this link"));
  expect(await items()).toHaveLength(7);
  expect(requested).toEqual(["?q=lampcod"]);
  await click("Show more");
  await waitFor(async () => expect(await items()).toHaveLength(9));
  expect(document.activeElement).not.toBe(document.body);
});
