import type { Activity } from "@tapthru/proto/activity";
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { shortLink } from "../../testing/links-server.ts";
import { openAsUser } from "../../testing/open-as-user.ts";
import { serve } from "../../testing/serve.ts";

let rows: Activity[];
let requested: URLSearchParams[];

function row(changes: Partial<Activity> = {}): Activity {
  const id = 1_000 - rows.length;
  return {
    id,
    at: "2026-11-26T12:00:00.000Z",
    actor: "user",
    actorName: null,
    actorUsername: null,
    action: "link.changed",
    object: "lampcod",
    before: { nickname: null },
    after: { nickname: "Lamp" },
    requestId: null,
    ...changes,
  };
}
const add = (changes?: Partial<Activity>) => rows.push(row(changes));

beforeEach(() => {
  rows = [];
  requested = [];
  serve("GET /api/links/lampcod", () => shortLink({ shortCode: "lampcod" }));
  serve("GET /api/activity", ({ search }) => {
    const query = new URLSearchParams(search);
    requested.push(query);
    const before = Number(query.get("before") ?? Number.POSITIVE_INFINITY);
    const older = rows.filter(({ id }) => id < before);
    const page = older.slice(0, 7);
    return { activity: page, nextBefore: older.length > page.length ? (page.at(-1)?.id ?? null) : null };
  });
});

const open = (path = "/account/activity") => openAsUser(path);
const items = async () => within(await screen.findByRole("list", { name: "Activity" })).getAllByRole("listitem");
const textsOfItems = async () => (await items()).map(({ textContent }) => textContent);

test("the page says what was changed, by whom, from what to what", async () => {
  add();
  add({ actor: "key", actorName: "Script", action: "link.deleted", after: null });
  add({ actor: "mcp", actorName: "Chat", action: "key.created", object: "New", before: null });
  add({ actor: "operator", before: { taken_down_at: null }, after: { taken_down_at: "spam" } });
  add({ actor: "job", actorName: "run-import", action: "import.finished", object: "links.csv" });
  add({
    action: "two-factor.changed",
    object: "",
    before: { rates: { EUR: 2 } },
    after: { rates: {} },
  });
  add({ action: "pattern.changed", before: { is_on: true }, after: { is_on: false } });
  await open();
  expect(await textsOfItems()).toEqual([
    expect.stringMatching(/^Link changedlampcodYouNov 26, 2026.*Nicknamenothing→changed toLamp$/),
    expect.stringMatching(/^Link deletedlampcodAPI key ScriptNov/),
    expect.stringMatching(/^API key createdNewAssistant with the API key Chat.*NicknameLamp$/),
    expect.stringMatching(/An operator of this site.*Taken downnothing→changed tospam$/),
    expect.stringMatching(/^Import finishedlinks.csvThis site, by itselfNov/),
    expect.stringMatching(/^Two-factor login changedYou.*RatesEUR: 2→changed tonothing$/),
    expect.stringMatching(/^Link pattern changed.*Onyes→changed tono$/),
  ]);
  const links = screen.getAllByRole("link", { name: "lampcod" });
  expect(links[0]?.getAttribute("href")).toBe("/link/lampcod");
});

test("a link's page shows its latest changes, and more on request", async () => {
  for (let count = 0; count < 9; count += 1) add();
  await open("/link/lampcod/settings");
  expect(await items()).toHaveLength(5);
  expect(requested.map((query) => query.get("link"))).toEqual(["lampcod"]);
  const more = screen.getByRole("button", { name: "Show more" });
  await userEvent.click(more);
  expect(await items()).toHaveLength(7);
  await userEvent.click(more);
  await vi.waitFor(async () => expect(await items()).toHaveLength(9));
});
