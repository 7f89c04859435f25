export function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** The median, the smallest and the largest ratio, such as "2.00 (1.50 to 3.00)"; empty without ratios. */
export function ratioRange(ratios: readonly number[]): string {
  if (ratios.length === 0) return "";
  const ends = [Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
  return `${median(ratios).toFixed(2)} (${ends.join(" to ")})`;
}
