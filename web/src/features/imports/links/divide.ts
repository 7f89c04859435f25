/** Less than the api takes in one request. */
const BODY_BYTES = 900_000;

/** Divides what is sent into requests, each of at most `maxCount`. */
export function divide<Item>(items: readonly Item[], maxCount: number): Item[][] {
  const parts: Item[][] = [];
  let bytes = 0;
  for (const item of items) {
    const size = new TextEncoder().encode(JSON.stringify(item)).length;
    const part = parts.at(-1);
    bytes += size;
    if (part && part.length < maxCount && bytes <= BODY_BYTES) part.push(item);
    else {
      parts.push([item]);
      bytes = size;
    }
  }
  return parts;
}
