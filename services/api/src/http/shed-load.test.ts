import { once } from "node:events";
import { connect } from "node:net";
import { generate } from "@tapthru/proto/http/generate";
import { messages } from "@tapthru/proto/rules/messages";
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { startTestApi, type TestApi } from "../testing/test-api.ts";
import { product } from "../testing/test-links.ts";
import { PLACES } from "./shed-load.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api.stop());

const visitor = () => api.ask("GET", "/api/visitor");

it("refuses at once what it cannot take, and takes more as soon as it can", async () => {
  await api.rows("BEGIN; LOCK TABLE links");
  const creates = Array.from({ length: PLACES }, () => api.post(generate.path, { url: product }));
  await vi.waitFor(async () => expect((await visitor()).status).toBe(503), 10_000);

  const refused = await visitor();
  expect(refused.headers.get("retry-after")).toBe("5");
  expect(refused.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  expect(await refused.text()).toBe(messages.unavailable);

  await api.rows("COMMIT");
  const statuses = (await Promise.all(creates)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([201]));
  expect((await visitor()).status).toBe(200);
});

it("has places for others while bodies arrive slowly", async () => {
  const beginning = [
    `POST ${generate.path} HTTP/1.1`,
    "Host: x",
    "Content-Type: application/json",
    "Content-Length: 100",
    "",
    "{",
  ].join("\r\n");
  const { hostname, port } = new URL(api.url);
  for (let count = 0; count < 2 * PLACES; count += 1) {
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    await once(socket, "connect");
    socket.write(beginning);
  }

  expect((await visitor()).status).toBe(200);
  expect((await api.post(generate.path, { url: product })).status).toBe(201);
});
