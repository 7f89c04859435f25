import { hashOf } from "../hashes.ts";

const FREE = 0;
/** Numbers of a code: its hash, and where its text ends. */
const FIELDS = 2;
const HASH = 0;
const END = 1;

/** Numbers short codes from 0 on. They are kept as bytes, so that the garbage collector has no strings and tables to copy. */
export class ShortCodes {
  /** A hash table with open addressing: the number of a code and 1, or FREE. At most half of it is used. */
  #slots = new Int32Array(512);
  #fields = new Int32Array(FIELDS * 256);
  #text = Buffer.alloc(256 * 8);
  #size = 0;

  /** Number of codes. */
  get size(): number {
    return this.#size;
  }

  clear(): void {
    this.#slots.fill(FREE);
    this.#size = 0;
  }

  /** The same number for the same code. */
  numberOf(shortCode: string): number {
    const hash = hashOf(shortCode) | 0;
    let slot = this.#firstSlot(hash);
    for (;;) {
      const number = at(this.#slots, slot) - 1;
      if (number < 0) return this.#add(shortCode, hash, slot);
      if (this.#has(number, hash, shortCode)) return number;
      slot = this.#nextSlot(slot);
    }
  }

  codeOf(number: number): string {
    return this.#text.toString("latin1", this.#startOf(number), this.#endOf(number));
  }

  #add(shortCode: string, hash: number, slot: number): number {
    const number = this.#size++;
    const start = this.#startOf(number);
    const end = start + shortCode.length;
    if (FIELDS * this.#size > this.#fields.length) this.#fields = doubleCapacity(this.#fields);
    if (end > this.#text.length) this.#text = Buffer.concat([this.#text, Buffer.alloc(end)]);
    this.#fields[FIELDS * number + HASH] = hash;
    this.#fields[FIELDS * number + END] = end;
    this.#text.write(shortCode, start, "latin1");
    this.#slots[slot] = number + 1;
    if (2 * this.#size > this.#slots.length) this.#growSlots();
    return number;
  }

  #growSlots(): void {
    this.#slots = new Int32Array(2 * this.#slots.length);
    for (let number = 0; number < this.#size; number++) {
      let slot = this.#firstSlot(at(this.#fields, FIELDS * number + HASH));
      while (at(this.#slots, slot) !== FREE) slot = this.#nextSlot(slot);
      this.#slots[slot] = number + 1;
    }
  }

  #has(number: number, hash: number, shortCode: string): boolean {
    if (at(this.#fields, FIELDS * number + HASH) !== hash) return false;
    const start = this.#startOf(number);
    if (this.#endOf(number) - start !== shortCode.length) return false;
    for (let i = 0; i < shortCode.length; i++) {
      if (this.#text[start + i] !== shortCode.charCodeAt(i)) return false;
    }
    return true;
  }

  #firstSlot(hash: number): number {
    return hash & (this.#slots.length - 1);
  }

  #nextSlot(slot: number): number {
    return (slot + 1) & (this.#slots.length - 1);
  }

  #startOf(number: number): number {
    return number === 0 ? 0 : this.#endOf(number - 1);
  }

  #endOf(number: number): number {
    return at(this.#fields, FIELDS * number + END);
  }
}

// Only indexes inside the arrays are read.
function at(numbers: Int32Array, index: number): number {
  return numbers[index] as number;
}

/** A copy of the array with twice the length. */
export function doubleCapacity(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(2 * numbers.length);
  copy.set(numbers);
  return copy;
}
