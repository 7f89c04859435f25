/** Less than the api takes in one request. */
const BODY_BYTES = 900_000;

/** Divides what is sent into requests: at most `maxCount` of it in each. @param isRare of which each has at most `rareCount` */
export function divide<Item>(
  items: readonly Item[],
  maxCount: number,
  { isRare = () => false, rareCount = 0 }: { isRare?: (item: Item) => boolean; rareCount?: number } = {},
): Item[][] {
  const parts: Item[][] = [];
  let [bytes, rare] = [0, 0];
  for (const item of items) {
    const size = new TextEncoder().encode(JSON.stringify(item)).length;
    const part = parts.at(-1);
    bytes += size;
    rare += Number(isRare(item));
    if (part && part.length < maxCount && bytes <= BODY_BYTES && rare <= rareCount) part.push(item);
    else {
      parts.push([item]);
      [bytes, rare] = [size, Number(isRare(item))];
    }
  }
  return parts;
}
