/**
 * In characters: more than any entry point lets through. Work in proportion to the length takes milliseconds, work in
 * proportion to its square does not end.
 */
const LENGTH = 300_000;

const STARTS = ["", "https://www.amazon.de/a"];
const REPEATED = [
  "/",
  " ",
  "a",
  "1",
  "%",
  ".",
  "-",
  "@",
  "㌀",
  "\u0323\u0301",
  "a/",
  "a.",
  "a-",
  "a ",
  "a=&",
  ":/",
  "?#",
  ";q=",
  "\"'",
  "([{<",
  "<title",
  "https://www.amazon.de/",
];

export const HOSTILE_TEXTS: readonly string[] = REPEATED.flatMap((part) =>
  STARTS.map((start) => `${start}${part.repeat(LENGTH / part.length)}\0!b`),
);
