import type { LinkClicks } from "@tapthru/proto/clicks/batch";
import { KeySets } from "./key-sets.ts";

/** Numbers of a click: the link's previous click, its keys, and its visitor. */
const FIELDS = 3;
const PREVIOUS = 0;
const KEYS = 1;
const VISITOR = 2;
const NONE = -1;

/**
 * The clicks of a quarter-hour as numbers in one array: the garbage collector has no objects of each link to copy. They are
 * added up when they are read.
 */
export class ClickList {
  readonly quarter: number;
  #fields = new Int32Array(FIELDS * 256);
  #length = 0;
  /** Each link's last click. */
  readonly #lastClicks = new Map<string, number>();
  readonly #keySets = new KeySets();

  constructor(quarter: number) {
    this.quarter = quarter;
  }

  /** Number of links. */
  get size(): number {
    return this.#lastClicks.size;
  }

  /** @param visitor a register value; null if not known */
  add(shortCode: string, keys: readonly string[], visitor: number | null): void {
    const click = this.#length;
    if (click === this.#fields.length) this.#grow();
    this.#length += FIELDS;
    const fields = this.#fields;
    fields[click + PREVIOUS] = this.#lastClicks.get(shortCode) ?? NONE;
    fields[click + KEYS] = this.#keySets.numberOf(keys);
    fields[click + VISITOR] = visitor ?? NONE;
    this.#lastClicks.set(shortCode, click);
  }

  *links(): Generator<LinkClicks> {
    for (const [shortCode, lastClick] of this.#lastClicks) {
      yield { shortCode, quarter: this.quarter, ...this.#addUp(lastClick) };
    }
  }

  #addUp(lastClick: number): Pick<LinkClicks, "counts" | "visitors"> {
    const times = new Map<number, number>();
    const visitors = new Set<number>();
    for (let click = lastClick; click !== NONE; click = this.#field(click, PREVIOUS)) {
      const keySet = this.#field(click, KEYS);
      times.set(keySet, (times.get(keySet) ?? 0) + 1);
      visitors.add(this.#field(click, VISITOR));
    }
    visitors.delete(NONE);
    return { counts: this.#keySets.count(times), visitors: [...visitors] };
  }

  #field(click: number, field: number): number {
    return this.#fields[click + field] as number;
  }

  #grow(): void {
    const fields = new Int32Array(2 * this.#fields.length);
    fields.set(this.#fields);
    this.#fields = fields;
  }
}
