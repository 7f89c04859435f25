import { waitForBlockedStatement } from "@tapthru/postgres/testing/blocked-statement";
import { ABUSE_REASONS } from "@tapthru/proto/rules/abuse-reasons";
import { beforeEach, describe, expect, it } from "vitest";
import { comparableResponse, createLink } from "../testing/test-links.ts";
import { newBrowser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

let code: string;
const api = await startApi();
beforeEach(async () => {
  await api.empty();
  code = await createLink(api, newBrowser(api));
});

const report = (body: unknown) => api.post("/api/reports", body, newBrowser(api));
const storedReports = () => api.query("SELECT short_code, reason, count FROM abuse_reports ORDER BY reason");

describe("POST /api/reports", () => {
  it.each(ABUSE_REASONS)("stores a report for the reason %s", async (reason) => {
    const response = await report({ code, reason });
    expect([response.status, await response.json()]).toEqual([202, {}]);
    expect(await storedReports()).toEqual([{ short_code: code, reason, count: 1 }]);
  });

  it("takes the address of a link, also on an own domain", async () => {
    await api.query("DELETE FROM recent_creates");
    await api.query(`UPDATE links SET short_code = 'mug@go.anna.example'`);
    for (const code of ["https://go.anna.example/Mug?x", "mug@go.anna.example"])
      expect((await report({ code, reason: "spam" })).status).toBe(202);
    expect(await storedReports()).toEqual([{ short_code: "mug@go.anna.example", reason: "spam", count: 2 }]);
  });

  it("returns the same response for an unknown link, and stores nothing", async () => {
    const known = await comparableResponse(await report({ code, reason: "spam" }));
    expect(await comparableResponse(await report({ code: "2222222", reason: "spam" }))).toEqual(known);
    expect(await storedReports()).toHaveLength(1);
  });

  it("counts repeated and concurrent reports by reason", async () => {
    const reasons = Array.from({ length: 20 }, (_, i) => (i % 4 === 0 ? "harmful" : "spam"));
    await Promise.all(reasons.map((reason) => report({ code, reason })));
    expect(await storedReports()).toEqual([
      { short_code: code, reason: "harmful", count: 5 },
      { short_code: code, reason: "spam", count: 15 },
    ]);
  });
});

it("stores no report for a link that is being deleted", async () => {
  await api.query("BEGIN");
  await api.query("DELETE FROM links");
  const response = report({ code, reason: "spam" });
  await waitForBlockedStatement(api.query);
  await api.query("COMMIT");
  expect((await response).status).toBe(202);
  expect(await storedReports()).toEqual([]);
});
