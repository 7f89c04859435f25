import { setTimeout as delay } from "node:timers/promises";
import type { Redis } from "ioredis";

/** Waits until the replica of a master has all its data: Redis acknowledges a write before that. */
export async function untilReplicated(master: Redis): Promise<void> {
  for (;;) {
    const info = await master.info("replication");
    const [, written] = /^master_repl_offset:(\d+)/m.exec(info) ?? [];
    const [, replicated] = /^slave0:.*\boffset=(\d+)/m.exec(info) ?? [];
    if (written !== undefined && written === replicated) return;
    await delay(20);
  }
}
