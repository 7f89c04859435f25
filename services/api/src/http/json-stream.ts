/**
 * The JSON of an object whose last field is a long list.
 * @param head the other fields, at least one
 * @param serialize the JSON of one item
 */
export async function* streamJson<Item>(
  head: object,
  list: { name: string; pages: AsyncIterable<readonly Item[]>; serialize: (item: Item) => string },
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"${list.name}":[`;
  let separator = "";
  for await (const items of list.pages) {
    if (items.length === 0) continue;
    yield separator + items.map(list.serialize).join(",\n");
    separator = ",\n";
  }
  yield "]}\n";
}
