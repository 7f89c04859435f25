import type { EarningsImport, EarningsReport } from "@tapthru/proto/earnings-imports";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { earningsImport, earningsReport } from "../../testing/earnings-server.ts";
import { renderPages } from "../../testing/render-pages.tsx";
import { server } from "../../testing/server.ts";

let imports: EarningsImport[];
let sent: unknown[];
let user: ReturnType<typeof userEvent.setup>;

/** Replaces the shown import. */
function change(changes: Partial<EarningsImport>) {
  const [first = earningsImport(), ...others] = imports;
  const changed = { ...first, ...changes };
  imports = [changed, ...others];
  return HttpResponse.json(changed);
}

beforeEach(() => {
  imports = [];
  sent = [];
  user = userEvent.setup();
  server.use(
    http.get("/api/earnings/imports", () => HttpResponse.json(imports)),
    http.post("/api/earnings/imports", ({ request }) => {
      sent.push(Object.fromEntries(new URL(request.url).searchParams));
      const createdAt = new Date().toISOString();
      imports = [earningsImport({ state: "reading", marketplace: null, createdAt }), ...imports];
      return HttpResponse.json(imports[0], { status: 202 });
    }),
    http.patch("/api/earnings/imports/:id", async ({ request }) => {
      sent.push(await request.json());
      change({ state: "ready", question: null, reports: [earningsReport()] });
      return HttpResponse.json(imports[0], { status: 202 });
    }),
    http.post("/api/earnings/imports/:id/store", () =>
      change({ state: "stored", storedAt: "2026-11-20T18:06:00.000Z" }),
    ),
    http.delete("/api/earnings/imports/:id", ({ params }) => {
      imports = imports.filter(({ id }) => id !== params.id);
      return HttpResponse.json({ id: params.id });
    }),
  );
});

const open = () => renderPages("/earnings/import");
const FILE = new File(["a"], "october.zip", { type: "application/zip" });
const choose = async (file = FILE) => user.upload(await screen.findByLabelText("Choose a ZIP, CSV or TSV file"), file);

