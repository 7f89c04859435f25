import type { Label } from "@tapthru/proto/labels";
import type { Link } from "@tapthru/proto/links";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { catchFiles } from "../../testing/catch-files.ts";
import { answer, check, choose, click, isReloadHeld, question, textsOf } from "../../testing/controls.ts";
import { mainChannel } from "../../testing/examples.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { failure, heldReplies, noReply, serve, serveChannels } from "../../testing/serve.ts";
import { findToast, toast } from "../../testing/toast.ts";

let user: ReturnType<typeof userEvent.setup>;
beforeEach(() => {
  user = userEvent.setup();
});

const button = (name: string) => screen.getByRole("button", { name });
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

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

async function selectAll() {
  await click("Select");
  await click("Select all");
}

describe("the menu of a card", () => {
  const open = async (changes: Partial<Link> = {}) => {
    const deleted = serveDeletion([shortLink({ id: 2, title: "A chair" }), shortLink(changes)]);
    await renderPages("/dashboard");
    (await screen.findByRole("button", { name: "More actions for A lamp" })).focus();
    await user.keyboard("{Enter}");
    return { deleted, ...within(await screen.findByRole("menu", { name: "More actions for A lamp" })) };
  };

  test("opens by keyboard on its first action, which copies, and returns the focus", async () => {
    const { getByRole } = await open({ shortCode: "abcdefg" });
    expect(document.activeElement).toBe(getByRole("menuitem", { name: "Copy link" }));
    await user.keyboard("{Enter}");
    expect(await navigator.clipboard.readText()).toBe("https://tapthru.example/l/abcdefg");
    expect(await findToast("Copied!")).toContain("Link copied to clipboard");
    await waitFor(() => expect(document.activeElement).toBe(button("More actions for A lamp")));
  });

  test.each([
    ["Rename", "Name, which only you see"],
    ["Labels", "New label"],
    ["Change destination", "New Amazon link"],
  ])("opens '%s' on its field in the frame of the click, so that no key is lost", async (item, label) => {
    serve("GET /api/labels", () => []);
    const { getByRole } = await open();
    fireEvent.click(getByRole("menuitem", { name: item }));
    expect(document.activeElement).toBe(screen.getByRole("textbox", { name: label }));
    await user.keyboard("Yoga mat");
    expect(screen.getByRole<HTMLInputElement>("textbox", { name: label }).value).toBe("Yoga mat");
    await click("Close");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test.each([
    ["Rename", "Name, which only you see", "A mat", "Failed to update link name. Please try again."],
    [
      "Change destination",
      "New Amazon link",
      "https://www.amazon.de/dp/B0DESTINAT",
      "Failed to change the link. Please try again.",
    ],
  ])("says in the dialog that '%s' has failed, and the row is as it was", async (item, label, text, failed) => {
    const { getByRole } = await open({ nickname: "A lamp" });
    serve("PATCH /api/links/:shortCode", () => HttpResponse.error());
    await user.click(getByRole("menuitem", { name: item }));
    const field = screen.getByRole<HTMLInputElement>("textbox", { name: label });
    await user.clear(field);
    await user.type(field, `${text}{Enter}`);
    expect((await within(screen.getByRole("dialog")).findByRole("alert")).textContent).toBe(failed);
    expect([toast() ?? "", field.value]).toEqual(["", text]);
    expect(screen.getByRole("link", { name: "A lamp", hidden: true })).toBeTruthy();
  });

  test("only deletes a link that was taken down, which disappears at once and comes back with 'Undo'", async () => {
    const { getAllByRole, deleted } = await open({ takenDown: true });
    const items = getAllByRole("menuitem");
    expect(textsOf(items)).toEqual(["Delete"]);
    await user.click(items[0] as Element);
    await waitFor(() => expect(screen.queryByRole("link", { name: "A lamp" })).toBeNull());
    await findToast("1 link deleted");
    await waitFor(() => expect([deleted, document.activeElement?.id]).toEqual([[1], "your-links"]));
    await click("Undo");
    await screen.findByRole("link", { name: "A lamp" });
    expect(deleted).toEqual([]);
  });
});

describe("selected links", () => {
  const LINKS = [5, 4, 3, 2, 1].map((id) => shortLink({ id, title: `Lamp ${id}` }));
  const checkbox = (name: string) => screen.getByRole<HTMLInputElement>("checkbox", { name });
  const checked = () =>
    screen.queryAllByRole<HTMLInputElement>("checkbox", { checked: true }).map((box) => box.getAttribute("aria-label"));
  const names = () => textsOf(screen.queryAllByRole("link", { name: /^Lamp/ }));
  const areShown = (...ids: number[]) => waitFor(() => expect(names()).toEqual(ids.map((id) => `Lamp ${id}`)));

  beforeEach(async () => {
    serveLinks(LINKS);
    await renderPages("/dashboard");
    await areShown(5, 4, 3, 2, 1);
    await user.click(button("Select"));
  });

  /** @returns the ids of the deleted links */
  async function deleteLinks(...ids: number[]) {
    const deleted = serveDeletion(LINKS);
    for (const id of ids) await user.click(checkbox(`Lamp ${id}`));
    await user.click(button("Delete"));
    return deleted;
  }

  test("are counted, and none is selected after another search or after 'Cancel'", async () => {
    expect(document.activeElement).toBe(button("Cancel"));
    expect(screen.getByText("0 selected").getAttribute("role")).toBe("status");
    expect(button("Delete").hasAttribute("disabled")).toBe(true);
    await user.tab();
    await user.keyboard(" ");
    await user.click(checkbox("Lamp 3"));
    await user.click(checkbox("Lamp 1"));
    await user.click(checkbox("Lamp 1"));
    expect([checked(), screen.getByText("2 selected").isConnected]).toEqual([["Lamp 5", "Lamp 3"], true]);
    await user.click(button("Select all"));
    expect(checked()).toHaveLength(5);
    await user.type(screen.getByRole("searchbox"), "lamp{Enter}");
    await screen.findByText("0 selected");
    await user.click(button("Cancel"));
    expect([screen.queryAllByRole("checkbox"), document.activeElement]).toEqual([[], button("Select")]);
  });

  test("selected links are deleted even if the page is left at once, and come back with 'Undo' on the way back", async () => {
    const deleted = await deleteLinks(4, 2);
    await areShown(5, 3, 1);
    expect(document.activeElement).toBe(button("Select"));
    await user.click(button("Create link"));
    await screen.findByRole("heading", { name: "Create New Link" });
    await waitFor(() => expect(deleted).toEqual([4, 2]));
    await user.click(button("Browser's back"));
    await areShown(5, 3, 1);
    await user.click(button("Undo"));
    await areShown(5, 4, 3, 2, 1);
    expect(deleted).toEqual([]);
  });

  test("reports links that could not be restored, and brings the others back", async () => {
    await deleteLinks(1, 2);
    await findToast("2 links deleted");
    serveLinks(LINKS.filter(({ id }) => id !== 1));
    const results = [
      { id: 2, error: null },
      { id: 1, error: "link-taken-down" },
    ];
    serve("POST /api/links/bulk/restore", () => ({ results }));
    await user.click(button("Undo"));
    expect(await findToast("Error")).toContain("1 link could not be restored.");
    await areShown(5, 4, 3, 2);
  });

  test("selected links come back with an error if the server refuses", async () => {
    serve("DELETE /api/links/bulk", () => failure());
    await user.click(checkbox("Lamp 1"));
    await user.click(button("Delete"));
    expect(await findToast("Error")).toContain("The links could not be deleted. Please try again.");
    expect(names()).toHaveLength(5);
    expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
  });
});

test("selected links of several channels stay there until one is chosen, and get its tag if the user says so", async () => {
  serveLinks([shortLink({ id: 2, channelId: 2 }), shortLink()]);
  serveChannels(mainChannel(), mainChannel({ id: 2, name: "Blog", isDefault: false }));
  await renderPages("/dashboard");
  await screen.findAllByRole("listitem");
  await selectAll();
  await click("Channel");
  await click("Save");
  await screen.findByText("Please choose a channel");
  await choose("Channel", "Blog");
  await check(/^Use the channel's tag/);
  const results = [
    { id: 2, error: null },
    { id: 1, error: "link-not-found" },
  ];
  const sent = serve("PUT /api/links/bulk/channel", () => ({ results }));
  await click("Save");
  await screen.findByText("1 link was not changed.");
  expect(sent).toEqual([{ ids: [2, 1], channelId: 2, usesChannelTag: true }]);
});

const GIFTS: Label = { id: 1, name: "Gifts", colour: "red" };

describe("the labels of selected links", () => {
  const TOYS: Label = { id: 2, name: "Toys", colour: "blue" };
  const SUMMER: Label = { id: 3, name: "Summer", colour: "green" };

  /** Opens the dialog of the labels of links. @returns the bodies of its requests */
  async function open(links: Link[], errors: (string | null)[] = []) {
    serve("GET /api/labels", () => [GIFTS, SUMMER, TOYS].map((label) => ({ ...label, linkCount: 2 })));
    serveLinks(links);
    const bodies = serve<{ ids: number[] }>("PATCH /api/links/bulk", ({ body: { ids } }) => ({
      results: ids.map((id, index) => ({ id, error: errors[index] ?? null })),
    }));
    await renderPages("/dashboard");
    await screen.findAllByRole("listitem");
    await selectAll();
    await click("Label");
    const opened = await dialog(`Labels for ${links.length === 1 ? "1 link" : `${links.length} links`}`);
    await opened.findByRole("checkbox", { name: "Gifts" });
    return { bodies, ...opened };
  }

  test("adds and removes labels together, including a typed new one", async () => {
    const links = [shortLink({ id: 2, labels: [GIFTS, TOYS] }), shortLink({ id: 1, labels: [GIFTS] })];
    const { bodies, getByRole } = await open(links);
    const box = (name: string) => getByRole<HTMLInputElement>("checkbox", { name });
    expect([box("Gifts").checked, box("Toys").indeterminate, box("Summer").checked]).toEqual([true, true, false]);
    await user.click(box("Gifts"));
    await user.click(box("Toys"));
    await user.type(getByRole("textbox", { name: "New label" }), " Camping ");
    await click("Save");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(bodies).toEqual([{ ids: [2, 1], addLabels: [2, "Camping"], removeLabels: [1] }]);
  });

  test("refuses a name that is too long without cutting it, and stays open if a link would have too many labels", async () => {
    const { bodies, findByRole, getByRole, getByText } = await open([shortLink()], ["too-many-labels-on-link"]);
    const field = getByRole<HTMLInputElement>("textbox", { name: "New label" });
    await user.click(field);
    await user.paste("x".repeat(51));
    await click("Save");
    expect(getByText("The name of a label must be at most 50 characters")).toBeTruthy();
    expect([field.value.length, bodies]).toEqual([51, []]);
    await user.clear(field);
    await user.click(getByRole("checkbox", { name: "Gifts" }));
    await click("Save");
    expect((await findByRole("alert")).textContent).toBe("1 link was not changed: a link can have at most 10 labels.");
  });
});

test("a label is changed and deleted in a dialog", async () => {
  const labels = [{ ...GIFTS, linkCount: 2 }];
  serve("GET /api/labels", () => labels);
  serveLinks([shortLink()]);
  const sent = serve("PATCH /api/labels/1", () => ({ id: 1, name: "Presents", colour: "teal" }));
  serve("DELETE /api/labels/1", () => ({ id: labels.pop()?.id }));
  await renderPages("/dashboard");
  await click("More");
  await click("Manage labels");
  await dialog("Manage labels");
  await click("Edit label Gifts");
  const name = screen.getByRole("textbox", { name: "Name" });
  await user.clear(name);
  await user.type(name, "Presents");
  await choose("Color", "Teal");
  await click("Save");
  expect(await screen.findByText('Label "Presents" saved.')).toBeTruthy();
  expect(sent).toEqual([{ name: "Presents", colour: "teal" }]);
  await click("Delete label Gifts");
  expect(question().getByText(/2 links lose this label/)).toBeTruthy();
  await answer("Delete");
  expect(await screen.findByText("You have no labels yet.")).toBeTruthy();
});

test.each([
  ["what the list shows, with a byte order mark", [], "?format=csv&q=lamp&label=2"],
  ["the selected links", ["A lamp", "A chair, lamp"], "?format=csv&ids=2%2C1"],
  ["all that match if all are selected", "all", "?format=csv&q=lamp&label=2"],
])("the export saves %s", async (_case, selected, query) => {
  const files = catchFiles();
  serveLinks([shortLink({ id: 2 }), shortLink({ id: 1, title: "A chair, lamp" })]);
  const headers = { "Content-Type": "text/csv; charset=utf-8" };
  const queries = serve("GET /api/export", () => new HttpResponse("\uFEFFurl\r\n", { headers }));
  await renderPages("/dashboard?q=lamp&sort=name&label=2");
  await screen.findAllByRole("listitem");
  if (selected === "all") await selectAll();
  else if (selected.length > 0) await click("Select");
  for (const name of selected === "all" ? [] : selected) await user.click(screen.getByRole("checkbox", { name }));
  await click("Export");
  await waitFor(() => expect(files).toHaveLength(1));
  expect(queries).toEqual([query]);
  expect(files[0]?.name).toMatch(/^tapthru-links-\d{4}-\d\d-\d\d\.csv$/);
  const saved = new TextDecoder("utf-8", { ignoreBOM: true }).decode(await files[0]?.file.arrayBuffer());
  expect(saved).toBe("\uFEFFurl\r\n");
});

describe("links of a list that is not loaded whole", () => {
  const ALL_IDS = Array.from({ length: 1_200 }, (_, n) => 1_200 - n);
  const linkTo = (path: string) => ({ headers: { Link: `<${path}>; rel="next"` } });

  async function selectEvery() {
    const first = [1_200, 1_199, 1_198].map((id) => shortLink({ id }));
    serve("GET /api/links", ({ query }) =>
      query.has("cursor") ? noReply() : HttpResponse.json(first, linkTo("/api/links?cursor=1198")),
    );
    const idQueries = serve("GET /api/link-ids", ({ query }) =>
      query.has("before")
        ? ALL_IDS.slice(1_000)
        : HttpResponse.json(ALL_IDS.slice(0, 1_000), linkTo("/api/link-ids?store=de&before=150")),
    );
    await renderPages("/dashboard?store=de&sort=name");
    await screen.findByText("More than 3 links");
    await selectAll();
    await screen.findByText("1,200 selected");
    expect(idQueries).toEqual(["?store=de", "?store=de&before=150"]);
  }

  /** Adds a label to all. @param reply a response to a request, which then changes nothing @returns the changed ids */
  async function labelEvery(reply: (changedCount: number) => Response | Promise<unknown> | null = () => null) {
    const labelled: number[] = [];
    serve("GET /api/labels", () => [{ ...GIFTS, linkCount: 0 }]);
    serve<{ ids: number[] }>("PATCH /api/links/bulk", async ({ body: { ids } }) => {
      const refusal = await reply(labelled.length);
      if (refusal) return refusal;
      labelled.push(...ids);
      return { results: ids.map((id) => ({ id, error: null })) };
    });
    await selectEvery();
    await click("Label");
    const opened = await dialog("Labels for 1,200 links");
    await user.click(await opened.findByRole("checkbox", { name: "Gifts" }));
    await click("Save");
    return { labelled, ...opened };
  }

  test("deletes the links of a long list in batches after a question, keeps those that failed, and brings the others back", async () => {
    await selectEvery();
    const requests: number[][] = [];
    serve<{ ids: number[] }>("DELETE /api/links/bulk", ({ body: { ids } }) => {
      requests.push(ids);
      return requests.length === 2 ? failure() : ids.map((id) => ({ id, isDeleted: true }));
    });
    await click("Delete");
    expect(await screen.findByRole("alertdialog", { name: "Delete 1,200 links?" })).toBeTruthy();
    await answer("Delete");
    await findToast("1,000 of 1,200 links are done. The links could not be deleted. Please try again.");
    expect(requests).toEqual([ALL_IDS.slice(0, 1_000), ALL_IDS.slice(1_000)]);
    const restored: number[] = [];
    serve<{ ids: number[] }>("POST /api/links/bulk/restore", ({ body: { ids } }) => {
      restored.push(...ids);
      return { results: ids.map((id) => ({ id, error: null })) };
    });
    await click("Undo");
    await waitFor(() => expect(restored).toEqual(ALL_IDS));
  });

  test("changes continue after the dialog is closed and the page is left, and ask before a reload", async () => {
    const { released, release } = heldReplies();
    const { labelled } = await labelEvery(async (count) => {
      await released;
      return count > 0 ? failure() : null;
    });
    await waitFor(() => expect(isReloadHeld()).toBe(true));
    await click("Close");
    expect(screen.queryByRole("dialog")).toBeNull();
    await click("Create link");
    release();
    await findToast("1,000 of 1,200 links are done. The labels could not be saved. Please try again.");
    expect([labelled.length, isReloadHeld()]).toEqual([1_000, false]);
  });

  test("are changed after a pause if the api asks for one, and again after a failure", async () => {
    const statuses = [429, 200, 503];
    const { labelled, findByText } = await labelEvery(() => {
      const status = statuses.shift() ?? 200;
      return status === 200 ? null : new HttpResponse(null, { status, headers: { "Retry-After": "0" } });
    });
    await findByText(/^1,000 of 1,200 links are done/);
    await click("Save");
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(labelled.slice(1_000)).toEqual(ALL_IDS);
  });

  test("are exported by their filters, and at most 500 without all", async () => {
    await selectEvery();
    expect(button("Export").hasAttribute("disabled")).toBe(false);
    await user.click(screen.getAllByRole("checkbox")[0] as Element);
    expect([button("Export").hasAttribute("disabled"), button("Export").title]).toEqual([
      true,
      "Select at most 500 links, or all",
    ]);
  });
});
