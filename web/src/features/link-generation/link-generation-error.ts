/** Its message is displayed to the user. */
export class LinkGenerationError extends Error {
  override name = "LinkGenerationError";
}
