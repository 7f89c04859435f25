import { readFileSync } from "node:fs";
import { requestPasswordReset, resetPassword } from "@tapthru/proto/identity";
import { describe, expect, it, vi } from "vitest";
import { emailsFile } from "../servers/mail-server.ts";
import { send, signInAtProvider, signUpAtProvider } from "../stack/built-in-identity.ts";
import { readSettings } from "../stack/settings.ts";
import { createSession } from "../testing/callers.ts";
import { leftovers, WholeStack } from "../testing/whole-stack.ts";

const USER = { email: "kept@t.example", password: "kept-secret-1", username: "kept" };

const whole = new WholeStack();
const signIn = () => signInAtProvider(whole.url, USER);

/** How often the process became ready since the last start. */
function startsOf(name: string): number {
  return whole.output().split(`✓ ${name} (`).length - 1;
}

describe("start", () => {
  it("prints a link with which the operator signs up", async () => {
    const [, invitation] = /\/signup\?invitation=(\S+)/.exec(whole.output()) ?? [];
    expect(await createSession(whole.url, invitation)).toContain("sid=");
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
