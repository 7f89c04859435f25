import type { FailedJobs } from "@tapthru/proto/operator/system";
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, test } from "vitest";
import { openAsOperator, systemState } from "../../../testing/operator-server.ts";
import { server } from "../../../testing/server.ts";
import { findToast } from "../../../testing/toast.ts";

const user = userEvent.setup();

describe("the page of the installation's state", () => {
  let queues: FailedJobs[] | null;
  let changes: string[];

  beforeEach(() => {
    const latest = ["7", "8"].map((id) => ({
      id,
      failedAt: "2026-11-26T08:00:00.000Z",
      attempts: 5,
      reason: `The page of ${id} did not respond`,
    }));
    queues = [{ job: "run-import", count: 30, latest }];
    changes = [];
    server.use(
      http.get("/api/operator/system", () => HttpResponse.json(systemState(queues))),
      http.post("/api/operator/queues/:job/:action", async ({ request, params }) => {
        changes.push(`${params.action} ${params.job} ${await request.text()}`);
        queues = [];
        return HttpResponse.json({ count: 2 });
      }),
    );
  });
  const open = () => openAsOperator("/operator/system");
  const card = async (title: string) => {
    const heading = await screen.findByRole("heading", { name: title });
    return within(heading.closest("section") as HTMLElement);
  };

  test("has features, with the settings that turn them on", async () => {
    await open();
    const features = (await card("Features")).getAllByRole("listitem");
    expect(features.map(({ textContent }) => textContent)).toEqual([
      "WebhooksOnSettings: WEBHOOK_KEYS",
      "Amazon AdsOffSettings: AMAZON_ADS_CLIENT_ID, ENCRYPTION_KEYS",
      "of-a-newer-releaseOn",
    ]);
  });

  test("says that the request came from a proxy that is not trusted", async () => {
    const untrustedProxy = "172.64.0.9";
    server.use(http.get("/api/operator/system", () => HttpResponse.json({ ...systemState([]), untrustedProxy })));
    await open();
    expect((await card("A proxy is not trusted")).getByText(/This request came from 172[.]64[.]0[.]9,/)).toBeTruthy();
  });

  test("retries one failed job", async () => {
    await open();
    await user.click(await screen.findByRole("button", { name: "Retry job 7" }));
    await findToast("2 jobs wait in the queue again.");
    expect(changes).toEqual(['retry run-import {"id":"7"}']);
    expect(screen.queryByText(/^Failed jobs/)).toBeNull();
  });

  test.each([
    ["Retry all failed jobs of run-import", "Retry all", "retry run-import {}"],
    ["Discard all failed jobs of run-import", "Discard all", "discard run-import {}"],
    ["Discard job 8", "Discard", 'discard run-import {"id":"8"}'],
  ])("needs a confirmation: %s", async (button, confirm, change) => {
    await open();
    await user.click(await screen.findByRole("button", { name: button }));
    expect(changes).toEqual([]);
    const dialog = within(screen.getByRole("alertdialog"));
    await user.click(dialog.getByRole("button", { name: confirm }));
    await findToast(button.startsWith("Retry") ? "in the queue again." : "discarded.");
    expect(changes).toEqual([change]);
  });

  test("says that the queue's Redis does not respond, and that a change failed", async () => {
    await open();
    server.use(http.post("/api/operator/queues/:job/retry", () => HttpResponse.error()));
    const button = await screen.findByRole("button", { name: "Retry job 7" });
    queues = null;
    await user.click(button);
    await findToast("The queue could not be changed. Please try again.");
    expect(await (await card("Failed jobs")).findByRole("alert")).toBeTruthy();
  });
});

describe("items that are set aside", () => {
  const item = {
    kind: "check-domains",
    key: "7",
    error: "value is out of range",
    attempts: 3,
    firstFailedAt: "2026-11-26T08:00:00.000Z",
    retryAt: "2026-11-26T08:07:00.000Z",
  };
  const serve = (failedItems: { count: number; items: (typeof item)[] } | null) =>
    server.use(http.get("/api/operator/system", () => HttpResponse.json({ ...systemState([]), failedItems })));
  const open = () => openAsOperator("/operator/system");

  test("are listed with their error and next attempt, and retried", async () => {
    serve({ count: 60, items: [item] });
    await open();
    const listed = await screen.findByText("value is out of range");
    expect(listed.parentElement?.textContent).toMatch(
      /check-domains 7Since Nov 26, 2026, .*, 3 attempts, next attempt Nov 26, 2026, /,
    );
    expect(screen.getByText("The next 1 of 60.")).toBeTruthy();
    server.use(http.post("/api/operator/failed-items/retry", () => HttpResponse.json({ count: 60 })));
    serve({ count: 0, items: [] });
    await user.click(screen.getByRole("button", { name: "Retry now" }));
    await findToast("They are tried again in the next round of their jobs.");
    expect(screen.queryByRole("heading", { name: "Failing items" })).toBeNull();
  });

  test("are unknown while Postgres does not respond", async () => {
    serve(null);
    await open();
    const heading = await screen.findByRole("heading", { name: "Failing items" });
    expect(heading.parentElement?.textContent).toContain("Does not respond within a second.");
  });
});
