interface Node {
  /** Of the keys from the root to this node; null if no visit has just these. */
  number: number | null;
  next: Map<string, Node>;
}

/** Numbers for the sets of keys that visits have. The keys of a visit are in a fixed order. */
export class KeySets {
  readonly #root = createNode();
  readonly #sets: (readonly string[])[] = [];

  /** The same number for the same keys. */
  numberOf(keys: readonly string[]): number {
    let node = this.#root;
    for (const key of keys) {
      let next = node.next.get(key);
      if (next === undefined) {
        next = createNode();
        node.next.set(key, next);
      }
      node = next;
    }
    node.number ??= this.#sets.push(keys) - 1;
    return node.number;
  }

  /** @param times how often each set occurred @returns how often each key did */
  count(times: ReadonlyMap<number, number>): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const [number, count] of times) {
      for (const key of this.#sets[number] ?? []) counts[key] = (counts[key] ?? 0) + count;
    }
    return counts;
  }
}

function createNode(): Node {
  return { number: null, next: new Map() };
}
