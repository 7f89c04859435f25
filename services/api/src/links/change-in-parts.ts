export interface ItemResult {
  id: number;
  error: string | null;
}

/**
 * Changes many items in several transactions. What fails after an item was changed is reported for the rest: the reply as a whole must
 * not say that nothing was.
 * @param codeOf reports an error, and returns its code
 */
export async function changeInParts(
  parts: readonly (readonly number[])[],
  change: (ids: readonly number[]) => Promise<readonly ItemResult[]>,
  codeOf: (error: unknown) => string,
): Promise<ItemResult[]> {
  const results: ItemResult[] = [];
  for (const [at, ids] of parts.entries()) {
    try {
      results.push(...(await change(ids)));
    } catch (failure) {
      if (results.every(({ error }) => error !== null)) throw failure;
      const error = codeOf(failure);
      const rest = parts.slice(at).flat();
      return [...results, ...rest.map((id) => ({ id, error }))];
    }
  }
  return results;
}
