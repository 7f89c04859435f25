/** The screen for reporting a link, without an account. */
export const REPORT_PAGE = "/report";

/** The path of the report screen with the short code filled in. */
export function reportPagePath(shortCode: string): string {
  return `${REPORT_PAGE}?code=${shortCode}`;
}
