/** A copy of the array with twice the length. */
export function grown(numbers: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(2 * numbers.length);
  copy.set(numbers);
  return copy;
}
