import { randomBytes } from "node:crypto";
import { dailyKeys } from "@tapthru/core/platform/daily-keys";
import { clientNetwork } from "@tapthru/core/platform/http/network-address";
import { LRUCache } from "lru-cache";

const WINDOW_MS = 60_000;

interface Window {
  count: number;
  endsAt: number;
}

/** Limits events per minute and address. Above `maxAddresses`, the least recently used address is dropped. */
export class AddressLimiter {
  readonly #perMinute: number;
  readonly #windows: LRUCache<string, Window>;
  readonly #keyOf = dailyKeys(randomBytes(32).toString("hex"));

  constructor({ perMinute, maxAddresses }: { perMinute: number; maxAddresses: number }) {
    this.#perMinute = perMinute;
    this.#windows = new LRUCache({ max: maxAddresses });
  }

  /**
   * @param now by performance.now()
   * @returns 0 if within the limit, else the milliseconds until the window ends
   */
  consume(address: string, now: number): number {
    const key = this.#keyOf(clientNetwork(address));
    const current = this.#windows.get(key);
    if (current === undefined || now >= current.endsAt) {
      this.#windows.set(key, { count: 1, endsAt: now + WINDOW_MS });
      return 0;
    }
    if (current.count >= this.#perMinute) return current.endsAt - now;
    current.count++;
    return 0;
  }

  /** Undoes one `consume`. */
  refund(address: string): void {
    const current = this.#windows.get(this.#keyOf(clientNetwork(address)));
    if (current !== undefined && current.count > 0) current.count--;
  }
}
