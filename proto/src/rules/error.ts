export interface ErrorReply<Code extends string = string> {
  /** Clients rely on it, not on the message. Codes may be added; a code is never renamed or given another meaning: open tabs depend on it. */
  code: Code;
  status: number;
  /** One sentence for users: the text/plain body, and `title` of a problem. */
  message: string;
}

// @__NO_SIDE_EFFECTS__
export function error<Code extends string>(code: Code, status: number, message: string): ErrorReply<Code> {
  return { code, status, message };
}
