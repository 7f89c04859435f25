import type { CountedLabel, Label } from "@tapthru/proto/labels";
import type { Link } from "@tapthru/proto/links";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { describe, expect, test } from "vitest";
import { problem } from "../../testing/accounts-server.ts";
import { catchFiles } from "../../testing/catch-files.ts";
import { answer, question } from "../../testing/controls.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { serve } from "../../testing/serve.ts";
import { server } from "../../testing/server.ts";

const GIFTS: Label = { id: 1, name: "Gifts", colour: "red" };
const TOYS: Label = { id: 2, name: "Toys", colour: "blue" };
const SUMMER: Label = { id: 3, name: "Summer", colour: "green" };

const button = (name: string) => screen.getByRole("button", { name });
const dialog = async (name: string) => within(await screen.findByRole("dialog", { name }));

function serveLabels(labels: Label[]): CountedLabel[] {
  const served = labels.map((label) => ({ ...label, linkCount: 2 }));
  server.use(http.get("/api/labels", () => HttpResponse.json(served)));
  return served;
}

/** Opens the dialog of the labels of links. @returns the bodies of its requests */
async function openDialog(links: Link[], errors: (string | null)[] = []) {
  serveLinks(links);
  const bodies = serve<{ ids: number[] }>("PATCH /api/links/bulk", ({ body: { ids } }) => ({
    results: ids.map((id, index) => ({ id, error: errors[index] ?? null })),
  }));
  await renderPages("/dashboard");
  await screen.findAllByRole("listitem");
  await selectAll();
  await userEvent.click(button("Label"));
  return { bodies, ...(await dialog(`Labels for ${links.length === 1 ? "1 link" : `${links.length} links`}`)) };
}

async function selectAll() {
  await userEvent.click(button("Select"));
  await userEvent.click(button("Select all"));
}

describe("labels on the dashboard", () => {
  test("are shown on cards, two at most, and all of them are read out", async () => {
    serveLinks([shortLink({ labels: [GIFTS, SUMMER, TOYS] })]);
    await renderPages("/dashboard");
    const card = within(await screen.findByRole("listitem"));
    expect(card.getByText("Gifts")).toBeTruthy();
    expect(card.getByText("Summer")).toBeTruthy();
    expect(card.getByText("+1").getAttribute("aria-hidden")).toBe("true");
    expect(card.getByText("Toys").className).toBe("sr-only");
  });

  test("filter the list together with the search", async () => {
    serveLabels([GIFTS, TOYS]);
    const { queries } = serveLinks([shortLink()]);
    await renderPages("/dashboard?q=lamp");
    await userEvent.click(await screen.findByRole("button", { name: "Filters" }));
    await screen.findByRole("option", { name: "Toys" });
    await userEvent.selectOptions(screen.getByRole("combobox", { name: "Filter by label" }), "Toys");
    await waitFor(() => expect(queries.at(-1)).toContain("label=2"));
    expect(queries.at(-1)).toContain("q=lamp");
  });
});

