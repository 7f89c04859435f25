import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { createTestLogger } from "@tapthru/core/platform/testing/test-logger";
import { expect, it, onTestFinished, vi } from "vitest";
import { reloadingCommand } from "../container-settings.ts";
import { createCertificates, gatewayForTest } from "../testing/start-gateway.ts";
import { createTicketKeys, TICKETS_FILE } from "./ticket-keys.ts";

const HOST = "links.example";
const { directory, ca } = await createCertificates(HOST);
const NOON = Date.UTC(2026, 0, 1, 12);
const DAY_MS = 86_400_000;

/** The https port of a gateway that starts with the keys of this moment. A session is of the directory, which all gateways have. */
async function startGateway(secret: string, nowMs: number): Promise<number> {
  const keys = createTicketKeys({ directory, secret, logger: createTestLogger().logger, now: () => nowMs });
  await keys.start?.();
  await keys.stop?.();
  expect((await stat(join(directory, "tickets-0.key"))).mode & 0o777).toBe(0o600);
  const port = await freePort();
  await gatewayForTest({ TLS: "on", TLS_PORT: port, CERTIFICATES_DIR: directory, sharesTickets: true });
  return port;
}

/** Makes a request. @returns the newest session, and whether the given one was resumed */
async function visit(port: number, version: "TLSv1.2" | "TLSv1.3", session?: Buffer) {
  const socket = connect({ port, servername: HOST, ca, minVersion: version, maxVersion: version, session });
  let newest: Buffer | undefined;
  socket.on("session", (given) => {
    newest = given;
  });
  await once(socket, "secureConnect");
  const isResumed = socket.isSessionReused();
  socket.write(`GET /version.txt HTTP/1.1\r\nHost: ${HOST}\r\nConnection: close\r\n\r\n`);
  socket.resume();
  await once(socket, "close");
  return { newest, isResumed };
}

it.each(["TLSv1.2", "TLSv1.3"] as const)(
  "a session of %s is resumed by another gateway, also on the next day",
  async (version) => {
    const first = await startGateway("a secret", NOON);
    const second = await startGateway("a secret", NOON);
    const tomorrow = await startGateway("a secret", NOON + DAY_MS);
    const foreign = await startGateway("another secret", NOON);
    const { newest, isResumed } = await visit(first, version);
    expect(isResumed).toBe(false);
    expect((await visit(second, version, newest)).isResumed).toBe(true);
    expect((await visit(tomorrow, version, newest)).isResumed).toBe(true);
    expect((await visit(first, version, (await visit(tomorrow, version)).newest)).isResumed).toBe(true);
    expect((await visit(foreign, version, newest)).isResumed).toBe(false);
  },
);

it("a gateway starts before its keys are there, and without shared tickets keeps its sessions to itself", async () => {
  await rm(join(directory, TICKETS_FILE), { force: true });
  const [early, alone] = await Promise.all([freePort(), freePort()]);
  await gatewayForTest({ TLS: "on", TLS_PORT: early, CERTIFICATES_DIR: directory, sharesTickets: true });
  await gatewayForTest({ TLS: "on", TLS_PORT: alone, CERTIFICATES_DIR: directory });
  const { newest } = await visit(alone, "TLSv1.3");
  expect((await visit(alone, "TLSv1.3", newest)).isResumed).toBe(true);
  expect((await visit(early, "TLSv1.3", newest)).isResumed).toBe(false);
});

it("a gateway that starts while the keys change reads a whole key", async () => {
  const write = async (nowMs: number) => {
    const { logger } = createTestLogger();
    const keys = createTicketKeys({ directory, secret: "a secret", logger, now: () => nowMs });
    await keys.start?.();
    await keys.stop?.();
  };
  await write(NOON);
  const file = await open(join(directory, "tickets-0.key"));
  onTestFinished(() => file.close());
  const before = await readFile(join(directory, "tickets-0.key"));
  await write(NOON + DAY_MS);
  expect(await file.readFile()).toEqual(before);
});

it("nginx reloads its configuration each time the file changes, and keeps its process id", async () => {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-reload-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, TICKETS_FILE);
  const log = join(folder, "log");
  const program = join(folder, "program");
  await writeFile(program, `#!/bin/sh\necho "$$ $*" >>${log}\n[ "$2" = -s ] || exec sleep 60\n`, { mode: 0o755 });
  const [shell = "", ...args] = reloadingCommand([program, "options"], file, 0.1);
  const child = spawn(shell, args, { detached: true, stdio: "ignore" });
  onTestFinished(() => void process.kill(-(child.pid ?? Number.NaN), "SIGKILL"));
  const lines = async (count: number) =>
    vi.waitUntil(
      async () => {
        const found = (await readFile(log, "utf8").catch(() => "")).trim().split("\n");
        return found.length === count && found[0] !== "" && found;
      },
      { timeout: 30_000 },
    );
  expect(await lines(1)).toEqual([`${child.pid} options`]);
  await writeFile(file, "1");
  expect((await lines(2))[1]).toMatch(/ options -s reload$/);
  await writeFile(file, "2");
  await lines(3);
});
