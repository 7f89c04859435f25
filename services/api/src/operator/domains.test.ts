import { listAllDomains } from "@tapthru/proto/operator/domains";
import { beforeAll, expect, it } from "vitest";
import { makeOperator } from "../testing/test-operator.ts";
import { startWorld } from "../testing/world.ts";

const { api, ada: operator, eve: ada } = await startWorld({ TLS: "on" });
beforeAll(async () => {
  await makeOperator(api, operator);
  await api.query(`
    INSERT INTO domains (user_id, host, proof, verified_at, problem, failing_since, next_check_at) VALUES
      (${ada.user.id}, 'a.example', 'x', now(), NULL, NULL, now() + interval '1 hour'),
      (${operator.user.id}, 'b.example', 'x', now(), 'no-record', now(), now() + interval '1 hour');
    INSERT INTO certificates (host, chain, sealed_key, not_after, issued_at)
    VALUES ('a.example', 'x', 'x', '2099-01-01Z', now());
  `);
});

async function list(q = "") {
  const response = await api.request("GET", `/api/operator/domains?q=${q}`, operator.browser);
  return listAllDomains.replies[200].parse(await response.json()).domains;
}

it("lists the domains of all users with certificates, those with a problem first", async () => {
  expect(await list()).toMatchObject([
    { host: "b.example", state: "failing", problem: "no-record" },
    {
      host: "a.example",
      owner: { id: ada.user.id, username: ada.user.username },
      state: "works",
      certificateExpiresAt: "2099-01-01T00:00:00.000Z",
    },
  ]);
  expect(await list("A.EX")).toMatchObject([{ host: "a.example" }]);
  expect(await list(ada.user.username)).toMatchObject([{ host: "a.example" }]);
});

it("lets the worker check a domain", async () => {
  const retry = (userId: number) =>
    api.post(`/api/operator/domains/${userId}/a.example/retry`, undefined, operator.browser);
  await api.query(`INSERT INTO failed_items (kind, key, error, retry_at)
    SELECT 'check-domains', id, 'broken', now() + interval '1 hour' FROM domains WHERE host = 'a.example'`);
  expect((await retry(ada.user.id)).status).toBe(202);
  expect(await api.query("SELECT FROM failed_items WHERE retry_at > now()")).toEqual([]);
  const [domain] = await api.query("SELECT next_check_at <= now() AS is_due FROM domains WHERE host = 'a.example'");
  expect(domain).toEqual({ is_due: true });
  expect((await retry(operator.user.id)).status).toBe(404);
  const recorded = await api.query("SELECT actor, owner_id, object FROM audit_log WHERE action = 'domain.retried'");
  expect(recorded).toEqual([{ actor: "operator", owner_id: ada.user.id, object: "a.example" }]);
});
