import { hashOf } from "../../hashes.ts";

const WORD_BYTES = 4;
/** Words at the start of a record. Offsets and sizes are in words. */
const NEXT = 0;
const HASH = 1;
const SIZE = 2;
/** Single bytes after them. The code and the value follow, and up to three unused bytes. */
const CODE_LENGTH = 12;
const HITS = 13;
const UNUSED = 14;
const IS_CURRENT = 15;
const HEADER_BYTES = 16;

/** Hits that are remembered for each record. Each lets it stay for another round. */
const MAX_HITS = 3;
/** Records that one `set` may move, so that it takes microseconds. */
const MAX_MOVES = 64;
/** Offset of the first record; 0 marks the end of a list. */
const START = 1;

/**
 * Bytes for each list of records with similar hashes. Most lists have one record at most, because reading a record may
 * miss the processor's caches.
 */
const BYTES_PER_LIST = 64;

/**
 * Values by short code in one block of memory that the garbage collector does not examine. New records are appended.
 * When the block is full it is overwritten from its start, except for records that were read since they were written or
 * moved: these move to the new end (the CLOCK algorithm).
 */
export class RecordRing {
  readonly #words: Uint32Array;
  /** The same memory. */
  readonly #bytes: Buffer;
  /** The first record of each list. */
  readonly #lists: Uint32Array;
  /** Where the next record will be written. */
  #head = START;
  /** The oldest record. */
  #tail = START;
  /** Where the records after the tail end, if the head has started again before it. */
  #end: number | null = null;
  #size = 0;
  #usedWords = 0;

  constructor(maxBytes: number) {
    const lists = 2 ** Math.floor(Math.log2(maxBytes / BYTES_PER_LIST));
    this.#lists = new Uint32Array(lists);
    this.#words = new Uint32Array(Math.floor((maxBytes - this.#lists.byteLength) / WORD_BYTES));
    this.#bytes = Buffer.from(this.#words.buffer);
  }

  /** Number of records. */
  get size(): number {
    return this.#size;
  }

  get usedBytes(): number {
    return this.#usedWords * WORD_BYTES + this.#lists.byteLength;
  }

  /** Whether a new record will overwrite others. */
  get isFull(): boolean {
    return this.#end !== null;
  }

  /**
   * Reads or changes a value in place, and counts a hit.
   * @param use gets all bytes, and where the value starts and ends
   * @returns undefined without a record
   */
  get<Result>(shortCode: string, use: (bytes: Buffer, start: number, end: number) => Result): Result | undefined {
    const at = this.#find(shortCode);
    if (at === 0) return undefined;
    const bytes = this.#bytes;
    const header = at * WORD_BYTES;
    bytes[header + HITS] = Math.min(byteAt(bytes, header + HITS) + 1, MAX_HITS);
    const end = (at + this.#sizeOf(at)) * WORD_BYTES - byteAt(bytes, header + UNUSED);
    return use(bytes, header + HEADER_BYTES + shortCode.length, end);
  }

  /**
   * Stores a value, in place of an earlier one.
   * @param shortCode at most 255 ASCII characters
   */
  set(shortCode: string, value: Uint8Array): void {
    const isNew = !this.delete(shortCode);
    const byteLength = HEADER_BYTES + shortCode.length + value.length;
    const size = Math.ceil(byteLength / WORD_BYTES);
    if (size > this.#words.length - START) return;
    this.#makeRoom(size);
    const at = this.#head;
    this.#head += size;
    this.#size++;
    this.#usedWords += size;

    const hash = hashOf(shortCode);
    const list = this.#listOf(hash);
    this.#words[at + NEXT] = wordAt(this.#lists, list);
    this.#lists[list] = at;
    this.#words[at + HASH] = hash;
    this.#words[at + SIZE] = size;
    const bytes = this.#bytes;
    const header = at * WORD_BYTES;
    bytes[header + CODE_LENGTH] = shortCode.length;
    bytes[header + HITS] = isNew ? 0 : 1;
    bytes[header + UNUSED] = size * WORD_BYTES - byteLength;
    bytes[header + IS_CURRENT] = 1;
    bytes.write(shortCode, header + HEADER_BYTES, "latin1");
    bytes.set(value, header + HEADER_BYTES + shortCode.length);
  }

  /** @returns false without a record */
  delete(shortCode: string): boolean {
    const at = this.#find(shortCode);
    if (at === 0) return false;
    this.#remove(at);
    return true;
  }

  /** The offset of the record; 0 without one. */
  #find(shortCode: string): number {
    const hash = hashOf(shortCode);
    let at = wordAt(this.#lists, this.#listOf(hash));
    while (at !== 0 && !this.#isAt(at, shortCode, hash)) at = wordAt(this.#words, at + NEXT);
    return at;
  }

  #isAt(at: number, shortCode: string, hash: number): boolean {
    const header = at * WORD_BYTES;
    if (this.#words[at + HASH] !== hash) return false;
    if (this.#bytes[header + CODE_LENGTH] !== shortCode.length) return false;
    for (let i = 0; i < shortCode.length; i++) {
      if (this.#bytes[header + HEADER_BYTES + i] !== shortCode.charCodeAt(i)) return false;
    }
    return true;
  }

  #listOf(hash: number): number {
    return hash & (this.#lists.length - 1);
  }

  #sizeOf(at: number): number {
    return wordAt(this.#words, at + SIZE);
  }

  /** Replaces the record's offset in its list. */
  #relink(at: number, replacement: number): void {
    let offsets = this.#lists;
    let index = this.#listOf(wordAt(this.#words, at + HASH));
    while (offsets[index] !== at) {
      index = wordAt(offsets, index) + NEXT;
      offsets = this.#words;
    }
    offsets[index] = replacement;
  }

  #remove(at: number): void {
    this.#relink(at, wordAt(this.#words, at + NEXT));
    this.#bytes[at * WORD_BYTES + IS_CURRENT] = 0;
    this.#size--;
    this.#usedWords -= this.#sizeOf(at);
  }

  /** Makes `size` words free at the head. */
  #makeRoom(size: number): void {
    let moves = 0;
    for (;;) {
      if (this.#end === null) {
        if (this.#head + size <= this.#words.length) return;
        this.#end = this.#head;
        this.#head = START;
      }
      if (this.#tail >= this.#end) {
        this.#tail = START;
        this.#end = null;
      } else if (this.#head + size <= this.#tail) {
        return;
      } else if (this.#passTail(moves < MAX_MOVES)) {
        moves++;
      }
    }
  }

  /** Frees the oldest record, or moves it to the head. Returns whether it was moved. */
  #passTail(mayMove: boolean): boolean {
    const at = this.#tail;
    const size = this.#sizeOf(at);
    const header = at * WORD_BYTES;
    this.#tail += size;
    if (this.#bytes[header + IS_CURRENT] === 0) return false;
    const hits = byteAt(this.#bytes, header + HITS);
    if (hits === 0 || !mayMove) {
      this.#remove(at);
      return false;
    }
    this.#bytes[header + HITS] = hits - 1;
    this.#relink(at, this.#head);
    this.#words.copyWithin(this.#head, at, at + size);
    this.#head += size;
    return true;
  }
}

// Only indexes inside the arrays are read.
function wordAt(words: Uint32Array, index: number): number {
  return words[index] as number;
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] as number;
}
