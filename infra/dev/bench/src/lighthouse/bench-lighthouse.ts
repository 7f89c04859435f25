import { mkdir } from "node:fs/promises";
import { loadavg } from "node:os";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { machineSummary, today } from "@tapthru/local/processes/machine";
import { findChromium } from "@tapthru/local/programs/chromium";
import { withTestStack } from "@tapthru/local/stack/test-stack";
import { launch } from "chrome-launcher";
import { type Audit, auditPage } from "./audit-page.ts";
import { signUp } from "./sign-up.ts";
import { auditTable } from "./table.ts";

const ROUNDS = 5;
const ATTEMPTS = 3;
const VISITOR_PATHS = ["/", "/login"];
const USER_PATHS = ["/dashboard"];
const BROWSER_FLAGS = ["--headless=new", "--no-sandbox", "--disable-background-networking"];

/** Measures pages of a whole stack, through its gateway, with Lighthouse. */
export function benchLighthouse(signal: AbortSignal): Promise<string> {
  return withTestStack(signal, async ({ baseUrl, settings: { dataDir } }) => {
    const chromePath = (await findChromium()) ?? chromium.executablePath();
    const userProfile = join(dataDir, "user");
    await signUp(baseUrl, { chromePath, profile: userProfile });

    const loadBefore = loadavg()[0];
    const audits = new Map<string, Audit[]>();
    for (const [profile, paths] of [
      [join(dataDir, "visitor"), VISITOR_PATHS],
      [userProfile, USER_PATHS],
    ] as const) {
      await mkdir(profile, { recursive: true });
      const browser = await launch({
        chromePath,
        userDataDir: profile,
        chromeFlags: BROWSER_FLAGS,
        handleSIGINT: false,
      });
      try {
        for (const path of paths) {
          const url = new URL(path, baseUrl).href;
          audits.set(path, await auditRepeatedly(url, browser.port, signal));
        }
      } finally {
        browser.kill();
      }
    }
    const load = `load average ${loadBefore?.toFixed(1)} before, ${loadavg()[0]?.toFixed(1)} after`;
    return `${today()}, ${machineSummary()}; ${load}.\n\n${auditTable(audits)}`;
  });
}

/** The first audit warms up the servers. */
async function auditRepeatedly(url: string, port: number, signal: AbortSignal): Promise<Audit[]> {
  const audits: Audit[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    signal.throwIfAborted();
    const audit = await retry(() => auditPage(url, port));
    console.log(`… ${url}: ${audit.score}`);
    audits.push(audit);
  }
  return audits.slice(1);
}

/** On a busy machine Chromium loses trace events, and Lighthouse then fails. */
async function retry<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
      console.warn(error);
    }
  }
}
