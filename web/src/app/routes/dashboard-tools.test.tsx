import type { Link } from "@tapthru/proto/links";
import { cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { describe, expect, test } from "vitest";
import { mainChannel, serveChannels } from "../../testing/channels-server.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, heldReplies, serve } from "../../testing/serve.ts";
import { server } from "../../testing/server.ts";
import { findToast } from "../../testing/toast.ts";

const cards = () => screen.queryAllByRole("listitem");
const button = (name: string) => screen.getByRole("button", { name });
const menu = (name: string) => screen.getByRole<HTMLSelectElement>("combobox", { name });

/** Fakes the list, deletions and restorations. @returns the ids of the deleted links */
function serveDeletion(links: Link[]): number[] {
  const deleted: number[] = [];
  const update = () => serveLinks(links.filter(({ id }) => !deleted.includes(id)));
  update();
  serve<{ ids: number[] }>("DELETE /api/links/bulk", ({ body: { ids } }) => {
    deleted.push(...ids);
    update();
    return ids.map((id) => ({ id, isDeleted: true }));
  });
  serve<{ ids: number[] }>("POST /api/links/bulk/restore", ({ body: { ids } }) => {
    for (const id of ids) deleted.splice(deleted.indexOf(id), 1);
    update();
    return { results: ids.map((id) => ({ id, error: null })) };
  });
  return deleted;
}

describe("a card", () => {
  const renderCard = async (changes: Partial<Link>) => {
    serveLinks([shortLink(changes)]);
    await renderPages("/dashboard");
    return within(await screen.findByRole("listitem"));
  };

  test("shows store, date and tag", async () => {
    const createdAt = "2019-11-20T08:00:00.000Z";
    const card = await renderCard({ createdAt });
    expect(card.getByRole("img", { name: "amazon.de" })).toBeTruthy();
    expect(card.getByText("Nov 20, 2019").getAttribute("datetime")).toBe(createdAt);
    expect(card.getByText("me-21").parentElement?.textContent).toBe("Tag me-21");
    expect(card.queryByText("No tag")).toBeNull();
  });

  test("shows that a link has no tag", async () => {
    const card = await renderCard({ webUrl: "https://www.amazon.co.jp/dp/B0ZZ1Y2X3W" });
    expect(card.getByText("No tag")).toBeTruthy();
    expect(card.getByRole("img", { name: "amazon.co.jp" })).toBeTruthy();
  });

  test.each([
    ["2999-11-28T08:00:00.000Z", "Expires Nov 28, 2999"],
    ["2020-11-28T08:00:00.000Z", "Expired"],
  ])("shows that a link expires at %s", async (expiresAt, text) => {
    const card = await renderCard({ expiresAt });
    expect(card.getByText(text)).toBeTruthy();
  });

  test("never cuts the code of a long short URL", async () => {
    const card = await renderCard({
      shortCode: "abcdefg",
      shortUrl: "https://links.a-very-long-name.example/l/abcdefg",
    });
    expect(card.getByText("links.a-very-long.../l/abcdefg")).toBeTruthy();
  });
});

describe("the menu of a card", () => {
  const open = async (changes: Partial<Link> = {}) => {
    const user = userEvent.setup();
    const deleted = serveDeletion([shortLink({ id: 2, title: "A chair" }), shortLink(changes)]);
    await renderPages("/dashboard");
    (await screen.findByRole("button", { name: "More actions for A lamp" })).focus();
    await user.keyboard("{Enter}");
    return {
      user,
      deleted,
      ...within(await screen.findByRole("menu", { name: "More actions for A lamp" })),
    };
  };

  test("opens by keyboard on its first action, which copies, and returns the focus", async () => {
    const { user, getByRole } = await open({ shortCode: "abcdefg" });
    expect(document.activeElement).toBe(getByRole("menuitem", { name: "Copy link" }));
    await user.keyboard("{Enter}");
    expect(await navigator.clipboard.readText()).toBe("https://tapthru.example/l/abcdefg");
    expect(await findToast("Copied!")).toContain("Link copied to clipboard");
    await waitFor(() => expect(document.activeElement).toBe(button("More actions for A lamp")));
  });

  test("deletes the link, which comes back with 'Undo'", async () => {
    const { user, getByRole, deleted } = await open();
    await user.click(getByRole("menuitem", { name: "Delete" }));
    expect(cards()).toHaveLength(1);
    expect(await screen.findByText("1 link deleted")).toBeTruthy();
    expect(deleted).toEqual([1]);
    expect(document.activeElement).toBe(button("Undo"));
    await user.click(button("Undo"));
    await waitFor(() => expect(cards()).toHaveLength(2));
    expect(deleted).toEqual([]);
    expect(document.activeElement).toBe(button("Select"));
  });

  test("only deletes a link that was taken down", async () => {
    const { getAllByRole } = await open({ takenDown: true });
    expect(getAllByRole("menuitem").map((item) => item.textContent)).toEqual(["Delete"]);
  });
});

describe("order and filters", () => {
  test("are part of the request and of the URL, and the filters in use are shown and can be removed", async () => {
    const { queries } = serveLinks([shortLink()]);
    const blog = { id: 2, name: "Blog", isDefault: false, tags: [], fallbackUrl: null, linkCount: 1 };
    server.use(
      http.get("/api/links/stores", () => HttpResponse.json(["com", "de"])),
      serveChannels(mainChannel(), blog),
    );
    await renderPages("/dashboard?q=lamp&from=2026-11-02");
    await userEvent.click(await screen.findByRole("button", { name: "Filters (1)" }));
    await waitFor(() => expect(menu("Filter by store").options).toHaveLength(3));
    await userEvent.selectOptions(menu("Filter by channel"), "Blog");
    await userEvent.selectOptions(menu("Filter by store"), "amazon.de");
    await userEvent.selectOptions(menu("Sort"), "By name");
    const from = new Date("2026-11-02T00:00").toISOString();
    const query = { limit: "50", q: "lamp", channel: "2", store: "de", createdFrom: from, sort: "name" };
    await waitFor(() => expect(Object.fromEntries(new URLSearchParams(queries.at(-1)))).toEqual(query));
    await userEvent.click(button("Remove filter Created from Nov 2, 2026"));
    await userEvent.click(button("Remove filter Store: amazon.de"));
    await userEvent.selectOptions(menu("Sort"), "Newest first");
    await waitFor(() => expect(queries.at(-1)).toBe("?limit=50&q=lamp&channel=2"));
    expect(button("Filters (1)").getAttribute("aria-expanded")).toBe("true");
  });

  test("are read from the URL, without invalid values", async () => {
    const { queries } = serveLinks([shortLink()]);
    await renderPages("/dashboard?sort=name&store=fr&show=everything&expiry=soon&from=yesterday");
    await waitFor(() => expect(screen.getAllByText("A lamp")).toHaveLength(1));
    expect(queries).toEqual(["?limit=50&store=fr&expiry=soon&sort=name"]);
    await userEvent.click(button("Filters (2)"));
    expect(["Sort", "Filter by store", "Filter by state", "Filter by expiry"].map((name) => menu(name).value)).toEqual([
      "name",
      "fr",
      "",
      "soon",
    ]);
  });

  test.each([
    ["channel=1", "Channel: Main"],
    ["channel=9", "Channel: Deleted channel"],
    ["domain=none", "Domain: tapthru.example"],
  ])("of the URL %s is shown as %s to a user with one channel and no domain", async (query, chip) => {
    localStorage.setItem("asked_for_tag", "1");
    serveLinks([shortLink()]);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    server.use(http.get("/api/channels", () => released.then(() => HttpResponse.json([mainChannel()]))));
    await renderPages(`/dashboard?${query}`);
    await screen.findByRole("button", { name: chip.startsWith("Domain") ? /Domain/ : "Remove filter Channel: ..." });
    release();
    expect(await screen.findByRole("button", { name: `Remove filter ${chip}` })).toBeTruthy();
  });

  test("can be cleared if no link matches", async () => {
    server.use(http.get("/api/links", () => HttpResponse.json([])));
    await renderPages("/dashboard?q=lamp&store=de&sort=name");
    await screen.findByText("No links match these filters.");
    const { queries } = serveLinks([shortLink()]);
    await userEvent.click(button("Clear filters"));
    await waitFor(() => expect(cards()).toHaveLength(1));
    expect(queries).toEqual(["?limit=50&sort=name"]);
  });

  test("the next page begins where the api says", async () => {
    const queries: string[] = [];
    server.use(
      http.get("/api/links", ({ request }) => {
        const { search } = new URL(request.url);
        queries.push(search);
        const next = '</api/links?sort=name&cursor=7~%C3%96l+%26+more>; rel="next"';
        return queries.length === 1
          ? HttpResponse.json([shortLink({ id: 7 })], { headers: { Link: next } })
          : HttpResponse.json([shortLink({ id: 3 })]);
      }),
    );
    await renderPages("/dashboard?sort=name");
    await waitFor(() => expect(cards()).toHaveLength(2));
    expect(new URLSearchParams(queries[1]).get("cursor")).toBe("7~Öl & more");
  });
});

test("a list of one line for each link is remembered, and says how many there are", async () => {
  const headers = { Link: '</api/links?cursor=1>; rel="next"' };
  server.use(
    http.get("/api/links", ({ request }) =>
      new URL(request.url).searchParams.has("cursor")
        ? new Promise<never>(() => {})
        : HttpResponse.json([shortLink()], { headers }),
    ),
    http.get("/api/link-count", () => HttpResponse.json({ count: 10_000, areMore: true })),
  );
  await renderPages("/dashboard");
  expect(await screen.findByText("10,000+ links")).toBeTruthy();
  await userEvent.click(button("Filters"));
  await userEvent.click(screen.getByRole("checkbox", { name: "One line for each link" }));
  expect(cards()[0]?.textContent).not.toContain("Nov 20");
  cleanup();
  await renderPages("/dashboard");
  expect((await screen.findByRole("listitem")).textContent).not.toContain("Nov 20");
  localStorage.clear();
});

describe("selected links", () => {
  const LINKS = [5, 4, 3, 2, 1].map((id) => shortLink({ id, title: `Lamp ${id}` }));

  const checkbox = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
  const checked = () =>
    screen.queryAllByRole<HTMLInputElement>("checkbox", { checked: true }).map((box) => box.getAttribute("aria-label"));
  const names = () => screen.queryAllByRole("link", { name: /^Lamp/ }).map((link) => link.textContent);

  async function renderList(user = userEvent.setup()) {
    serveLinks(LINKS);
    await renderPages("/dashboard");
    await waitFor(() => expect(names()).toHaveLength(5));
    await user.click(button("Select"));
    return user;
  }

  test("are counted, by keyboard and by mouse", async () => {
    const user = await renderList();
    expect(document.activeElement).toBe(button("Cancel"));
    expect(screen.getByText("0 selected").getAttribute("role")).toBe("status");
    expect(button("Delete").hasAttribute("disabled")).toBe(true);
    await user.tab();
    expect(document.activeElement).toBe(checkbox("Lamp 5"));
    await user.keyboard(" ");
    await user.click(checkbox("Lamp 3"));
    expect(checked()).toEqual(["Lamp 5", "Lamp 3"]);
    expect(screen.getByText("2 selected")).toBeTruthy();
    await user.click(checkbox("Lamp 3"));
    expect(checked()).toEqual(["Lamp 5"]);
    await user.click(button("Cancel"));
    expect(screen.queryAllByRole("checkbox")).toEqual([]);
    expect(document.activeElement).toBe(button("Select"));
  });

  test("of several channels stay there until a channel is chosen", async () => {
    const blog = { id: 2, name: "Blog", isDefault: false, tags: [], fallbackUrl: null, linkCount: 1 };
    serveLinks([
      shortLink({ id: 5, shortCode: "code005", title: "Lamp 5", channelId: 2 }),
      shortLink({ id: 4, shortCode: "code004", title: "Lamp 4", channelId: null }),
    ]);
    server.use(serveChannels(mainChannel(), blog));
    const user = userEvent.setup();
    await renderPages("/dashboard");
    await waitFor(() => expect(names()).toHaveLength(2));
    await user.click(button("Select"));
    await user.click(button("Select all"));
    await user.click(await screen.findByRole("button", { name: "Channel" }));
    expect(button("Save").hasAttribute("disabled")).toBe(true);
    await user.selectOptions(menu("Channel"), "Blog");
    expect(button("Save").hasAttribute("disabled")).toBe(false);
  });

  test("are left alone with Escape, which returns the focus, but not by closing a dialog", async () => {
    const user = await renderList();
    await user.tab();
    await user.keyboard(" ");
    await user.click(button("Label"));
    const field = await screen.findByRole("textbox", { name: "New label" });
    await user.type(field, "{Escape}");
    expect(checked()).toEqual(["Lamp 5"]);
    checkbox("Lamp 5").focus();
    await user.keyboard("{Escape}");
    expect(screen.queryAllByRole("checkbox")).toEqual([]);
    expect(document.activeElement).toBe(button("Select"));
  });

  test("can be a range, with Shift, or all links", async () => {
    const user = await renderList();
    await user.click(checkbox("Lamp 4"));
    await user.keyboard("{Shift>}");
    await user.click(checkbox("Lamp 2"));
    await user.keyboard("{/Shift}");
    expect(checked()).toEqual(["Lamp 4", "Lamp 3", "Lamp 2"]);
    await user.click(button("Select all"));
    expect(checked()).toHaveLength(5);
    await user.keyboard("{Shift>}");
    await user.click(checkbox("Lamp 5"));
    await user.keyboard("{/Shift}");
    expect(checked()).toEqual(["Lamp 1"]);
    await user.click(button("Cancel"));
    await user.click(button("Select"));
    await user.keyboard("{Shift>}");
    await user.click(checkbox("Lamp 3"));
    await user.keyboard("{/Shift}");
    expect(checked()).toEqual(["Lamp 3"]);
  });

  test("disappear and are deleted at once, and come back with 'Undo'", async () => {
    const user = await renderList();
    const deleted = serveDeletion(LINKS);
    await user.click(checkbox("Lamp 4"));
    await user.click(checkbox("Lamp 2"));
    await user.click(button("Delete"));
    expect(names()).toEqual(["Lamp 5", "Lamp 3", "Lamp 1"]);
    expect(await screen.findByText("2 links deleted")).toBeTruthy();
    expect(deleted).toEqual([4, 2]);
    expect(names()).toEqual(["Lamp 5", "Lamp 3", "Lamp 1"]);
    await user.click(button("Undo"));
    await waitFor(() => expect(names()).toEqual(["Lamp 5", "Lamp 4", "Lamp 3", "Lamp 2", "Lamp 1"]));
    expect(deleted).toEqual([]);
    expect(screen.queryByText("2 links deleted")).toBeNull();
  });

  test("are deleted if the page is left at once, and come back with 'Undo' on the way back", async () => {
    const user = await renderList();
    const deleted = serveDeletion(LINKS);
    await user.click(checkbox("Lamp 1"));
    await user.click(button("Delete"));
    await user.click(button("Create link"));
    await screen.findByRole("heading", { name: "Create New Link" });
    await waitFor(() => expect(deleted).toEqual([1]));
    await user.click(button("Browser's back"));
    await waitFor(() => expect(names()).toHaveLength(4));
    await user.click(button("Undo"));
    await waitFor(() => expect(names()).toHaveLength(5));
    expect(deleted).toEqual([]);
  });

  test("stay deleted when 'Undo' is closed, which is for all that were deleted", async () => {
    const user = await renderList();
    const deleted = serveDeletion(LINKS);
    for (const [name, text] of [
      ["Lamp 1", "1 link deleted"],
      ["Lamp 5", "2 links deleted"],
    ] as const) {
      if (name === "Lamp 5") await user.click(button("Select"));
      await user.click(checkbox(name));
      await user.click(button("Delete"));
      await screen.findByText(text);
      await waitFor(() => expect(document.activeElement).toBe(button("Undo")));
    }
    await user.click(button("Close"));
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
    expect(document.activeElement).toBe(button("Select"));
    expect(deleted).toEqual([1, 5]);
  });

  test("that could not be restored are reported, and the others come back", async () => {
    const user = await renderList();
    serveDeletion(LINKS);
    await user.click(checkbox("Lamp 1"));
    await user.click(checkbox("Lamp 2"));
    await user.click(button("Delete"));
    await screen.findByText("2 links deleted");
    serveLinks(LINKS.filter(({ id }) => id !== 1));
    serve("POST /api/links/bulk/restore", () => ({
      results: [
        { id: 2, error: null },
        { id: 1, error: "link-taken-down" },
      ],
    }));
    await user.click(button("Undo"));
    expect(await findToast("Error")).toContain("1 link could not be restored.");
    await waitFor(() => expect(names()).toEqual(["Lamp 5", "Lamp 4", "Lamp 3", "Lamp 2"]));
  });

  test("come back with an error if the server refuses", async () => {
    const user = await renderList();
    serve("DELETE /api/links/bulk", () => failure());
    await user.click(checkbox("Lamp 1"));
    await user.click(button("Delete"));
    expect(await findToast("Error")).toContain("Failed to delete the link. Please try again.");
    expect(names()).toHaveLength(5);
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  });
});

describe("links of a list that is not loaded whole", () => {
  const ALL_IDS = Array.from({ length: 1_200 }, (_, n) => 1_200 - n);
  let user: ReturnType<typeof userEvent.setup>;

  async function selectEvery() {
    user = userEvent.setup();
    const headers = { Link: '</api/links?cursor=1198>; rel="next"' };
    const first = [1_200, 1_199, 1_198].map((id) => shortLink({ id }));
    serve("GET /api/links", ({ search }) =>
      search.includes("cursor") ? new Promise(() => {}) : HttpResponse.json(first, { headers }),
    );
    const idQueries = serve("GET /api/link-ids", ({ search }) =>
      search.includes("before")
        ? ALL_IDS.slice(1_000)
        : HttpResponse.json(ALL_IDS.slice(0, 1_000), {
            headers: { Link: '</api/link-ids?store=de&before=150>; rel="next"' },
          }),
    );
    await renderPages("/dashboard?store=de&sort=name");
    await screen.findByText("More than 3 links");
    await user.click(button("Select"));
    await user.click(button("Select all"));
    const every = await screen.findByRole("button", { name: "Select all 1200" });
    expect(screen.getByText("3 of 1200 selected")).toBeTruthy();
    await user.click(every);
    expect(screen.getByText("1200 selected")).toBeTruthy();
    expect(idQueries).toEqual(["?store=de", "?store=de&before=150"]);
  }

  /** Adds a label to all. @param reply a response to a request, which then changes nothing @returns the changed ids */
  async function labelEvery(reply: (changedCount: number) => Response | Promise<unknown> | null = () => null) {
    const labelled: number[] = [];
    serve("GET /api/labels", () => [{ id: 1, name: "Gifts", colour: "red", linkCount: 0 }]);
    serve<{ ids: number[] }>("PATCH /api/links/bulk", async ({ body: { ids } }) => {
      const refusal = await reply(labelled.length);
      if (refusal) return refusal;
      labelled.push(...ids);
      return { results: ids.map((id) => ({ id, error: null })) };
    });
    await selectEvery();
    await user.click(button("Label"));
    const dialog = within(await screen.findByRole("dialog", { name: "Labels for 1,200 links" }));
    await user.click(await dialog.findByRole("checkbox", { name: "Gifts" }));
    await user.click(dialog.getByRole("button", { name: "Save" }));
    return { labelled, dialog };
  }

  test("are deleted in batches after a question, and what is left can be retried", async () => {
    await selectEvery();
    const requests: number[][] = [];
    serve<{ ids: number[] }>("DELETE /api/links/bulk", ({ body: { ids } }) => {
      requests.push(ids);
      if (requests.length === 2) return failure();
      return ids.map((id) => ({ id, isDeleted: true }));
    });
    await user.click(button("Delete"));
    const dialog = within(await screen.findByRole("alertdialog", { name: "Delete 1,200 links?" }));
    await user.click(dialog.getByRole("button", { name: "Delete" }));
    expect(await screen.findByText("1,000 links deleted")).toBeTruthy();
    expect(await screen.findByText("1,000 of 1,200 links were deleted.")).toBeTruthy();
    await user.click(button("Retry the rest"));
    await screen.findByText("1,200 links deleted");
    expect(requests).toEqual([ALL_IDS.slice(0, 1_000), ALL_IDS.slice(1_000), ALL_IDS.slice(1_000)]);
  });

  test("ask before the page is closed while a request is still to be sent", async () => {
    const { released, release } = heldReplies();
    const { labelled } = await labelEvery(async () => {
      await released;
      return null;
    });
    await screen.findByText(/^0 of 1,200/);
    const leaves = () => dispatchEvent(new Event("beforeunload", { cancelable: true }));
    expect(leaves()).toBe(false);
    release();
    await findToast("The labels are saved.");
    expect(labelled).toHaveLength(1_200);
    expect(leaves()).toBe(true);
  });

  test.each([
    ["the dialog is closed", false],
    ["the page is left", true],
  ])("go on being changed when %s, and what is left can be retried", async (_case, isLeft) => {
    const { released, release } = heldReplies();
    let isFailing = true;
    const { labelled, dialog } = await labelEvery(async (count) => {
      await released;
      return isFailing && count > 0 ? failure() : null;
    });
    expect(await dialog.findByText("0 of 1,200. It goes on if you close this.")).toBeTruthy();
    await user.click(dialog.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
    if (isLeft) await user.click(button("Create link"));
    release();
    const failed = "1,000 of 1,200 links are done. The labels could not be saved. Please try again.";
    expect(await screen.findByText(failed)).toBeTruthy();
    isFailing = false;
    await user.click(button("Retry the rest"));
    expect(await findToast("The labels are saved.")).toBeTruthy();
    expect(labelled).toEqual(ALL_IDS);
  });

  test("are changed after a pause if the api asks for one, and what is left as chosen before", async () => {
    const statuses = [429, 200, 503];
    const { labelled, dialog } = await labelEvery(() => {
      const status = statuses.shift() ?? 200;
      return status === 200 ? null : new HttpResponse(null, { status, headers: { "Retry-After": "0" } });
    });
    await dialog.findByText(/^1,000 of 1,200 links are done/);
    expect(dialog.getByRole("checkbox", { name: "Gifts" }).closest("fieldset")?.disabled).toBe(true);
    // The others do not match the filters any more.
    serve("GET /api/link-ids", () => ALL_IDS.slice(0, 100));
    await user.click(dialog.getByRole("button", { name: "Retry the rest" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(labelled).toEqual(ALL_IDS);
    expect(await screen.findByText("100 selected")).toBeTruthy();
    await user.click(button("Export"));
    expect(await screen.findByText(/^The links that match your search and filters/)).toBeTruthy();
  });

  test("are not selected in another view", async () => {
    await selectEvery();
    await user.type(screen.getByRole("searchbox"), "lamp{Enter}");
    await screen.findByText("3 selected");
  });

  test("are not subtracted from the number of another view while they are being deleted", async () => {
    const ofView = (url: string, [one, other]: [number, number]) => (new URL(url).searchParams.get("q") ? other : one);
    const headers = { Link: '</api/links?cursor=1>; rel="next"' };
    server.use(
      http.get("/api/links", ({ request: { url } }) =>
        new URL(url).searchParams.has("cursor")
          ? new Promise<never>(() => {})
          : HttpResponse.json([shortLink({ id: ofView(url, [5, 3]) }), shortLink({ id: 2 })], { headers }),
      ),
      http.get("/api/link-count", ({ request: { url } }) =>
        HttpResponse.json({ count: ofView(url, [100, 50]), areMore: false }),
      ),
    );
    user = userEvent.setup();
    await renderPages("/dashboard?q=lamp");
    await screen.findByText("50 links");
    await user.clear(screen.getByRole("searchbox"));
    await screen.findByText("100 links");
    await user.click(button("Select"));
    await user.click(screen.getAllByRole("checkbox")[0] ?? document.body);
    serve("DELETE /api/links/bulk", () => new Promise(() => {}));
    await user.click(button("Delete"));
    expect(screen.getByText("99 links")).toBeTruthy();
    await user.type(screen.getByRole("searchbox"), "lamp{Enter}");
    expect(await screen.findByText("More than 2 links")).toBeTruthy();
  });
});
