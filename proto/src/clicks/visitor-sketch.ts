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
  return write(ranksOf(sketches, values));
}

export function estimateVisitors(sketches: readonly Uint8Array[]): number {
  const histogram = new Array<number>(RANK_BITS + 2).fill(0);
  histogram[0] = REGISTERS;
  const count = (rank: number) => {
    histogram[rank] = (histogram[rank] ?? 0) + 1;
    histogram[0] = (histogram[0] ?? 0) - 1;
  };
  const [first] = sketches;
  // Most days of a link have one, which needs no merging.
  if (first !== undefined && sketches.length === 1) eachRank(first, (_index, rank) => count(rank));
  else ranksOf(sketches, []).forEach(count);
  return Math.round(estimate(histogram));
}

function ranksOf(sketches: readonly Uint8Array[], values: Iterable<number>): Map<number, number> {
  const ranks = new Map<number, number>();
  const put = (index: number, rank: number) => {
    if (rank > (ranks.get(index) ?? 0)) ranks.set(index, rank);
  };
  for (const value of values) put(value >> 6, value & 63);
  for (const sketch of sketches) eachRank(sketch, put);
  return ranks;
}

function eachRank(sketch: Uint8Array, visit: (index: number, rank: number) => void): void {
  if (sketch.length === REGISTERS) {
    sketch.forEach((rank, index) => {
      if (rank > 0) visit(index, rank);
    });
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

function write(ranks: ReadonlyMap<number, number>): Uint8Array {
  if (ranks.size * SPARSE_BYTES >= REGISTERS) {
    const dense = new Uint8Array(REGISTERS);
    for (const [index, rank] of ranks) dense[index] = rank;
    return dense;
  }
  const values = [...ranks].map(([index, rank]) => index * 64 + rank).sort((a, b) => a - b);
  const sparse = new Uint8Array(values.length * SPARSE_BYTES);
  for (const [i, value] of values.entries()) sparse.set([value >> 16, value >> 8, value], i * SPARSE_BYTES);
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
