/**
 * HyperLogLog with 2^14 registers: the standard error is 0.81 %. A register value is `index * 64 + rank`. A sketch is a
 * sorted list of three-byte register values, or one byte for each register once that is shorter. Register values say
 * nothing about a visitor without the salt of the day.
 */
const REGISTERS = 1 << 14;
const RANK_BITS = 32;
const SPARSE_BYTES = 3;

/** From two independent hashes of 32 bits. */
export function registerOf(first: number, second: number): number {
  const index = first & (REGISTERS - 1);
  return index * 64 + Math.clz32(second) + 1;
}

export function mergeSketches(sketches: readonly Uint8Array[], values: Iterable<number> = []): Uint8Array {
  const registers = newRegisters();
  for (const value of values) putRank(registers, value >> 6, value & 63);
  for (const sketch of sketches) addSketch(registers, sketch);
  return write(registers);
}

/** A byte for each register: a sketch of its longest form, to which others can be added. */
export const newRegisters = () => new Uint8Array(REGISTERS);

export function addSketch(registers: Uint8Array, sketch: Uint8Array): void {
  eachRank(sketch, (index, rank) => putRank(registers, index, rank));
}

function putRank(registers: Uint8Array, index: number, rank: number): void {
  if (rank > byte(registers, index)) registers[index] = rank;
}

export function estimateVisitors(sketch: Uint8Array): number {
  const histogram = new Array<number>(RANK_BITS + 2).fill(0);
  let empty = REGISTERS;
  eachRank(sketch, (_index, rank) => {
    histogram[rank] = (histogram[rank] ?? 0) + 1;
    empty--;
  });
  histogram[0] = empty;
  return Math.round(estimate(histogram));
}

function eachRank(sketch: Uint8Array, visit: (index: number, rank: number) => void): void {
  if (sketch.length === REGISTERS) {
    // `forEach` of a typed array takes ten times as long.
    for (let index = 0; index < REGISTERS; index++) {
      const rank = byte(sketch, index);
      if (rank > 0) visit(index, rank);
    }
    return;
  }
  for (let at = 0; at < sketch.length; at += SPARSE_BYTES) {
    const value = byte(sketch, at) * 65_536 + byte(sketch, at + 1) * 256 + byte(sketch, at + 2);
    visit(value >> 6, value & 63);
  }
}

function byte(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

function write(registers: Uint8Array): Uint8Array {
  let size = 0;
  for (const rank of registers) size += Math.min(rank, 1);
  if (size * SPARSE_BYTES >= REGISTERS) return registers;
  const sparse = new Uint8Array(size * SPARSE_BYTES);
  let at = 0;
  eachRank(registers, (index, rank) => {
    const value = index * 64 + rank;
    sparse.set([value >> 16, value >> 8, value], at);
    at += SPARSE_BYTES;
  });
  return sparse;
}

/** The improved estimator of O. Ertl, "New cardinality estimation algorithms for HyperLogLog sketches" (2017). */
function estimate(histogram: readonly number[]): number {
  const count = (rank: number) => histogram[rank] ?? 0;
  let z = REGISTERS * tau(1 - count(RANK_BITS + 1) / REGISTERS);
  for (let rank = RANK_BITS; rank >= 1; rank--) z = 0.5 * (z + count(rank));
  z += REGISTERS * sigma(count(0) / REGISTERS);
  return (REGISTERS * REGISTERS) / (2 * Math.LN2 * z);
}

function sigma(share: number): number {
  if (share === 1) return Number.POSITIVE_INFINITY;
  let [x, y, z, previous] = [share, 1, share, -1];
  while (z !== previous) {
    x *= x;
    previous = z;
    z += x * y;
    y += y;
  }
  return z;
}

function tau(share: number): number {
  if (share === 0 || share === 1) return 0;
  let [x, y, z, previous] = [share, 1, 1 - share, -1];
  while (z !== previous) {
    x = Math.sqrt(x);
    previous = z;
    y *= 0.5;
    z -= (1 - x) ** 2 * y;
  }
  return z / 3;
}