describe("the labels of selected links", () => {
  test("are added and removed together, and a new one is created in place", async () => {
    serveLabels([GIFTS, SUMMER, TOYS]);
    const { bodies, findByRole, getByRole } = await openDialog([
      shortLink({ id: 2, labels: [GIFTS, TOYS] }),
      shortLink({ id: 1, labels: [GIFTS] }),
    ]);
    const box = (name: string) => getByRole<HTMLInputElement>("checkbox", { name });
    await findByRole("checkbox", { name: "Gifts" });
    expect([box("Gifts").checked, box("Toys").indeterminate, box("Summer").checked]).toEqual([true, true, false]);
    await userEvent.click(box("Gifts"));
    await userEvent.click(box("Toys"));
    await userEvent.type(getByRole("textbox", { name: "New label" }), " Camping ");
    await userEvent.click(getByRole("button", { name: "Add" }));
    expect(box("Camping").checked).toBe(true);
    await userEvent.click(getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(bodies).toEqual([{ ids: [2, 1], addLabels: [2, "Camping"], removeLabels: [1] }]);
  });

  test.each([
    ["a new one", " Camping ", "Camping"],
    ["one of the list", "gifts", 1],
  ])("include what is typed when they are saved: %s", async (_case, typed, added) => {
    serveLabels([GIFTS]);
    const { bodies, findByRole, getByRole } = await openDialog([shortLink({ id: 1 })]);
    await findByRole("checkbox", { name: "Gifts" });
    await userEvent.type(getByRole("textbox", { name: "New label" }), typed);
    await userEvent.click(getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(bodies).toEqual([{ ids: [1], addLabels: [added], removeLabels: [] }]);
  });

  test("are not saved with a name that is too long, which is not cut", async () => {
    const { bodies, getByRole, getByText } = await openDialog([shortLink()]);
    const field = getByRole<HTMLInputElement>("textbox", { name: "New label" });
    await userEvent.click(field);
    await userEvent.paste("x".repeat(51));
    await userEvent.click(getByRole("button", { name: "Save" }));
    expect(getByText("The name of a label must be at most 50 characters")).toBeTruthy();
    expect([field.value.length, bodies]).toEqual([51, []]);
  });

  test("stay open with a message if a link would have too many", async () => {
    serveLabels([GIFTS]);
    const { findByRole, getByRole } = await openDialog(
      [shortLink({ id: 2 }), shortLink({ id: 1 })],
      ["too-many-labels-on-link"],
    );
    await userEvent.click(await findByRole("checkbox", { name: "Gifts" }));
    await userEvent.click(getByRole("button", { name: "Save" }));
    expect((await findByRole("alert")).textContent).toBe("1 link was not changed: a link can have at most 10 labels.");
  });
});

test("a label is changed and deleted in a dialog, which asks before it discards a name", async () => {
  const labels = serveLabels([GIFTS]);
  serveLinks([shortLink()]);
  const sent = serve("PATCH /api/labels/1", () => ({ id: 1, name: "Presents", colour: "teal" }));
  serve("PATCH /api/labels/1", () => problem("label-taken"), { once: true });
  serve("DELETE /api/labels/1", () => ({ id: labels.pop()?.id }));
  await renderPages("/dashboard");
  await userEvent.click(await screen.findByRole("button", { name: "Filters" }));
  await userEvent.click(await screen.findByRole("button", { name: "Manage labels" }));
  const { findByRole, getByRole, findByText } = await dialog("Manage labels");
  const save = () => userEvent.click(getByRole("button", { name: "Save" }));
  await userEvent.click(await findByRole("button", { name: "Edit label Gifts" }));
  const name = getByRole("textbox", { name: "Name" });
  await userEvent.clear(name);
  await save();
  expect(await findByText("A label needs a name")).toBeTruthy();
  await userEvent.type(name, "Presents");
  await userEvent.click(getByRole("button", { name: "Close" }));
  await answer("Cancel");
  await save();
  expect(await findByText("You already have a label with this name.")).toBeTruthy();
  await userEvent.selectOptions(getByRole("combobox", { name: "Colour" }), "Teal");
  await save();
  expect(await findByText('Label "Presents" saved.')).toBeTruthy();
  expect(sent).toEqual([{ name: "Presents", colour: "teal" }]);
  await userEvent.click(await findByRole("button", { name: "Delete label Gifts" }));
  expect(question().getByText(/2 links lose this label/)).toBeTruthy();
  await answer("Delete");
  expect(await findByText("You have no labels yet.")).toBeTruthy();
});

describe("the export", () => {
  test("saves what the list shows as CSV, with a byte order mark", async () => {
    const files = catchFiles();
    serveLinks([shortLink()]);
    const headers = { "Content-Type": "text/csv; charset=utf-8" };
    const queries = serve(
      "GET /api/export",
      () => new HttpResponse("\uFEFFurl\r\nhttps://www.amazon.de/\r\n", { headers }),
    );
    await renderPages("/dashboard?q=lamp&sort=name&label=2");
    await userEvent.click(await screen.findByRole("button", { name: /^Filters/ }));
    await userEvent.click(button("Export"));
    const { getByRole, getByText } = await dialog("Export");
    expect(getByText(/match your search and filters/)).toBeTruthy();
    await userEvent.click(getByRole("button", { name: "Download" }));
    await waitFor(() => expect(files).toHaveLength(1));
    expect(queries).toEqual(["?format=csv&q=lamp&label=2"]);
    expect(files[0]?.name).toMatch(/^tapthru-links-\d{4}-\d\d-\d\d\.csv$/);
    const bytes = new Uint8Array((await files[0]?.file.arrayBuffer()) ?? new ArrayBuffer());
    expect([...bytes.subarray(0, 4)]).toEqual([0xef, 0xbb, 0xbf, "u".charCodeAt(0)]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("saves the selected links as JSON", async () => {
    const files = catchFiles();
    serveLinks([shortLink({ id: 2 }), shortLink({ id: 1 })]);
    const queries = serve("GET /api/export", () => ({ exportedAt: "2026-11-21T12:00:00.000Z", links: [] }));
    await renderPages("/dashboard?q=lamp");
    await screen.findAllByRole("listitem");
    await selectAll();
    await userEvent.click(button("Export"));
    const { getByRole, getByText } = await dialog("Export");
    expect(getByText(/^2 selected links/)).toBeTruthy();
    await userEvent.click(getByRole("radio", { name: "JSON" }));
    await userEvent.click(getByRole("button", { name: "Download" }));
    await waitFor(() => expect(files).toHaveLength(1));
    expect(queries).toEqual(["?format=json&ids=2%2C1"]);
    expect(JSON.parse((await files[0]?.file.text()) ?? "")).toMatchObject({ links: [] });
  });
});
