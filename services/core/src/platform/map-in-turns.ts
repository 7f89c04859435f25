import { setImmediate as nextTurn } from "node:timers/promises";

const TURN_MS = 10;

/** As `items.map(map)`, while which other requests are answered: what people write may take long to read. */
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
