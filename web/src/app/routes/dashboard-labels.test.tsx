import type { CountedLabel, Label } from "@tapthru/proto/labels";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { describe, expect, test, vi } from "vitest";
import { problem } from "../../testing/accounts-server.ts";
import { serveLinks, shortLink } from "../../testing/links-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
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

/** Records the bodies of requests to change the labels of links. */
function acceptChanges(errors: (string | null)[] = []): unknown[] {
  const bodies: unknown[] = [];
  server.use(
    http.patch("/api/links/bulk", async ({ request }) => {
      const body = (await request.json()) as { ids: number[] };
      bodies.push(body);
      const results = body.ids.map((id, index) => ({ id, error: errors[index] ?? null }));
      return HttpResponse.json({ results });
    }),
  );
  return bodies;
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

  test("have no filter before there is a label", async () => {
    serveLinks([shortLink()]);
    await renderPages("/dashboard");
    await userEvent.click(await screen.findByRole("button", { name: "Filters" }));
    expect(screen.queryByRole("combobox", { name: "Filter by label" })).toBeNull();
  });
});

describe("the labels of selected links", () => {
  test("are added and removed together, and a new one is created in place", async () => {
    serveLabels([GIFTS, SUMMER, TOYS]);
    serveLinks([shortLink({ id: 2, labels: [GIFTS, TOYS] }), shortLink({ id: 1, labels: [GIFTS] })]);
    const bodies = acceptChanges();
    await renderPages("/dashboard");
    await screen.findAllByRole("listitem");
    await selectAll();
    await userEvent.click(button("Label"));
    const { findByRole, getByRole } = await dialog("Labels for 2 links");
    const box = (name: string) => getByRole<HTMLInputElement>("checkbox", { name });
    await findByRole("checkbox", { name: "Gifts" });
    expect([box("Gifts").checked, box("Toys").indeterminate, box("Summer").checked]).toEqual([true, true, false]);
    await userEvent.click(box("Gifts"));
    await userEvent.click(box("Toys"));
    await userEvent.type(getByRole("textbox", { name: "New label" }), " Camping {Enter}");
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
    serveLinks([shortLink({ id: 1 })]);
    const bodies = acceptChanges();
    await renderPages("/dashboard");
    await screen.findAllByRole("listitem");
    await selectAll();
    await userEvent.click(button("Label"));
    const { findByRole, getByRole } = await dialog("Labels for 1 link");
    await findByRole("checkbox", { name: "Gifts" });
    await userEvent.type(getByRole("textbox", { name: "New label" }), typed);
    await userEvent.click(getByRole("button", { name: "Save" }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
    expect(bodies).toEqual([{ ids: [1], addLabels: [added], removeLabels: [] }]);
  });

  test("are not saved with a name that is too long, which is not cut", async () => {
    serveLinks([shortLink()]);
    const bodies = acceptChanges();
    await renderPages("/dashboard");
    await screen.findAllByRole("listitem");
    await selectAll();
    await userEvent.click(button("Label"));
    const { getByRole, getByText } = await dialog("Labels for 1 link");
    const field = getByRole<HTMLInputElement>("textbox", { name: "New label" });
    await userEvent.click(field);
    await userEvent.paste("x".repeat(51));
    await userEvent.click(getByRole("button", { name: "Save" }));
    expect(getByText("The name of a label must be at most 50 characters")).toBeTruthy();
    expect([field.value.length, bodies]).toEqual([51, []]);
  });

  test("stay open with a message if a link would have too many", async () => {
    serveLabels([GIFTS]);
    serveLinks([shortLink({ id: 2 }), shortLink({ id: 1 })]);
    acceptChanges(["too-many-labels-on-link"]);
    await renderPages("/dashboard");
    await screen.findAllByRole("listitem");
    await selectAll();
    await userEvent.click(button("Label"));
    const { findByRole, getByRole } = await dialog("Labels for 2 links");
    await userEvent.click(await findByRole("checkbox", { name: "Gifts" }));
    await userEvent.click(getByRole("button", { name: "Save" }));
    expect((await findByRole("alert")).textContent).toBe("1 link was not changed: a link can have at most 10 labels.");
  });

  test("keep the dialog open with a message if the request fails", async () => {
    serveLabels([GIFTS]);
    serveLinks([shortLink()]);
    server.use(http.patch("/api/links/bulk", () => new HttpResponse(null, { status: 503 })));
    await renderPages("/dashboard");
    await screen.findAllByRole("listitem");
    await selectAll();
    await userEvent.click(button("Label"));
    const { findByRole, getByRole } = await dialog("Labels for 1 link");
    await userEvent.click(await findByRole("checkbox", { name: "Gifts" }));
    await userEvent.click(getByRole("button", { name: "Save" }));
    expect((await findByRole("alert")).textContent).toMatch(/could not be saved/);
  });
});

describe("the dialog that manages labels", () => {
  const open = async () => {
    const labels = serveLabels([GIFTS]);
    serveLinks([shortLink()]);
    await renderPages("/dashboard");
    await userEvent.click(await screen.findByRole("button", { name: "Filters" }));
    await userEvent.click(await screen.findByRole("button", { name: "Manage labels" }));
    return { labels, ...(await dialog("Manage labels")) };
  };

  const edit = async () => {
    const opened = await open();
    await userEvent.click(await opened.findByRole("button", { name: "Edit label Gifts" }));
    return { ...opened, name: opened.getByRole("textbox", { name: "Name" }) };
  };

  test("changes name and colour", async () => {
    const { name, getByRole, findByText } = await edit();
    const bodies: unknown[] = [];
    server.use(
      http.patch("/api/labels/1", async ({ request }) => {
        bodies.push(await request.json());
        return HttpResponse.json({ id: 1, name: "Presents", colour: "teal" });
      }),
    );
    await userEvent.clear(name);
    await userEvent.type(name, "Presents");
    await userEvent.selectOptions(getByRole("combobox", { name: "Colour" }), "Teal");
    await userEvent.click(getByRole("button", { name: "Save" }));
    expect(await findByText('Label "Presents" saved.')).toBeTruthy();
    expect(bodies).toEqual([{ name: "Presents", colour: "teal" }]);
  });

  test("shows that a name is taken or missing", async () => {
    const { name, getByRole, findByText } = await edit();
    server.use(http.patch("/api/labels/1", () => problem("label-taken")));
    await userEvent.click(getByRole("button", { name: "Save" }));
    expect(await findByText("You already have a label with this name.")).toBeTruthy();
    await userEvent.clear(name);
    await userEvent.click(getByRole("button", { name: "Save" }));
    expect(await findByText("A label needs a name")).toBeTruthy();
  });

  test("asks before it discards a name", async () => {
    const { name, getByRole } = await edit();
    await userEvent.type(name, "Presents");
    await userEvent.click(getByRole("button", { name: "Close" }));
    await userEvent.click(await screen.findByRole("button", { name: "Discard" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("deletes a label after a confirmation", async () => {
    const { labels, findByRole, findByText } = await open();
    server.use(
      http.delete("/api/labels/1", () => {
        labels.pop();
        return HttpResponse.json({ id: 1 });
      }),
    );
    await userEvent.click(await findByRole("button", { name: "Delete label Gifts" }));
    const confirmation = within(await screen.findByRole("alertdialog"));
    expect(confirmation.getByText(/2 links lose this label/)).toBeTruthy();
    await userEvent.click(confirmation.getByRole("button", { name: "Delete" }));
    expect(await findByText("You have no labels yet.")).toBeTruthy();
  });
});

describe("the export", () => {
  const files: { name: string; blob: Blob }[] = [];
  function recordFiles() {
    files.length = 0;
    const blobs = new Map<string, Blob>();
    vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
      const url = `blob:file${blobs.size}`;
      blobs.set(url, blob as Blob);
      return url;
    });
    vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
      files.push({ name: this.download, blob: blobs.get(this.href) ?? new Blob() });
    });
  }

  test("saves what the list shows as CSV, with a byte order mark", async () => {
    recordFiles();
    serveLinks([shortLink()]);
    const queries: string[] = [];
    server.use(
      http.get("/api/export", ({ request }) => {
        queries.push(new URL(request.url).search);
        const headers = { "Content-Type": "text/csv; charset=utf-8" };
        return new HttpResponse("\uFEFFurl\r\nhttps://www.amazon.de/\r\n", { headers });
      }),
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
    const bytes = new Uint8Array((await files[0]?.blob.arrayBuffer()) ?? new ArrayBuffer());
    expect([...bytes.subarray(0, 4)]).toEqual([0xef, 0xbb, 0xbf, "u".charCodeAt(0)]);
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  });

  test("saves the selected links as JSON", async () => {
    recordFiles();
    serveLinks([shortLink({ id: 2 }), shortLink({ id: 1 })]);
    const queries: string[] = [];
    server.use(
      http.get("/api/export", ({ request }) => {
        queries.push(new URL(request.url).search);
        return HttpResponse.json({ exportedAt: "2026-11-21T12:00:00.000Z", links: [] });
      }),
    );
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
    expect(JSON.parse((await files[0]?.blob.text()) ?? "")).toMatchObject({ links: [] });
  });

  test("saves no file if the reply breaks off", async () => {
    recordFiles();
    serveLinks([shortLink()]);
    server.use(http.get("/api/export", () => HttpResponse.error()));
    await renderPages("/dashboard");
    await userEvent.click(await screen.findByRole("button", { name: "Filters" }));
    await userEvent.click(button("Export"));
    const { findByRole, getByRole } = await dialog("Export");
    await userEvent.click(getByRole("button", { name: "Download" }));
    expect((await findByRole("alert")).textContent).toMatch(/could not be exported/);
    expect(files).toEqual([]);
  });
});
