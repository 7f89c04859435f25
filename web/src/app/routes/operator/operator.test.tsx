import { listAllActivity } from "@tapthru/proto/activity";
import { listAllLinks } from "@tapthru/proto/operator/links";
import { listUsers, type UserDetails } from "@tapthru/proto/operator/users";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { answer, button, check, click, heading, link, question, rowsOf, textsOf } from "../../../testing/controls.ts";
import { exampleOf, like, userDetails } from "../../../testing/examples.ts";
import { openAsUser } from "../../../testing/open-as-user.ts";
import { openAsOperator, systemState } from "../../../testing/operator-server.ts";
import { serve } from "../../../testing/serve.ts";
import { findToast } from "../../../testing/toast.ts";

const ADDRESS = "5f0c9a3de1b24d7f8c6a0b9e2d41f370";

let state: UserDetails["state"];
let sent: unknown[];

beforeEach(() => {
  state = "enabled";
  serve("GET /api/operator/users/:id", ({ params }) => userDetails({ id: Number(params.id), state }));
});

const items = async (list: string) => within(await screen.findByRole("list", { name: list })).getAllByRole("listitem");
const undoButton = () =>
  within(screen.getByRole("region", { name: /Notifications/ })).queryByRole("button", { name: "Undo" });

describe("the changes of all", () => {
  const row = like(exampleOf(listAllActivity).activity[0], {
    actorName: "Script",
    object: "lampcod",
    after: { nickname: "Lamp" },
    ownerUsername: "anna",
    addressHash: ADDRESS,
  });
  let rows: ReturnType<typeof row>[];
  let queries: unknown[];

  beforeEach(() => {
    rows = [row()];
    queries = serve("GET /api/operator/activity", () => ({ activity: rows, nextBefore: null }));
  });
  const lastQuery = (query: string) => waitFor(() => expect(queries.at(-1)).toBe(query));

  test("shows actor, owner, address and request of each change", async () => {
    const none = { actorName: null, actorUsername: null, ownerUsername: null, requestId: null, addressHash: null };
    rows.push(row({ ...none, id: 8, actor: "visitor" }));
    await openAsOperator("/operator/activity");
    expect(textsOf(await items("Activity"))).toEqual([
      expect.stringMatching(
        /^Link changedlampcodof annaAPI key Script \(anna\)Nov 20.*Address 5f0c9a3dRequest 0f6c6a0e-.*Lamp$/,
      ),
      expect.stringMatching(/^Link changedlampcodA visitorNov 20.*Lamp$/),
    ]);
  });

  test("searches changes, and filters them by the page's address and by what a row leads to", async () => {
    await openAsOperator("/operator/activity?action=link.changed");
    await lastQuery("?action=link.changed");
    const found = rows;
    rows = [];
    await userEvent.type(screen.getByRole("searchbox"), "bob{Enter}");
    await lastQuery("?q=bob&action=link.changed");
    expect(await screen.findByText("No changes are recorded.")).toBeTruthy();
    rows = found;
    await userEvent.click(await link("Show all changes"));
    await userEvent.click(await link("Address 5f0c9a3d"));
    await lastQuery(`?addressHash=${ADDRESS}`);
    await userEvent.click(await link("Link changed"));
    await lastQuery("?action=link.changed");
    await userEvent.click((await screen.findAllByRole("link", { name: "anna" }))[0] as HTMLElement);
    await lastQuery("?q=anna");
  });
});

