const SERIES_NAME = "(?:tapthru|nodejs|process)_\\w+|slo:\\w+:\\w+|up";
/** Matches a metric or a recorded series with its optional selector, but not the names and values of labels. */
const SELECTOR = new RegExp(`(?<![\\w:"-])(${SERIES_NAME})(?![\\w:(-])(?:\\{([^}]*)\\})?`, "g");
/** A series without the label `installation`. */
const UNLABELLED_SERIES = "slo:error_budget:ratio";

/** Restricts a query to the installations selected in the dashboard. */
export function restrictToInstallation(query: string): string {
  return query.replace(SELECTOR, (match, name: string, matchers: string | undefined) =>
    name === UNLABELLED_SERIES
      ? match
      : `${name}{${['installation=~"$installation"', matchers].filter(Boolean).join(",")}}`,
  );
}
