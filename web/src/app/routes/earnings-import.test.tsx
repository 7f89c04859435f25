import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { answer, check, choose, click, fill, textsOf } from "../../testing/controls.ts";
import { earningsImport, earningsReport } from "../../testing/earnings.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { serve } from "../../testing/serve.ts";

type EarningsImport = ReturnType<typeof earningsImport>;
let imports: EarningsImport[];
let sent: unknown[];
/** The changes that an answer makes to the shown import. */
let afterAnswer: Partial<EarningsImport>;

/** Replaces the shown import. @param status of the reply */
function change(changes: Partial<EarningsImport>, status = 200) {
  const [first = earningsImport(), ...others] = imports;
  imports = [{ ...first, ...changes }, ...others];
  return HttpResponse.json(imports[0], { status });
}

beforeEach(() => {
  imports = [];
  sent = [];
  afterAnswer = { state: "ready", reports: [earningsReport()] };
  serve("GET /api/earnings/imports", () => imports);
  serve("POST /api/earnings/imports", ({ query }) => {
    sent.push(Object.fromEntries(query));
    const createdAt = new Date().toISOString();
    imports = [earningsImport({ state: "reading", marketplace: null, createdAt }), ...imports];
    return imports[0];
  });
  serve("PATCH /api/earnings/imports/:id", ({ body }) => {
    sent.push(body);
    return change({ question: null, ...afterAnswer }, 202);
  });
  serve("POST /api/earnings/imports/:id/store", () =>
    change({ state: "stored", storedAt: "2026-11-20T18:06:00.000Z" }),
  );
  serve("DELETE /api/earnings/imports/:id", ({ params }) => {
    imports = imports.filter(({ id }) => id !== params.id);
    return { id: params.id };
  });
});

const open = () => renderPages("/earnings/import");
const input = () => screen.findByLabelText("Choose a ZIP, CSV or TSV file");
const FILE = new File(["a"], "october.zip", { type: "application/zip" });
const chooseFile = async () => userEvent.upload(await input(), FILE);
const plain = (texts: (string | null)[]) => texts.map((text) => text?.replaceAll(/\s/g, " "));