describe("a file", () => {
  test("is sent, read, previewed and stored", async () => {
    await open();
    await choose();
    expect(await screen.findAllByText("Amazon's reports are being read. You can leave this page.")).toHaveLength(2);
    expect(sent).toEqual([{ name: "october.zip" }]);
    change({
      state: "ready",
      marketplace: "de",
      reports: [
        earningsReport({ unmatchedRowCount: 12, replacedDayCount: 30 }),
        earningsReport({ kind: "tracking", replacedDayCount: 1, otherAccountDayCount: 2 }),
      ],
    });
    const reports = await screen.findByRole("region", { name: "Reports of amazon.de (Germany)" });
    expect(reports.textContent.replaceAll(/\s/g, " ")).toContain("Oct 1 – 31, 2026Fee-Earnings.csv");
    expect(reports.textContent).toContain("Earnings€123.45Sales€4,000.00Shipped120Returned4");
    expect(reports.textContent).toContain("12 rows have a tracking ID that no channel");
    expect(reports.textContent).toContain("Replaces the stored figures of 30 days.");
    expect(reports.textContent).toContain("2 of these days have figures of another store ID.");
    await user.click(screen.getByRole("button", { name: "Store these figures" }));
    expect(await screen.findByText("These figures count.")).toBeTruthy();
    const link = screen.getByRole("link", { name: "Your earnings" });
    const period = "period=custom&from=2026-10-01&to=2026-10-31";
    expect(link.getAttribute("href")).toBe(`/earnings?${period}`);
  });

  test("that is sent after the page was left does not bring it back", async () => {
    const reply = Promise.withResolvers<void>();
    let isSent = false;
    server.use(
      http.post("/api/earnings/imports", async () => {
        await reply.promise;
        isSent = true;
        return HttpResponse.json(earningsImport({ state: "reading" }), { status: 202 });
      }),
    );
    await renderPages("/clicks", "/earnings/import");
    await choose();
    await user.click(screen.getByRole("button", { name: "Browser's back" }));
    await screen.findByRole("heading", { name: "Clicks" });
    reply.resolve();
    await waitFor(() => expect(isSent).toBe(true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(screen.getByRole("heading", { name: "Clicks" })).toBeTruthy();
  });

  test("is not read if several are chosen at once, which the page says", async () => {
    await open();
    const input = await screen.findByLabelText("Choose a ZIP, CSV or TSV file");
    fireEvent.change(input, { target: { files: [FILE, FILE] } });
    expect((await screen.findByRole("alert")).textContent).toBe("One file at a time, please. None of these was read.");
    expect(sent).toEqual([]);
    await choose();
    await waitFor(() => expect(sent).toEqual([{ name: "october.zip" }]));
  });

  test("replaces one that is not stored only after a question", async () => {
    const id = "5f0c2c1e-8d4b-4a67-9f0e-2f6c1b7a9d32";
    imports = [earningsImport({ id, fileName: "september.zip", reports: [earningsReport()] })];
    await renderPages("/earnings/import?id=new");
    await choose();
    const dialog = screen.getByRole("alertdialog", { name: /^september.zip is not stored\./ });
    await user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(sent).toEqual([]);
    await choose();
    await user.click(screen.getByRole("button", { name: "Discard and import" }));
    await waitFor(() => expect(sent).toEqual([{ name: "october.zip" }]));
  });
});

const REFUSAL = { reason: "unclear-date", fileName: "Fee-Orders.csv", line: 1_234, text: "32.13.26" } as const;

test.each([
  ["that it was stored", { state: "stored", storedAt: "2026-11-20T18:06:00.000Z" }, "These figures count."],
  ["why it was refused", { state: "refused", refusal: REFUSAL }, "In Fee-Orders.csv, line 1,234"],
] as const)("an import that was opened without its id says %s", async (_, changes, text) => {
  imports = [earningsImport({ state: "question", question: "date-order" })];
  server.use(
    http.patch("/api/earnings/imports/:id", async ({ request }) => {
      sent.push(await request.json());
      change({ question: null, ...changes });
      return HttpResponse.json(imports[0], { status: 202 });
    }),
  );
  await open();
  await user.click(await screen.findByRole("radio", { name: /^Day first/ }));
  await user.click(screen.getByRole("button", { name: "Continue" }));
  expect(await screen.findByText(text)).toBeTruthy();
  expect(sent).toEqual([{ dateOrder: "day-first" }]);
  await user.click(screen.getByRole("button", { name: "Import another file" }));
  expect(await screen.findByLabelText("Choose a ZIP, CSV or TSV file")).toBeTruthy();
});

describe("a question", () => {
  test("about the store is put once", async () => {
    imports = [earningsImport({ state: "question", question: "marketplace", marketplace: null })];
    await open();
    expect(await screen.findByText("The file does not say from which store it is.")).toBeTruthy();
    expect(screen.queryByRole("radio")).toBeNull();
    const button = screen.getByRole("button", { name: "Continue" });
    expect(button).toHaveProperty("disabled", true);
    await user.selectOptions(screen.getByLabelText("Store"), "amazon.fr (France)");
    await user.click(button);
    expect(
      await screen.findByText("Nothing counts yet. Compare these sums with Amazon's, then store them."),
    ).toBeTruthy();
    expect(sent).toEqual([{ marketplace: "fr", storeId: "" }]);
  });

  test("that was not put can be corrected in the preview", async () => {
    imports = [earningsImport({ reports: [earningsReport()] })];
    await open();
    await user.click(await screen.findByText("Is the store, the account or a date wrong?"));
    await user.type(screen.getByLabelText("Store ID of your Associates account"), "me-21");
    await user.click(screen.getByRole("button", { name: "Read again" }));
    await waitFor(() => expect(sent).toEqual([{ marketplace: "de", storeId: "me-21" }]));
  });
});

test("earlier imports are told apart by store, account, reports and what counts of them", async () => {
  const report = (changes: Partial<EarningsReport>) => earningsReport({ ...changes });
  imports = [
    earningsImport({
      state: "stored",
      storeId: "me-21",
      reports: [
        report({ countedDayCount: 31 }),
        report({ kind: "orders", countedDayCount: 12 }),
        report({ kind: "bounties" }),
        report({ kind: "tracking" }),
      ],
    }),
  ];
  await open();
  const item = (await screen.findByText("october.zip")).closest("li");
  expect(item?.textContent).toContain("amazon.de, me-21, stored");
  const texts = within(item as HTMLElement).getAllByRole("listitem");
  expect(texts.map(({ textContent }) => textContent.replaceAll(/\s/g, " "))).toEqual([
    "Earnings, Oct 1 – 31, 2026: counts",
    "Orders, Oct 1 – 31, 2026: counts for 12 of 31 days, the others are replaced",
    "Bounties, Oct 1 – 31, 2026: replaced, no longer counts",
    "Tracking IDs, Oct 1 – 31, 2026",
  ]);
});

test("earlier imports are shown a page at a time", async () => {
  const all = Array.from({ length: 101 }, (_, index) =>
    earningsImport({
      id: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      fileName: `${index}.zip`,
      state: "stored",
    }),
  );
  server.use(
    http.get("/api/earnings/imports", ({ request }) => {
      const after = new URL(request.url).searchParams.get("after");
      const start = all.findIndex(({ id }) => id === after) + 1;
      return HttpResponse.json(all.slice(start, start + 100));
    }),
  );
  await open();
  await user.click(await screen.findByRole("button", { name: "Show all 100" }));
  expect(screen.queryByText("100.zip")).toBeNull();
  await user.click(screen.getByRole("button", { name: "Show more" }));
  expect(await screen.findByText("100.zip")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Show more" })).toBeNull();
});

test.each([
  ["the list", "/earnings/import"],
  ["its own view", `/earnings/import?id=${earningsImport().id}`],
])("a stored import is removed in %s after a confirmation", async (_place, path) => {
  imports = [earningsImport({ state: "stored" })];
  await renderPages(path);
  await user.click(await screen.findByRole("button", { name: "Remove october.zip" }));
  const dialog = screen.getByRole("alertdialog", {
    name: "Remove this import with its figures? Figures that it replaced count again.",
  });
  await user.click(within(dialog).getByRole("button", { name: "Remove" }));
  await waitFor(() => expect(screen.queryByText("october.zip")).toBeNull());
  expect(imports).toEqual([]);
});
