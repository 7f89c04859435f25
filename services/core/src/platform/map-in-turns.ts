import { setImmediate as nextTurn } from "node:timers/promises";

const TURN_MS = 10;

/** Maps items like `items.map(map)`, and lets other requests run every 10 ms: parsing text of users may take long. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T, index: number) => R): Promise<R[]> {
  const mapped: R[] = [];
  let end = performance.now() + TURN_MS;
  for (const [index, item] of items.entries()) {
    mapped.push(map(item, index));
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + TURN_MS;
  }
  return mapped;
}
