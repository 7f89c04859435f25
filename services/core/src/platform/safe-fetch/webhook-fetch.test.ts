import { describe, expect, it } from "vitest";
import { startConnectionCounter, startServer } from "../testing/raw-server.ts";
import { createPostWebhook, type PostWebhook } from "./webhook-fetch.ts";

const notAborted = new AbortController().signal;
const request = { headers: { "webhook-id": "1" }, body: "{}", deadline: notAborted };

const inProduction = createPostWebhook({ standInUrl: null, userAgent: "test", allowsLocal: false });
const inDevelopment = createPostWebhook({ standInUrl: null, userAgent: "test", allowsLocal: true });

const refused = (post: PostWebhook, url: string) =>
  expect(post({ ...request, url })).rejects.toMatchObject({ code: "refused-url" });

it.each([
  "https://127.0.0.1:PORT/",
  "https://2130706433/",
  "https://[::1]:PORT/",
  "https://localhost:PORT/",
  "https://hooks.example:PORT/",
  "https://user:secret@hooks.example/",
  "http://hooks.example/",
  "https://169.254.169.254/latest/meta-data/",
  "http://127.0.0.1:PORT/",
  "file:///etc/passwd",
])("%s is refused before a connection", async (target) => {
  const { port, connections } = await startConnectionCounter();
  await refused(inProduction, target.replace("PORT", String(port)));
  expect(connections()).toBe(0);
});

describe("in local development", () => {
  it("sends to a server on this machine, and follows no redirect", async () => {
    const requests: string[] = [];
    const { url } = await startServer((socket, head) => {
      requests.push(head);
      socket.end("HTTP/1.1 307 \r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n");
    });
    expect(await inDevelopment({ ...request, body: "", url: `${url}/in?key=1` })).toMatchObject({ status: 307 });
    expect(requests).toHaveLength(1);
    expect(requests[0]).toMatch(/^POST \/in\?key=1 HTTP\/1\.1\r\n/);
    expect(requests[0]).toMatch(/^webhook-id: 1\r$/m);
  });

  it("sends to no other address in plain HTTP", async () => {
    await refused(inDevelopment, "http://10.0.0.1/");
    await refused(inDevelopment, "http://hooks.example/");
  });
});
