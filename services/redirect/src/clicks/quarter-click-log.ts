import type { LinkClicks } from "@tapthru/proto/clicks/batch";
import { doubleCapacity, ShortCodes } from "./short-codes.ts";

/** Numbers of a click: the link's previous click, its keys, and its visitor. */
const FIELDS = 3;
const PREVIOUS = 0;
const KEYS = 1;
const VISITOR = 2;
const NONE = -1;

/**
 * The clicks of a quarter-hour as numbers in arrays: the garbage collector has no objects of each link to copy. They are
 * added up when they are read. The arrays are used again after `restart`.
 */
export class QuarterClickLog {
  #quarter = 0;
  #fields = new Int32Array(FIELDS * 256);
  #length = 0;
  readonly #shortCodes = new ShortCodes();
  /** Each link's last click. */
  #lastClicks = new Int32Array(256);
  #keySets = new KeySetInterner();

  get quarter(): number {
    return this.#quarter;
  }

  /** Number of links. */
  get size(): number {
    return this.#shortCodes.size;
  }

  restart(quarter: number): void {
    this.#quarter = quarter;
    this.#length = 0;
    this.#shortCodes.clear();
    this.#keySets = new KeySetInterner();
  }

  /** @param visitor a register value; null if not known */
  add(shortCode: string, keys: readonly string[], visitor: number | null): void {
    const click = this.#length;
    if (click === this.#fields.length) this.#fields = doubleCapacity(this.#fields);
    this.#length += FIELDS;
    const fields = this.#fields;
    fields[click + PREVIOUS] = this.#replaceLastClick(shortCode, click);
    fields[click + KEYS] = this.#keySets.idOf(keys);
    fields[click + VISITOR] = visitor ?? NONE;
  }

  *links(): Generator<LinkClicks> {
    for (let link = 0; link < this.size; link++) {
      const shortCode = this.#shortCodes.codeOf(link);
      yield { shortCode, quarter: this.#quarter, ...this.#addUp(this.#lastClick(link)) };
    }
  }

  /** Returns the one before. */
  #replaceLastClick(shortCode: string, click: number): number {
    const known = this.size;
    const link = this.#shortCodes.numberOf(shortCode);
    if (link === this.#lastClicks.length) this.#lastClicks = doubleCapacity(this.#lastClicks);
    const previous = link === known ? NONE : this.#lastClick(link);
    this.#lastClicks[link] = click;
    return previous;
  }

  #lastClick(link: number): number {
    return this.#lastClicks[link] as number;
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
}

interface Node {
  /** Of the keys from the root to this node; null if no visit has just these. */
  id: number | null;
  next: Map<string, Node>;
}

/** Ids of the sets of keys that visits have, from 0. The keys of a visit are in a fixed order. */
class KeySetInterner {
  readonly #root = createNode();
  readonly #sets: (readonly string[])[] = [];

  /** The same id for the same keys. */
  idOf(keys: readonly string[]): number {
    let node = this.#root;
    for (const key of keys) {
      let next = node.next.get(key);
      if (next === undefined) {
        next = createNode();
        node.next.set(key, next);
      }
      node = next;
    }
    node.id ??= this.#sets.push(keys) - 1;
    return node.id;
  }

  /** @param times how often each set occurred @returns how often each key did */
  count(times: ReadonlyMap<number, number>): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const [id, count] of times) {
      for (const key of this.#sets[id] ?? []) counts[key] = (counts[key] ?? 0) + count;
    }
    return counts;
  }
}

function createNode(): Node {
  return { id: null, next: new Map() };
}
