import { setImmediate as nextTurn } from "node:timers/promises";

const TURN_MS = 10;

/** As `items.map(map)`, while which other requests are answered: lines that people write may take long to read. */
export async function mapInTurns<T, R>(items: readonly T[], map: (item: T) => R): Promise<R[]> {
  const mapped: R[] = [];
  let end = performance.now() + TURN_MS;
  for (const item of items) {
    mapped.push(map(item));
    if (performance.now() < end) continue;
    await nextTurn();
    end = performance.now() + TURN_MS;
  }
  return mapped;
}
