import { randomBytes } from "node:crypto";
import { dailyKeys } from "@tapthru/runtime/daily-keys";
import { clientNetwork } from "@tapthru/runtime/http/network-address";
import { LRUCache } from "lru-cache";

const WINDOW_MS = 60_000;

interface Window {
  taken: number;
  endsAt: number;
}

/** So many a minute from each address; of very many addresses the oldest are forgotten. */
export class AddressLimiter {
  readonly #perMinute: number;
  readonly #windows: LRUCache<string, Window>;
  readonly #keyOf = dailyKeys(randomBytes(32).toString("hex"));

  constructor({ perMinute, maxAddresses }: { perMinute: number; maxAddresses: number }) {
    this.#perMinute = perMinute;
    this.#windows = new LRUCache({ max: maxAddresses });
  }

  /**
   * @param now of performance.now()
   * @returns 0 when one was taken, else in how many milliseconds there will be some again
   */
  take(address: string, now: number): number {
    const key = this.#keyOf(clientNetwork(address));
    const current = this.#windows.get(key);
    if (current === undefined || now >= current.endsAt) {
      this.#windows.set(key, { taken: 1, endsAt: now + WINDOW_MS });
      return 0;
    }
    if (current.taken >= this.#perMinute) return current.endsAt - now;
    current.taken++;
    return 0;
  }

  /** For one that turned out not to count. */
  giveBack(address: string): void {
    const current = this.#windows.get(this.#keyOf(clientNetwork(address)));
    if (current !== undefined && current.taken > 0) current.taken--;
  }
}
