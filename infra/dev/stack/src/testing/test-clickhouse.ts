import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "@tapthru/core/platform/testing/free-port";
import { findOnPath } from "../programs/on-path.ts";

const SERVER = fileURLToPath(new URL("../test-servers/clickhouse/server.py", import.meta.url));

export interface TestClickHouse {
  url: string;
  stop(): Promise<void>;
}

/** ClickHouse's engine, empty. It needs `chdb-python`: a Python with the package chdb-core. */
export async function startTestClickHouse(): Promise<TestClickHouse> {
  const python = findOnPath("chdb-python");
  if (python === null) throw new Error("chdb-python is missing");
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), "tapthru-clickhouse-"))];
  const server = spawn(python, [SERVER, String(port), folder], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = once(server, "exit");
  await Promise.race([
    once(server.stdout, "data"),
    exited.then(() => {
      throw new Error("ClickHouse's engine ended");
    }),
  ]);
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      server.kill("SIGKILL");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
