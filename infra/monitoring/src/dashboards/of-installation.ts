const NAME = "(?:tapthru|nodejs|process)_\\w+|slo:\\w+:\\w+|up";
/** A metric or what a rule records, with its selector where it has one; not a label's name or value. */
const SELECTOR = new RegExp(`(?<![\\w:"-])(${NAME})(?![\\w:(-])(?:\\{([^}]*)\\})?`, "g");
/** The same for all installations. */
const SHARED = "slo:error_budget:ratio";

/** The query for those installations that the dashboard's variable chooses. */
export function ofInstallation(query: string): string {
  return query.replace(SELECTOR, (whole, name: string, matchers: string | undefined) =>
    name === SHARED
      ? whole
      : `${name}{${['installation=~"$installation"', matchers].filter(Boolean).join(",")}}`,
  );
}