describe("links", () => {
  const listed = like(exampleOf(listAllLinks).links[0], { title: null, owner: { id: 7, username: "berta" } });
  let takenDownAt: string | null;
  let queries: unknown[];

  beforeEach(() => {
    takenDownAt = null;
    const links = () => [
      listed({ id: 2, shortCode: "mug", takenDownAt }),
      listed({ id: 1, shortCode: "lamp", takenDownAt: null }),
    ];
    queries = serve("GET /api/operator/links", ({ query }) =>
      query.get("q") === "old" ? { links: [], nextBefore: 90 } : { links: links(), nextBefore: null },
    );
    sent = serve<{ links: object }>("POST /api/operator/links/take-down", ({ body }) =>
      "shortCodes" in body.links
        ? HttpResponse.json({ count: 1, shortCodes: ["lamp"] })
        : HttpResponse.json({ count: 12 }, { status: 202 }),
    );
  });

  test("takes selected links down, which the toast undoes for those that changed", async () => {
    await openAsOperator("/operator/links");
    for (const code of ["mug", "lamp"]) await check(`Select ${code}`);
    await click("Take down");
    await findToast("1 link was taken down.");
    await userEvent.click(undoButton() as HTMLElement);
    await waitFor(() =>
      expect(sent).toEqual([
        { links: { shortCodes: ["mug", "lamp"] }, isTakenDown: true },
        { links: { shortCodes: ["lamp"] }, isTakenDown: false },
      ]),
    );
  });

  test.each([
    ["All links of this user", "Links of berta", { ownerId: 7 }, /^Visitors see/],
    [
      "Links from the same address",
      "Links that were created from one network address in the last 30 days",
      { addressHash: ADDRESS },
      /links of other users and visitors there are included/,
    ],
  ])("takes links of one origin down together, without an undo: %s", async (name, title, links, text) => {
    await openAsOperator("/operator/links");
    await userEvent.click((await screen.findAllByRole("link", { name }))[0] as HTMLElement);
    expect(await screen.findByText(title)).toBeTruthy();
    await click("Take all down");
    expect(question().getByText(text)).toBeTruthy();
    await answer("Take all down");
    await findToast("12 links are being taken down.");
    // It would change links that were taken down before, too.
    expect([undoButton(), sent]).toEqual([null, [{ links, isTakenDown: true }]]);
  });

  test.each([
    ["offered where a link is down", "enabled", "2026-11-20T08:00:00.000Z", 1],
    ["not offered where none is down", "enabled", null, 0],
    ["not offered for a user whose links are closed", "blocked", "2026-11-20T08:00:00.000Z", 0],
  ] as const)("all work again by a button that is %s", async (_case, ofUser, downAt, count) => {
    state = ofUser;
    takenDownAt = downAt;
    await openAsOperator("/operator/links?owner=7");
    expect(await button("Take all down")).toBeTruthy();
    await screen.findByRole("checkbox", { name: "Select mug" });
    const notes = () => screen.queryAllByText(/enable the user/);
    await waitFor(() => expect(notes()).toHaveLength(ofUser === "blocked" ? 1 : 0));
    await waitFor(() => expect(screen.queryAllByRole("button", { name: "Let all work again" })).toHaveLength(count));
  });

  test("searches older links if the latest do not match", async () => {
    await openAsOperator("/operator/links?q=old");
    expect(await screen.findByText("None of the latest links matches. Search older ones:")).toBeTruthy();
    await click("Show more");
    await waitFor(() => expect(queries).toEqual(["?q=old", "?q=old&before=90"]));
  });
});

test("the console is not shown to other users", async () => {
  await openAsUser("/operator/sign-up");
  expect(await heading("404 Page Not Found")).toBeTruthy();
  expect(screen.queryByRole("link", { name: "Operator" })).toBeNull();
});

