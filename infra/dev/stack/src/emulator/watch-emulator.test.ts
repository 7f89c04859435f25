import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { expect, it, onTestFinished } from "vitest";
import { watchEmulator } from "./watch-emulator.ts";

function watch(port: number, signal: AbortSignal): Promise<void> {
  const exportsDir = mkdtempSync(join(tmpdir(), "tapthru-exports-"));
  onTestFinished(() => rmSync(exportsDir, { recursive: true }));
  const emulator = { projectId: "demo-tapthru", port, hubPort: port };
  return watchEmulator({ emulator, exportsDir, publicBaseUrl: "http://localhost:8080" }, signal);
}

it("continues while the emulator is unavailable", async () => {
  const interruption = new AbortController();
  const watched = watch(await freePort(), interruption.signal);
  interruption.abort();
  await expect(watched).resolves.toBeUndefined();
});

it("throws an error that is not the emulator's", async () => {
  const links = [{ requestType: "PASSWORD_RESET", email: "a@t.example", oobLink: "no URL" }];
  const server = createServer((_request, response) => {
    response.end(JSON.stringify({ oobCodes: links }));
  });
  onTestFinished(() => void server.close());
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await expect(watch(port, new AbortController().signal)).rejects.toThrow("Invalid URL");
});
