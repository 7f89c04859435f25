import type { ReportedLink } from "@tapthru/proto/operator/complaints";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, test } from "vitest";
import { mergeReports } from "../../../features/operator/reports-api.ts";
import { problem } from "../../../testing/accounts-server.ts";
import { openAsOperator } from "../../../testing/operator-server.ts";
import { server } from "../../../testing/server.ts";
import { findToast } from "../../../testing/toast.ts";

const reported = (shortCode: string, state: ReportedLink["state"] = "open"): ReportedLink => ({
  shortCode,
  shortUrl: `https://tapthru.example/l/${shortCode}`,
  webUrl: "https://www.amazon.com/dp/B0DUCKMUG1?tag=anna-21",
  title: `Title of ${shortCode}`,
  imageUrl: null,
  createdAt: "2026-11-20T08:00:00.000Z",
  owner: { id: 7, username: "berta" },
  state,
  counts: { misleading: 2, spam: 1 },
  firstReportedAt: "2026-11-26T08:00:00.000Z",
  lastReportedAt: "2026-11-26T09:00:00.000Z",
  decidedAt: state === "open" ? null : "2026-11-26T10:00:00.000Z",
});

let links: ReportedLink[];
let sent: string[];

beforeEach(() => {
  links = [reported("mug"), reported("lamp")];
  sent = [];
  server.use(
    http.get("/api/operator/reports", () =>
      HttpResponse.json({ links, openCount: links.filter(({ state }) => state === "open").length }),
    ),
    http.put("/api/operator/reports/:shortCode", async ({ request, params }) => {
      const { state } = (await request.json()) as Pick<ReportedLink, "state">;
      sent.push(`${params.shortCode} ${state}`);
      const decided = reported(String(params.shortCode), state);
      links = links.map((link) => (link.shortCode === decided.shortCode ? decided : link));
      return HttpResponse.json(decided);
    }),
  );
});

async function open() {
  await openAsOperator("/operator");
  await screen.findByText("2 reported links are open.");
  const list = within(screen.getByRole("list", { name: "Reported links" }));
  return list.getAllByRole("listitem").filter((item) => item.hasAttribute("data-item"));
}

test("the keyboard moves between reported links, decides and undoes", async () => {
  const user = userEvent.setup();
  const [first, second] = await open();
  (document.activeElement as HTMLElement | null)?.blur();
  await user.keyboard("j");
  expect(document.activeElement).toBe(first);
  await user.keyboard("j");
  expect(document.activeElement).toBe(second);
  await user.keyboard("t");
  await screen.findByText("1 reported link is open.");
  expect(within(second as HTMLElement).getByText("Taken down")).toBeTruthy();
  expect(document.activeElement).toBe(second);
  // Is decided already.
  await user.keyboard("d");
  await user.keyboard("u");
  await screen.findByText("2 reported links are open.");
  await user.keyboard("{ArrowUp}d");
  await screen.findByText("1 reported link is open.");
  expect(sent).toEqual(["lamp taken-down", "lamp open", "mug dismissed"]);
});

test("keys with a modifier decide nothing", async () => {
  const user = userEvent.setup();
  const [first] = await open();
  first?.focus();
  await user.keyboard("{Control>}t{/Control}");
  await user.keyboard("t");
  await screen.findByText("1 reported link is open.");
  expect(sent).toEqual(["mug taken-down"]);
});

test("the toast undoes a decision", async () => {
  const user = userEvent.setup();
  const [first] = await open();
  await user.click(screen.getByRole("button", { name: "Take down Title of mug" }));
  await findToast("mug was taken down. Visitors see that it no longer works.");
  const region = screen.getByRole("region", { name: /Notifications/ });
  await user.click(within(region).getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(sent).toEqual(["mug taken-down", "mug open"]));
  expect(await within(first as HTMLElement).findByRole("button", { name: "Take down Title of mug" })).toBeTruthy();
});

test("a decision that was not saved leaves the link open", async () => {
  server.use(http.put("/api/operator/reports/:shortCode", () => problem("unavailable")));
  const user = userEvent.setup();
  await open();
  await user.click(screen.getByRole("button", { name: "Take down Title of mug" }));
  await findToast("The decision was not saved. Please try again.");
  expect(screen.getByText("2 reported links are open.")).toBeTruthy();
});

test("a fresh list moves no link, keeps those decided here, and drops those decided elsewhere", () => {
  const shown = [reported("a"), reported("b", "dismissed"), reported("c")];
  const fresh = [reported("d"), reported("c")];
  const codes = mergeReports(shown, fresh, "open").map(({ shortCode }) => shortCode);
  expect(codes).toEqual(["b", "c", "d"]);
});
