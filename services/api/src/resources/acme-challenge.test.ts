import { expect, it } from "vitest";
import { startTestApi } from "../testing/test-api.ts";
import { startApi } from "../testing/world.ts";

const DIRECTORY = "https://authority.example/directory";
const PATH = "/.well-known/acme-challenge/";

const api = await startApi({ TLS: "on", ACME_DIRECTORY_URL: DIRECTORY });

it("responds to no challenge before there is an account, and then to each token with the thumbprint of its key", async () => {
  expect((await api.request("GET", `${PATH}a-token_1`)).status).toBe(404);

  await api.query(`INSERT INTO acme_accounts VALUES ('${DIRECTORY}', 'u', 's', 'the-thumbprint')`);
  const response = await api.request("GET", `${PATH}a-token_1`);

  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(response.headers.get("set-cookie")).toBeNull();
  expect(await response.text()).toBe("a-token_1.the-thumbprint");
});

it.each(["a.b", "a%0d%0ab", "<b>", "x".repeat(129), ""])("refuses what is no token: %j", async (token) => {
  expect((await api.request("GET", PATH + token)).status).toBe(404);
});

it("responds with 404 without TLS=on", async () => {
  const other = await startTestApi({ ACME_DIRECTORY_URL: DIRECTORY }, { replicaOf: api });
  expect((await other.request("GET", `${PATH}a-token_1`)).status).toBe(404);
  await other.stop();
});
