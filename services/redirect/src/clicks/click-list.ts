import type { LinkClicks } from "@tapthru/proto/clicks/batch";
import { grown } from "./grown.ts";
import { KeySets } from "./key-sets.ts";
import { ShortCodes } from "./short-codes.ts";

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
export class ClickList {
  #quarter = 0;
  #fields = new Int32Array(FIELDS * 256);
  #length = 0;
  readonly #shortCodes = new ShortCodes();
  /** Each link's last click. */
  #lastClicks = new Int32Array(256);
  #keySets = new KeySets();

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
    this.#keySets = new KeySets();
  }

  /** @param visitor a register value; null if not known */
  add(shortCode: string, keys: readonly string[], visitor: number | null): void {
    const click = this.#length;
    if (click === this.#fields.length) this.#fields = grown(this.#fields);
    this.#length += FIELDS;
    const fields = this.#fields;
    fields[click + PREVIOUS] = this.#replaceLastClick(shortCode, click);
    fields[click + KEYS] = this.#keySets.numberOf(keys);
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
    if (link === this.#lastClicks.length) this.#lastClicks = grown(this.#lastClicks);
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
