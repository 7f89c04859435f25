import { connect } from "node:net";
import { createLink } from "@tapthru/proto/create-links";
import { createImport } from "@tapthru/proto/imports";
import { afterEach, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { addKey } from "../testing/test-keys.ts";
import { signUpUser } from "../testing/test-user.ts";
import { startApi } from "../testing/world.ts";

const api = await startApi();
const { authorization } = (await addKey(api, await signUpUser(api))).script;
afterEach(async () => {
  await api.query("ROLLBACK");
  api.lines.length = 0;
});

/** Sends a part of a request. @returns a function that disconnects */
function sendPart(path: string, type: string): () => void {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  const head = [`POST ${path} HTTP/1.1`, "Host: x", `Authorization: ${authorization}`];
  socket.write([...head, `Content-Type: ${type}`, "Content-Length: 99", "", "{"].join("\r\n"));
  return () => socket.resetAndDestroy();
}

const isKeyRead = async () => {
  const [row] = await api.query("SELECT FROM pg_locks WHERE relation = 'api_keys'::regclass AND NOT granted");
  return row !== undefined;
};

const errors = () => api.lines.filter(({ level }) => level === "error");
const statuses = () => api.lines.flatMap(({ status }) => (status === undefined ? [] : [status]));

it.each([
  [createLink.path, "application/json"],
  [createImport.path, "text/csv"],
])("a client that disconnects while its API key is read is no error: %s", async (path, type) => {
  await api.query("BEGIN; LOCK TABLE api_keys");
  const disconnect = sendPart(path, type);
  await eventually(async () => expect(await isKeyRead()).toBe(true));
  disconnect();
  await eventually(() => expect(statuses().at(-1)).toBe(499));
  await api.query("COMMIT");
  const next = await api.request("GET", "/api/links", { authorization });
  expect(next.status).toBe(200);
  expect(errors()).toEqual([]);
});
