import { mkdtemp, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { startGateway } from "./testing/start-gateway.ts";

function statusOverSocket(socketPath: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path: "/version.txt" }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

it("lets a second gateway take over the port; each has its own health socket", async () => {
  const sockets = await mkdtemp(join(tmpdir(), "tapthru-health-"));
  onTestFinished(() => rm(sockets, { recursive: true }));
  const healthSocket = (name: string) => join(sockets, name);

  const old = await startGateway({ sharesPort: true, healthSocket: healthSocket("old") });
  const next = await startGateway({
    port: old.port,
    sharesPort: true,
    healthSocket: healthSocket("new"),
  });
  onTestFinished(() => next.stop());
  await vi.waitFor(async () => expect(await statusOverSocket(healthSocket("new"))).toBe(200));
  expect(await statusOverSocket(healthSocket("old"))).toBe(200);

  await old.stop();
  await expect(statusOverSocket(healthSocket("old"))).rejects.toThrow();
  expect((await fetch(`${old.url}/version.txt`)).status).toBe(200);
});
