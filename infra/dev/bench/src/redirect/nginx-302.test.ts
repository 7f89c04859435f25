import { existsSync } from "node:fs";
import { join } from "node:path";
import { respondsOverHttp } from "@tapthru/local/stack/http-health";
import { createStack, type Stack } from "@tapthru/local/stack/stack";
import { createTestRun, type TestRun } from "@tapthru/local/test-servers/test-run";
import { freePort } from "@tapthru/runtime/testing/free-port";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeBareNginx } from "./nginx-302.ts";

let run: TestRun;
let stack: Stack;

beforeAll(async () => {
  run = await createTestRun();
  stack = createStack(run.ledger);
});

afterAll(async () => {
  await stack.stop();
  await run.remove();
});

it("starts without the directories of an installed nginx", async () => {
  const [redirecting, proxying, upstream] = await Promise.all([freePort(), freePort(), freePort()]);
  const args = await writeBareNginx(run.folder, { redirecting, proxying, upstream }, "/there");
  const logFile = join(run.folder, "nginx.log");
  const command = process.env.TEST_NGINX ?? "nginx";
  await stack.start({ name: "bare nginx", command, args, logFile }, () =>
    respondsOverHttp(`http://127.0.0.1:${redirecting}/`),
  );
  for (const name of ["client-body", "proxy", "fastcgi", "uwsgi", "scgi"]) {
    expect(existsSync(join(run.folder, name)), name).toBe(true);
  }
});
