import { ERRORS } from "@tapthru/proto/errors";
import { listReportedLinks, type ReportedLink } from "@tapthru/proto/operator/complaints";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { queryPlan, rowsRead } from "../testing/query-plan.ts";
import { addUserLinks, createLink } from "../testing/test-links.ts";
import { makeOperator } from "../testing/test-operator.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startWorld } from "../testing/world.ts";
import { codeOfLink, reportedLinks } from "./complaints.ts";

let shortCode: string;
const { api, ada: operator, eve: ada } = await startWorld();
beforeAll(async () => {
  await makeOperator(api, operator);
});
beforeEach(async () => {
  await api.query("TRUNCATE links, webhooks CASCADE");
  shortCode = await createLink(api, ada.browser);
});

const report = (code = shortCode, reason = "spam") =>
  api.post("/api/reports", { code, reason }).then(({ status }) => expect(status).toBe(202));
async function list(state: "open" | "decided" = "open") {
  const response = await api.request("GET", `/api/operator/reports?state=${state}`, operator.browser);
  return listReportedLinks.replies[200].parse(await response.json());
}
async function decide(state: ReportedLink["state"], code = shortCode): Promise<ReportedLink> {
  const path = `/api/operator/reports/${code}`;
  const response = await api.request("PUT", path, operator.browser, { state });
  return (await response.json()) as ReportedLink;
}
const stateOf = async (code = shortCode) => {
  const rows = await api.query(`SELECT record ->> 'state' AS state FROM redirect_records WHERE short_code = '${code}'`);
  return rows[0]?.state;
};

it("lists reported links with what visitors see, the longest waiting first", async () => {
  const other = await createLink(api, {});
  for (const reason of ["spam", "harmful", "spam"]) await report(other, reason);
  await report();
  const { links, openCount } = await list();
  expect(openCount).toBe(2);
  expect(links).toMatchObject([
    { shortCode: other, owner: null, counts: { spam: 2, harmful: 1 }, state: "open" },
    {
      shortCode,
      shortUrl: `${api.publicBaseUrl}/l/${shortCode}`,
      webUrl: expect.stringMatching(/^https:\/\/www\.amazon\./),
      owner: { id: ada.user.id, username: ada.user.username },
      decidedAt: null,
    },
  ]);
});

it("reads only the reports of the link that is decided about", async () => {
  await addUserLinks(api, ada.user.id, 2_000);
  await api.query("INSERT INTO reports (short_code, reason) SELECT short_code, 'spam' FROM links");
  await api.query("ANALYZE");
  const plan = await queryPlan(api, reportedLinks(codeOfLink(shortCode)));
  expect(rowsRead(plan, "reports")).toBe(1);
});

it.each(["taken-down", "dismissed"] as const)("a link is %s, and that is undone", async (state) => {
  await report();
  expect(await decide(state)).toMatchObject({ state, decidedAt: expect.any(String) });
  expect(await stateOf()).toBe(state === "taken-down" ? "gone" : "live");
  expect((await list()).links).toEqual([]);
  expect((await list("decided")).links).toMatchObject([{ shortCode, state }]);
  expect(await decide(state)).toMatchObject({ state });
  expect(await decide("open")).toMatchObject({ state: "open", decidedAt: null });
  expect(await stateOf()).toBe("live");
  expect((await list()).links).toMatchObject([{ shortCode, counts: { spam: 1 } }]);
});

it("each decision has one row of the audit log", async () => {
  await report();
  await api.query("TRUNCATE audit_log");
  for (const state of ["dismissed", "dismissed", "open", "taken-down", "open"] as const) await decide(state);
  const rows = await api.query("SELECT action, actor_id, object FROM audit_log ORDER BY id");
  const row = { actor_id: operator.user.id, object: shortCode };
  expect(rows).toEqual([
    { ...row, action: "report.decided" },
    { ...row, action: "report.decided" },
    { ...row, action: "link.changed" },
    { ...row, action: "link.changed" },
  ]);
});

it("equal decisions at the same time have one row of the audit log", async () => {
  await report();
  await api.query("TRUNCATE audit_log");
  const other = await signUpUser(api);
  await makeOperator(api, other);
  const path = `/api/operator/reports/${shortCode}`;
  await Promise.all([operator, other].map(({ browser }) => api.request("PUT", path, browser, { state: "dismissed" })));
  const rows = await api.query("SELECT FROM audit_log WHERE action = 'report.decided'");
  expect(rows).toHaveLength(1);
});

it("a new report opens a dismissed link again, and is ignored for one that is taken down", async () => {
  await report();
  await decide("dismissed");
  await report(shortCode, "harmful");
  expect((await list()).links).toMatchObject([{ shortCode, counts: { spam: 1, harmful: 1 } }]);
  await decide("taken-down");
  await report();
  expect((await list()).openCount).toBe(0);
});

it("a link without reports cannot be decided about", async () => {
  for (const code of [shortCode, "zzzzzzz"]) {
    const path = `/api/operator/reports/${code}`;
    const response = await api.request("PUT", path, operator.browser, { state: "taken-down" });
    expect([response.status, await response.text()]).toEqual([404, ERRORS["link-not-found"].message]);
  }
});

it("webhooks of operators receive a report when it opens, and those of others none", async () => {
  const webhook = { url: "https://receiver.example/", events: ["link.reported"] };
  expect((await api.post("/api/webhooks", webhook, operator.browser)).status).toBe(201);
  await api.query(`
    INSERT INTO webhooks (user_id, url, events, sealed_secret)
    VALUES (${ada.user.id}, 'https://receiver.example/', '{link.reported}', 'x')
  `);
  const sent = () => api.query("SELECT type, data FROM webhook_deliveries ORDER BY created_at");
  await report();
  await report();
  const [link] = await api.query("SELECT web_url FROM links");
  const data = { shortCode, webUrl: link?.web_url, reason: "spam" };
  expect(await sent()).toEqual([{ type: "link.reported", data: { ...data, count: 1 } }]);
  await decide("dismissed");
  await decide("open");
  await decide("dismissed");
  expect(await sent()).toHaveLength(1);
  await report();
  expect(await sent()).toMatchObject([{}, { data: { ...data, count: 3 } }]);
});