describe("the installation", () => {
  const NOW = "2026-11-26T08:00:00.000Z";
  let system: ReturnType<typeof systemState>;

  beforeEach(() => {
    system = systemState();
    serve("GET /api/operator/system", () => system);
  });
  const open = () => openAsOperator("/operator/system");
  const card = async (title: string) => (await heading(title)).closest("section") as HTMLElement;

  test("lists features, with the settings that turn them on, and names a proxy that is not trusted", async () => {
    system.untrustedProxy = "172.64.0.9";
    system.features = [
      { name: "webhooks", isOn: true, settings: ["WEBHOOK_KEYS"] },
      { name: "amazon-ads", isOn: false, settings: ["AMAZON_ADS_CLIENT_ID", "ENCRYPTION_KEYS"] },
      { name: "of-a-newer-release", isOn: true, settings: [] },
    ];
    await open();
    expect(textsOf(within(await card("Features")).getAllByRole("listitem"))).toEqual([
      "WebhooksOnSettings: WEBHOOK_KEYS",
      "Amazon AdsOffSettings: AMAZON_ADS_CLIENT_ID, ENCRYPTION_KEYS",
      "of-a-newer-releaseOn",
    ]);
    expect((await card("A proxy is not trusted")).textContent).toContain("This request came from 172.64.0.9,");
  });

  test("counts the failed jobs of a queue, and says what it does not know while Redis or Postgres does not respond", async () => {
    system = systemState({ failedJobs: [{ job: "run-import", count: 1_030 }], failedItems: null });
    await open();
    expect(within(await card("Failed jobs")).getByText("run-import").nextSibling?.textContent).toBe("1,030");
    expect((await card("Failing items")).textContent).toContain("Does not respond within a second.");
    cleanup();
    system = systemState({ failedJobs: null });
    await open();
    expect(within(await card("Failed jobs")).getByRole("alert")).toBeTruthy();
  });

  test("lists items that are quarantined, with their error and next attempt, and retries them", async () => {
    const item = { kind: "check-domains", key: "7", error: "value is out of range", attempts: 3 };
    const failing = { ...item, firstFailedAt: NOW, retryAt: "2026-11-26T08:07:00.000Z" };
    system = systemState({ failedItems: { count: 60, items: [failing] } });
    serve("POST /api/operator/failed-items/retry", () => {
      system = systemState();
      return { count: 60 };
    });
    await open();
    const listed = await screen.findByText("value is out of range");
    expect(listed.parentElement?.textContent).toMatch(
      /check-domains 7Since Nov 26, 2026, .*, 3 attempts, next attempt Nov 26, 2026, /,
    );
    expect(screen.getByText("The next 1 of 60.")).toBeTruthy();
    await click("Retry now");
    await findToast("They are retried in the next round of their jobs.");
    expect(screen.queryByRole("heading", { name: "Failing items" })).toBeNull();
  });
});

describe("users", () => {
  beforeEach(() => {
    serve("GET /api/operator/users", () => ({ users: [], nextBefore: null }));
  });

  test("are a table, the newest first, with their state", async () => {
    const one = like(exampleOf(listUsers).users[0], {});
    const users = [one({ id: 3, username: "carla" }), one({ id: 1, username: "berta", state: "disabled" })];
    serve("GET /api/operator/users", ({ query }) =>
      query.has("before") ? { users: users.slice(1), nextBefore: null } : { users: users.slice(0, 1), nextBefore: 2 },
    );
    await openAsOperator("/operator/users");
    await click("Show more");
    await screen.findByText("berta");
    expect((await rowsOf("Users")).slice(1)).toEqual([
      expect.stringContaining("carla"),
      expect.stringMatching(/berta.*Disabled, links work/),
    ]);
  });

  test("disables users in the way that the operator chooses", async () => {
    sent = serve<Partial<UserDetails>>("PUT /api/operator/users/:id/state", ({ body }) => userDetails(body));
    await openAsOperator("/operator/users?id=7");
    await click("Disable");
    const dialog = within(screen.getByRole("dialog", { name: "Disable berta" }));
    await userEvent.click(dialog.getByRole("radio", { name: /They show an error page/ }));
    await userEvent.click(dialog.getByRole("button", { name: "Disable" }));
    await findToast("The user was changed.");
    expect(sent).toEqual([{ state: "blocked" }]);
  });

  test("deletes users only with their name", async () => {
    sent = serve("DELETE /api/operator/users/:id", () => ({}));
    await openAsOperator("/operator/users?id=7");
    await click("Delete user");
    const field = () => within(screen.getByRole("dialog")).getByRole("textbox");
    await userEvent.type(field(), "anna{Enter}");
    expect(await screen.findByText("This is not the username of the account.")).toBeTruthy();
    await userEvent.clear(field());
    await userEvent.type(field(), "berta{Enter}");
    await findToast("berta is being deleted.");
    expect(await screen.findByRole("searchbox", { name: "Search users" })).toBeTruthy();
    expect(sent).toEqual([{ username: "berta" }]);
  });

  test("operators have no actions for themselves", async () => {
    await openAsOperator("/operator/users?id=1");
    expect(await screen.findByText("go.anna.example")).toBeTruthy();
    expect(screen.queryByRole("heading", { name: "Actions" })).toBeNull();
  });
});
