/** An error whose message is written for the person at the terminal; it is shown without a stack. */
export class PlainError extends Error {
  override name = "PlainError";
}
