/** The screen on which anybody may say what is wrong with a link. */
export const REPORT_PAGE = "/report";

/** The same with the code of a link filled in. */
export function reportPagePath(shortCode: string): string {
  return `${REPORT_PAGE}?code=${shortCode}`;
}
