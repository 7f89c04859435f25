/** Why there is no link, in a sentence for people. */
export class LinkGenerationError extends Error {
  override name = "LinkGenerationError";
}
