const NAME = "(?:tapthru|nodejs|process)_\\w+|slo:\\w+:\\w+|up";
/** Matches a metric or a recorded series with its optional selector, but no name or value of a label. */
const SELECTOR = new RegExp(`(?<![\\w:"-])(${NAME})(?![\\w:(-])(?:\\{([^}]*)\\})?`, "g");
/** A series without the label `installation`. */
const SHARED = "slo:error_budget:ratio";

/** Restricts a query to the installations selected in the dashboard. */
export function restrictToInstallation(query: string): string {
  return query.replace(SELECTOR, (whole, name: string, matchers: string | undefined) =>
    name === SHARED
      ? whole
      : `${name}{${['installation=~"$installation"', matchers].filter(Boolean).join(",")}}`,
  );
}
