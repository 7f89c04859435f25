import { randomBytes } from "node:crypto";
import { CALLS } from "@tapthru/proto/calls";
import { expect, it } from "vitest";
import { addKey } from "../testing/test-keys.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const api = await startApi();
const { script } = await addKey(api, await signUpUser(api));

const METHODS = ["GET", "PATCH", "PUT", "REPORT", "PROPFIND"];

const sent: string[] = [];

async function sendRequests(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    const random = randomBytes(6).toString("hex");
    sent.push(random);
    const headers = { "user-agent": random, "x-request-id": random };
    const method = METHODS[i % METHODS.length] as string;
    await api.request(method, `/api/${random}`, headers);
    await api.request("GET", `/api/links/${random}`, headers);
    const message = { jsonrpc: "2.0", id: random, method: "tools/call", params: { name: random } };
    const accept = "application/json, text/event-stream";
    await api.post("/api/mcp", message, { ...headers, ...script, accept, "mcp-method": random });
    await api.request("GET", `/api/metadata?product_id=${random}&marketplace=${random}`, headers);
  }
}

it("the number of metric series stays low after hundreds of unknown paths, user agents, methods and MCP tools", async () => {
  await sendRequests(200);
  const text = await api.context.registry.metrics();
  const series = text.split("\n").filter((line) => line.startsWith("tapthru_"));
  expect(series.length).toBeGreaterThan(50);
  expect(series.length).toBeLessThan(40 * Object.keys(CALLS).length);
  expect(sent.filter((random) => text.includes(random))).toEqual([]);
});
