import { readFileSync } from "node:fs";
import { join } from "node:path";
import { requestPasswordReset, resetPassword } from "@tapthru/proto/identity";
import { execa } from "execa";
import { describe, expect, it, vi } from "vitest";
import { emailsFile } from "../servers/mail-server.ts";
import { send, signInAtProvider, signUpAtProvider } from "../stack/built-in-identity.ts";
import { redirectReplicasOf } from "../stack/redirect-replicas.ts";
import { CHECKOUT, readSettings } from "../stack/settings.ts";
import { createSession } from "../testing/callers.ts";
import { leftovers, WholeStack } from "../testing/whole-stack.ts";

const USER = { email: "kept@t.example", password: "kept-secret-1", username: "kept" };

const whole = new WholeStack({ REDIRECT_REPLICAS: "2" });
const signIn = () => signInAtProvider(whole.url, USER);

function runCommand(name: string, changed: NodeJS.ProcessEnv = {}) {
  return execa(process.execPath, [join(CHECKOUT, "infra/dev/stack/src/commands", name)], {
    env: { ...whole.env, ...changed },
    extendEnv: false,
    reject: false,
  });
}

/** How often the process became ready since the last start. */
function startsOf(name: string): number {
  return whole.output().split(`✓ ${name} (`).length - 1;
}

describe("start", () => {
  it("prints a link with which the operator signs up", async () => {
    const [, invitation] = /\/signup\?invitation=(\S+)/.exec(whole.output()) ?? [];
    expect(await createSession(whole.url, invitation)).toContain("sid=");
  });

  it("runs as many redirects as REDIRECT_REPLICAS, which the gateway balances and limits", async () => {
    const names = (await whole.currentRun()).processes.map(({ name }) => name);
    const config = readFileSync(join(whole.folder, "gateway", "nginx.conf"), "utf8");
    const replicas = redirectReplicasOf(readSettings(whole.env));
    expect(replicas).toHaveLength(2);
    for (const { name, port } of replicas) {
      expect(names).toContain(name);
      expect(config).toContain(`server "127.0.0.1:${port}" max_conns=512 `);
    }
    await whole.expectLink(await whole.createLink());
  });

  it("prints emails, such as the link that sets a new password", async () => {
    await signUpAtProvider(whole.url, USER);
    await send(whole.url, requestPasswordReset, { body: { email: USER.email } });
    const [, token = ""] = await vi.waitUntil(() => /\/reset-password#token=(\S+)/.exec(whole.output()), {
      timeout: 30_000,
    });
    const lines = readFileSync(emailsFile(readSettings(whole.env)), "utf8")
      .trim()
      .split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ to: USER.email, text: expect.stringContaining(token) });
    USER.password = "kept-secret-2";
    await send(whole.url, resetPassword, { body: { token, password: USER.password } });
    expect(await signIn()).not.toBeNull();
  });

  it("shuts down gracefully on SIGTERM to its group, and keeps links and accounts", async () => {
    const shortUrl = await whole.createLink();
    const run = await whole.currentRun();
    process.kill(-run.owner, "SIGTERM");
    expect(await whole.stack.died).toMatch(/^start ended with exit code 0/);
    expect(leftovers(run)).toEqual([]);
    await whole.start();
    await whole.expectLink(shortUrl);
    expect(await signIn()).not.toBeNull();
  });

  it("db:seed creates an account that can log in", async () => {
    const { stdout } = await runCommand("seed-command.ts");
    const [, email = "", password = ""] = /^Log in as (\S+) with (\S+)[.]$/m.exec(stdout) ?? [];
    expect(await signInAtProvider(whole.url, { email, password })).not.toBeNull();
  });

  it("loses nothing when it is killed, and leaves no process behind", async () => {
    const shortUrl = await whole.createLink();
    const run = await whole.currentRun();
    process.kill(run.owner, "SIGKILL");
    expect(await whole.stack.died).toMatch(/^start was killed by SIGKILL/);
    await whole.start();
    expect(leftovers(run)).toEqual([]);
    await whole.expectLink(shortUrl);
    expect(await signIn()).not.toBeNull();
  });

  it("starts killed processes again, and loses nothing", async () => {
    const shortUrl = await whole.createLink();
    const names = ["Postgres", "Redis", "redirect", "api", "worker", "gateway"];
    await Promise.all(names.map((name) => whole.kill(name)));
    await vi.waitUntil(() => names.every((name) => startsOf(name) === 2), { timeout: 120_000 });
    await whole.expectLink(shortUrl);
    expect(await signIn()).not.toBeNull();
  });
}, 300_000);
