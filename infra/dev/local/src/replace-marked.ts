/**
 * Returns the page with a changed text between the marks `<!-- name -->` and `<!-- end of name -->`.
 * @param change receives the previous text
 * @throws if the page has no such marks
 */
export function replaceMarkedText(
  page: string,
  name: string,
  change: (previous: string) => string,
): string {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before = "", rest = ""] = page.split(start);
  const [previous = "", after] = rest.split(end);
  if (after === undefined) throw new Error(`The page has no ${start} … ${end}.`);
  return `${before}${start}\n${change(previous)}\n${end}${after}`;
}
