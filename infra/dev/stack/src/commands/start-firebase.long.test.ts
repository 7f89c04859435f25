import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { DEMO_ACCOUNTS_WARNING } from "../emulator/emulator.ts";
import { leftovers, WholeStack } from "../testing/whole-stack.ts";

const USER = { email: "kept@t.example", password: "secret-1" };

const whole = new WholeStack({ options: ["--firebase"] });

/** A call like those of the Firebase SDK, to the site's address. */
async function identityCall(call: string, body: object): Promise<number> {
  const base = `${whole.url}/identitytoolkit.googleapis.com/v1`;
  const response = await fetch(`${base}/accounts:${call}?key=demo`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.body?.cancel();
  return response.status;
}

/** Whether an export on disk contains the text. */
function isExported(text: string): boolean {
  const files = globSync("emulator/exports/*/auth_export/accounts.json", { cwd: whole.folder });
  return files.some((file) => readFileSync(join(whole.folder, file), "utf8").includes(text));
}

describe("start --firebase", () => {
  it("warns that accounts of the emulator are not protected", () => {
    expect(whole.output()).toContain(DEMO_ACCOUNTS_WARNING);
  });

  it("prints the password reset link, which sets a new password", async () => {
    const { email } = USER;
    expect(await identityCall("signUp", USER)).toBe(200);
    expect(await identityCall("sendOobCode", { email, requestType: "PASSWORD_RESET" })).toBe(200);
    const [link] = await vi.waitUntil(() => /http:.+oobCode=.+/.exec(whole.output()), {
      timeout: 30_000,
    });
    expect(link).toMatch(`${whole.url}/emulator/action?`);
    expect(await (await fetch(link)).text()).toContain("Choose a new password");

    USER.password = "secret-2";
    expect((await fetch(`${link}&newPassword=${USER.password}`)).status).toBe(200);
    expect(await identityCall("signInWithPassword", USER)).toBe(200);
  });

  it("keeps accounts when it and the emulator are killed", async () => {
    await vi.waitUntil(() => isExported(USER.password), { timeout: 30_000 });
    const run = await whole.currentRun();
    await whole.kill("Firebase emulator");
    process.kill(run.owner, "SIGKILL");
    expect(await whole.stack.died).toMatch(/^start was killed by SIGKILL/);
    await whole.start();
    expect(leftovers(run)).toEqual([]);
    expect(await identityCall("signInWithPassword", USER)).toBe(200);
  });
}, 300_000);
