import type { Component } from "@tapthru/core/platform/lifecycle";
import type { Logger } from "@tapthru/core/platform/logger";
import type { Db } from "@tapthru/core/platform/postgres/postgres";
import { saveKeyUses } from "./queries.ts";

const SAVE_INTERVAL_MS = 10_000;

/** Remembers when keys were used, and saves it in batches, so that no request waits for it. */
export interface KeyUses extends Component {
  record(keyId: number): void;
  /** Never rejects. What could not be saved is saved with the next batch. */
  save(): Promise<void>;
}

export interface KeyUsesDependencies {
  db: Db<"query">;
  logger: Logger;
}

export function createKeyUses({ db, logger }: KeyUsesDependencies): KeyUses {
  let lastUses = new Map<number, Date>();
  let timer: NodeJS.Timeout | undefined;

  async function save(): Promise<void> {
    if (lastUses.size === 0) return;
    const saved = lastUses;
    lastUses = new Map();
    try {
      await saveKeyUses(
        db,
        [...saved].map(([keyId, usedAt]) => ({ keyId, usedAt })),
      );
    } catch (err) {
      lastUses = new Map([...saved, ...lastUses]);
      logger.warn({ event: "key_uses_not_saved", err }, "failed to save when keys were used");
    }
  }

  return {
    name: "uses of API keys",
    async start() {
      timer = setInterval(save, SAVE_INTERVAL_MS);
    },
    async stop() {
      clearInterval(timer);
      await save();
    },
    record(keyId) {
      lastUses.set(keyId, new Date());
    },
    save,
  };
}
