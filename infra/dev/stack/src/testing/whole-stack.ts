import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GeneratedLink, generate } from "@tapthru/proto/generate";
import { afterAll, beforeAll, expect } from "vitest";
import { type Guard, type Run, runOf, startGuard } from "../processes/guard.ts";
import { createStack, type Stack } from "../processes/stack.ts";
import { postgresFolder } from "../servers/postgres-home.ts";
import { isolatedStackEnv, startWholeStack } from "../stack/test-stack.ts";

const PRODUCT = "https://www.amazon.com/dp/B0CX23V2ZK?tag=tapthru-20&th=1";
const DESKTOP = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36";

/** Runs `start` for the tests of a file, with a data folder of its own that it keeps when it starts again. */
export class WholeStack {
  folder = "";
  env: NodeJS.ProcessEnv = {};
  stack!: Stack;
  #guard!: Guard;
  #starts = 0;

  constructor() {
    beforeAll(async () => {
      this.folder = await mkdtemp(join(tmpdir(), "tapthru-test-"));
      const temporaryFolders = [this.folder, postgresFolder(this.folder)];
      this.#guard = startGuard({ temporaryFolders });
      this.env = await isolatedStackEnv(this.folder);
      await this.start();
    }, 300_000);
    afterAll(async () => {
      await this.stack.stop();
      await this.#guard.close();
    }, 120_000);
  }

  async start(): Promise<void> {
    this.#starts += 1;
    this.stack = createStack(this.#guard);
    const logFile = join(this.folder, `start-${this.#starts}.log`);
    await startWholeStack({ env: this.env, logFile }, this.stack);
  }

  /** The output since the last start. */
  output(): string {
    return readFileSync(join(this.folder, `start-${this.#starts}.log`), "utf8");
  }

  get url(): string {
    return `http://localhost:${this.env.PORT}`;
  }

  async currentRun(): Promise<Run> {
    const run = await runOf(this.folder);
    if (run === null) throw new Error("No stack is running.");
    return run;
  }

  async kill(name: string): Promise<void> {
    const { processes } = await this.currentRun();
    process.kill(processes.find((one) => one.name === name)?.pid ?? Number.NaN, "SIGKILL");
  }

  async createLink(): Promise<string> {
    const response = await fetch(this.url + generate.path, {
      method: generate.method,
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ url: PRODUCT }),
    });
    expect(response.status).toBe(201);
    return GeneratedLink.parse(await response.json()).shortUrl;
  }

  async expectLink(shortUrl: string): Promise<void> {
    const headers = { "User-Agent": DESKTOP };
    const response = await fetch(shortUrl, { headers, redirect: "manual" });
    await response.body?.cancel();
    expect(response.headers.get("location")).toBe(PRODUCT);
  }
}

/** The names of the processes of a run that have not ended. */
export function leftovers({ processes }: Run): string[] {
  return processes.filter(({ pid }) => isRunning(pid)).map(({ name }) => name);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}
