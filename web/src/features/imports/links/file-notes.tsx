import { formatCount } from "../../../lib/locale-formats.ts";
import type { LinkDomains, LinkFile } from "../../files/index.ts";

/** Domains that are named. */
const HOSTS_MAX_COUNT = 20;

export function FileNotes({ file: { lines, reading }, domains }: { file: LinkFile; domains: LinkDomains }) {
  const { isEncodingCertain, skippedLines, ignoredColumns } = reading;
  const all = new Set(lines.flatMap(({ slug, domain }) => (slug !== null && domain) || []));
  const hosts = [...all].slice(0, HOSTS_MAX_COUNT);
  const own = hosts.filter((host) => domains.ownDomains.includes(host));
  const others = hosts.filter((host) => !own.includes(host));
  const isPlain = hosts.length < 2 && own.every((host) => host === domains.domain);
  return (
    <>
      {!isPlain && (
        <p className="text-md text-pretty wrap-anywhere">
          {hosts.length > 1 && `This file has short addresses on ${all.size} domains. `}
          {own.length > 0 && `Codes stay on ${own.join(", ")}. `}
          {others.length > 0 &&
            `Not your domains here: ${others.join(", ")}. Add those that you own before you import, so that their short addresses keep working.`}
        </p>
      )}
      <p className="text-md text-pretty wrap-anywhere empty:hidden">
        {skippedLines > 0 && `Skipped above the names of the columns: ${formatCount(skippedLines, "line")}. `}
        {ignoredColumns.length > 0 &&
          `Columns that are not imported: ${ignoredColumns.join(", ")}. To import one, name it Slug, Name, Labels or Expiry. `}
        {!isEncodingCertain && "If letters look wrong, save the file in UTF-8 and choose it again."}
      </p>
    </>
  );
}
