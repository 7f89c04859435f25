import { setInterval } from "node:timers";
import { Agent } from "undici";
import type { Random } from "../../random.ts";
import { sendRequest } from "../send-request.ts";
import { outcomeOn, type Phone, readPage } from "./phone.ts";

export interface PhoneLoadPlan {
  phones: readonly Phone[];
  /** Visits of each kind of phone. */
  perSecond: number;
  /** One for each replica of redirect: a page and its report go to different ones. */
  origins: readonly string[];
  codes: readonly string[];
  random: Random;
}

export interface PhoneVisit {
  /** When its page was received, in Unix milliseconds. */
  at: number;
  phone: Phone;
  /** The version and the row of the strategy table of its page. */
  strategy: string;
  isOpened: boolean;
}

export interface PhoneLoad {
  /** So far. */
  visits: readonly PhoneVisit[];
  errors: readonly string[];
  /** Resolves when all pages have reported. May be called again. */
  stop(): Promise<void>;
}

/** Phones open links at a constant rate, each visit from a random address, and their pages report the outcome. */
export function startPhoneLoad({
  phones,
  perSecond,
  origins,
  codes,
  random,
}: PhoneLoadPlan): PhoneLoad {
  const client = new Agent();
  const visits: PhoneVisit[] = [];
  const errors: string[] = [];
  const pending = new Set<Promise<void>>();
  const oneOf = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)] as T;

  async function visit(phone: Phone, number: number): Promise<void> {
    const origin = (offset: number) => origins[(number + offset) % origins.length] ?? "";
    const headers = {
      "user-agent": phone.userAgent,
      "x-forwarded-for": `198.18.${Math.floor(random() * 256)}.${Math.floor(random() * 256)}`,
    };
    const get = { origin: origin(0), method: "GET", path: `/l/${oneOf(codes)}`, headers } as const;
    const response = await sendRequest(client, get);
    if (response?.status !== 200) {
      errors.push(`${get.path}: ${response?.status ?? "no response"}`);
      return;
    }
    const page = readPage(response.body);
    const outcome = outcomeOn(phone, page, random);
    visits.push({
      at: Date.now(),
      phone,
      strategy: page.strategy,
      isOpened: outcome.outcome === "opened",
    });
    const reported = await sendRequest(client, {
      origin: origin(1),
      method: "POST",
      path: page.reportPath,
      headers: { ...headers, "content-type": "text/plain" },
      body: JSON.stringify(outcome),
    });
    if (reported?.status !== 204)
      errors.push(`${page.reportPath}: ${reported?.status ?? "no response"}`);
  }

  let started = 0;
  const ticker = setInterval(() => {
    const number = started++;
    for (const phone of phones) {
      const visiting = visit(phone, number).catch((error) => void errors.push(String(error)));
      pending.add(visiting);
      void visiting.finally(() => pending.delete(visiting));
    }
  }, 1_000 / perSecond);

  let stopped: Promise<void> | null = null;
  async function end(): Promise<void> {
    clearInterval(ticker);
    await Promise.all(pending);
    await client.close();
  }
  return {
    visits,
    errors,
    stop() {
      stopped ??= end();
      return stopped;
    },
  };
}