describe("a file", () => {
  test("says of how many rows its sums are, and names the lines that are in none", async () => {
    await open();
    await chooseFile();
    const unreadLines = [
      { line: 2, text: "Bounty Earnings($)" },
      { line: 1_237, text: "Total, 120" },
    ];
    change({ state: "ready", marketplace: "de", reports: [earningsReport({ rowCount: 1_234, unreadLines })] });
    const reports = await screen.findByRole("region", { name: "Reports of amazon.de (Germany)" });
    const [text = ""] = plain([reports.textContent]);
    for (const part of [
      "The sums cover 1,234 rows.",
      "Not in the sums: line 2, Bounty Earnings($)",
      "Not in the sums: line 1,237, Total, 120",
    ]) {
      expect(text).toContain(part);
    }
  });

  test("is shown as soon as it was sent, also while the list is read", async () => {
    await open();
    await input();
    serve("GET /api/earnings/imports", () => new Promise(() => {}));
    await chooseFile();
    expect(await screen.findAllByText(/^Amazon's reports are being read/)).not.toEqual([]);
  });

  test("reads no file if several are chosen at once, and says so", async () => {
    await open();
    fireEvent.change(await input(), { target: { files: [FILE, FILE] } });
    expect((await screen.findByRole("alert")).textContent).toBe("One file at a time, please. None of these was read.");
    expect(sent).toEqual([]);
    await chooseFile();
    await waitFor(() => expect(sent).toEqual([{ name: "october.zip" }]));
  });
});

const REFUSAL = { reason: "unclear-date", fileName: "Fee-Orders.csv", line: 1_234, text: "32.13.26" } as const;

test.each([
  ["that it was stored", { state: "stored", storedAt: "2026-11-20T18:06:00.000Z" }, "These figures count."],
  ["why it was refused", { state: "refused", refusal: REFUSAL }, "In Fee-Orders.csv, line 1,234"],
] as const)("an import that was opened without its id says %s", async (_, after, text) => {
  imports = [earningsImport({ state: "question", question: "date-order" })];
  afterAnswer = after;
  await open();
  await check(/^Day first/, "radio");
  await click("Continue");
  expect(await screen.findByText(text)).toBeTruthy();
  expect(sent).toEqual([{ dateOrder: "day-first" }]);
  await click("Import another file");
  expect(await input()).toBeTruthy();
});

describe("a question", () => {
  test("asks for the store once", async () => {
    imports = [earningsImport({ state: "question", question: "marketplace", marketplace: null })];
    await open();
    expect(await screen.findByText("The file does not say which store it is from.")).toBeTruthy();
    expect(screen.queryByRole("radio")).toBeNull();
    await click("Continue");
    expect(await screen.findByText("Please choose the store")).toBeTruthy();
    await choose("Store", "amazon.fr (France)");
    await click("Continue");
    await screen.findByText("Nothing counts yet. Compare these sums with Amazon's, then store them.");
    expect(sent).toEqual([{ marketplace: "fr", storeId: "" }]);
  });

  test("an answer that the page did not ask for can be corrected in the preview", async () => {
    imports = [earningsImport({ reports: [earningsReport()] })];
    await open();
    await userEvent.click(await screen.findByText("Is the store, the account or a date wrong?"));
    await fill("Store ID of your Associates account", "me-21");
    await click("Read again");
    await waitFor(() => expect(sent).toEqual([{ marketplace: "de", storeId: "me-21" }]));
  });
});

test("earlier imports are told apart by store, account, reports and what counts of them", async () => {
  const reports = [
    earningsReport({ countedDayCount: 31 }),
    earningsReport({ kind: "orders", countedDayCount: 12 }),
    earningsReport({ kind: "bounties" }),
    earningsReport({ kind: "tracking" }),
  ];
  imports = [earningsImport({ state: "stored", storeId: "me-21", reports })];
  await open();
  const item = (await screen.findByText("october.zip")).closest("li") as HTMLElement;
  expect(item.textContent).toContain("amazon.de, me-21, stored");
  expect(plain(textsOf(within(item).getAllByRole("listitem")))).toEqual([
    "Earnings, Oct 1 – 31, 2026: counts",
    "Orders, Oct 1 – 31, 2026: counts for 12 of 31 days, the others are replaced",
    "Bounties, Oct 1 – 31, 2026: replaced, no longer counts",
    "Tags, Oct 1 – 31, 2026",
  ]);
});

test("earlier imports are shown a page at a time", async () => {
  const all = Array.from({ length: 101 }, (_, index) =>
    earningsImport({
      id: `00000000-0000-4000-8000-${1_000 + index}00000000`,
      fileName: `${index}.zip`,
      state: "stored",
    }),
  );
  serve("GET /api/earnings/imports", ({ query }) => {
    const start = all.findIndex(({ id }) => id === query.get("after")) + 1;
    return all.slice(start, start + 100);
  });
  await open();
  await screen.findByText("99.zip");
  expect(screen.queryByText("100.zip")).toBeNull();
  await click("Show more");
  expect(await screen.findByText("100.zip")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

test.each([
  ["the list", "/earnings/import"],
  ["its own view", `/earnings/import?id=${earningsImport().id}`],
])("a stored import is removed in %s after a confirmation", async (_place, path) => {
  imports = [earningsImport({ state: "stored" })];
  await renderPages(path);
  await click("Remove october.zip");
  const name = "Remove this import with its figures? Figures that it replaced count again.";
  expect(screen.getByRole("alertdialog", { name })).toBeTruthy();
  await answer("Remove");
  await waitFor(() => expect(screen.queryByText("october.zip")).toBeNull());
  expect(imports).toEqual([]);
});
