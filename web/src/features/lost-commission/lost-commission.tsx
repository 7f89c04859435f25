import { escapeFormula } from "@tapthru/proto/rules/csv-cell";
import { IMPORT_LINES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { Download } from "lucide-react";
import { useMemo, useState } from "react";
import { useNavigate } from "react-router-dom";
import { CopyButton } from "../../components/copy-button.tsx";
import { FileArea } from "../../components/file-area.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { CheckboxList } from "../../components/ui/choice-list.tsx";
import { Field } from "../../components/ui/field.tsx";
import { NextPage } from "../../components/ui/loaded.tsx";
import { dayOf } from "../../lib/dates.ts";
import { formatCount, formatList, formatNumber } from "../../lib/locale-formats.ts";
import { returningTo } from "../../lib/return-path.ts";
import { csvSeparator, saveFile } from "../../lib/save-file.ts";
import { FOUND_LINKS_KEY, writeText } from "../../lib/stored-texts.ts";
import {
  countTags,
  type FoundLink,
  type Group,
  guessOwn,
  type Place,
  type Reading,
  type Reason,
  repairedUrl,
  sortLinks,
  useReader,
} from "../files/index.ts";

const LINKS_PER_PAGE = 50;
const TAGS_MAX_COUNT = 20;
const FAILURES_SHOWN = 5;

const REASONS: Record<Reason, string> = {
  sound: "Its tag pays.",
  none: "It has no tag.",
  misplaced: "Its tag has a place or a name that Amazon does not read.",
  foreign: "Its tag is of another country's store.",
  placeholder: "Its tag is the example of a guide.",
  broken: "It is cut, or leads to no product.",
  short: "A short link of Amazon: only Amazon knows its tag.",
  wrapped: "It is inside another site's link, which may add a tag.",
  onelink: "Its tag is of amazon.com, and pays only with OneLink.",
  several: "It has several tags, of which Amazon may count any, or none.",
  unusual: "Its tag has no usual ending, such as -20.",
  attribution: "It reports to a seller of Amazon.",
};

const GROUPS: Record<Group, string> = {
  lost: "Pays nothing",
  unclear: "Can't be seen here",
  others: "Tags of others",
  pays: "Pays you",
};

/** Finds the Amazon links in files of the user that pay nothing. Sends no request. */
export function LostCommission() {
  const read = useReader();
  const [reading, setReading] = useState<Reading | "pending">();
  const [error, setError] = useState<string>();

  function start(files: readonly File[]) {
    setReading("pending");
    setError(undefined);
    read("amazonLinks", files, {
      onDone(found) {
        setReading(found);
        setError(failureText(found));
      },
      onFailed(message) {
        setReading(undefined);
        setError(message);
      },
    });
  }
  return (
    <div className="flex flex-col gap-5">
      <Card title="Choose your files">
        <FileArea
          isMultiple
          label="Choose files"
          hint="Or drop them here."
          pending={reading === "pending" ? "Reading..." : undefined}
          error={error}
          onFiles={start}
        />
        <p className="mt-4 text-md leading-6 text-pretty text-muted">
          YouTube's data export, a blog as XML or HTML, a page of Linktree or LTK saved in the browser, newsletters,
          tables, documents of Word, text, or a ZIP of these. They stay in this browser: nothing is sent.
        </p>
      </Card>
      {typeof reading === "object" && <Findings reading={reading} />}
    </div>
  );
}

function failureText({ failures }: Reading): string | undefined {
  if (failures.length === 0) return undefined;
  const names = formatList(failures.slice(0, FAILURES_SHOWN));
  return `${formatCount(failures.length, "file")} could not be read. Damaged, locked, over 200 MB or a folder: ${names}.`;
}

function Findings({ reading: { links } }: { reading: Reading }) {
  const counts = useMemo(() => countTags(links), [links]);
  const [ticked, setTicked] = useState(() => guessOwn(counts));
  const [typed, setTyped] = useState("");
  const [group, setGroup] = useState<Group>("lost");
  const own = useMemo(() => [...ticked, ...typed.split(/[\s,]+/)].filter(Boolean), [ticked, typed]);
  const groups = useMemo(() => sortLinks(links, new Set(own)), [links, own]);
  const shown = groups[group];
  const all = formatNumber(links.length);
  if (links.length === 0) return <p role="status">There is no Amazon link in these files.</p>;

  return (
    <>
      <Card title="Your tags">
        <div className="grid gap-4">
          {counts.size > 0 && (
            <CheckboxList
              legend="Which of these tags are yours?"
              choices={[...counts].slice(0, TAGS_MAX_COUNT).map(([tag, count]) => ({
                value: tag,
                name: tag,
                text: `in ${formatCount(count, "place")}`,
              }))}
              values={ticked}
              onChange={setTicked}
            />
          )}
          <Field
            label="Other tags of yours"
            hint="With commas between them."
            value={typed}
            maxLength={500}
            onChange={({ target }) => setTyped(target.value)}
          />
        </div>
      </Card>
      <Card title="Your links">
        <p role="status" className="mb-4 leading-6">
          {formatCount(groups.lost.length, `link of ${all} pays nothing.`, `links of ${all} pay nothing.`)}
        </p>
        <ChoiceBar
          legend="Links"
          isLegendHidden
          choices={(Object.keys(GROUPS) as Group[]).map((each) => [
            each,
            `${GROUPS[each]} (${formatNumber(groups[each].length)})`,
          ])}
          value={group}
          onChange={setGroup}
        />
        {shown.length > 0 && <Uses links={shown} own={own} />}
        <Links key={group} links={shown} own={own} />
      </Card>
    </>
  );
}

function Links({ links, own }: { links: readonly FoundLink[]; own: readonly string[] }) {
  const [count, setCount] = useState(LINKS_PER_PAGE);
  const list = { isError: false, hasNextPage: links.length > count, fetchNextPage: () => setCount(2 * count) };
  return (
    <>
      <ul className="mt-4 divide-y divide-line">
        {links.slice(0, count).map((link) => {
          const { address, reason, places } = link;
          const repaired = repairedUrl(link, own);
          return (
            <li key={address} className="grid gap-x-8 py-4 leading-6 md:grid-cols-2">
              <div className="min-w-0">
                <bdi className="wrap-anywhere">{address}</bdi>
                <p className="text-md font-medium">{REASONS[reason]}</p>
              </div>
              {repaired !== null && repaired !== address && (
                <p className="flex min-w-0 items-start justify-between gap-2">
                  <bdi className="min-w-0 text-accent wrap-anywhere">{repaired}</bdi>
                  <CopyButton text={repaired} label="Copy the repaired link" />
                </p>
              )}
              <p className="text-sm wrap-anywhere text-muted md:col-span-2">
                {places.slice(0, 1).map(placeText)}
                {places.length > 1 && `, and ${formatCount(places.length - 1, "other place")}`}
              </p>
            </li>
          );
        })}
      </ul>
      <NextPage list={list} failed="" />
    </>
  );
}

const placeText = ({ file, line, title }: Place) =>
  [file, title, line === null ? "" : `line ${formatNumber(line)}`].filter(Boolean).join(" · ");

function Uses({ links, own }: { links: readonly FoundLink[]; own: readonly string[] }) {
  const navigate = useNavigate();
  const known = links.filter(({ meant }) => meant !== null).slice(0, IMPORT_LINES_MAX_COUNT);

  function makeShortLinks() {
    writeText(FOUND_LINKS_KEY, known.map((link) => repairedUrl(link, own)).join("\n"), "sessionStorage");
    // Leads users who are signed in there at once.
    navigate(returningTo(paths.import, paths.signup));
  }

  function saveCsv() {
    const rows = links.flatMap((link) => {
      const ofLink = [link.address, REASONS[link.reason], repairedUrl(link, own) ?? ""];
      return link.places.map(({ file, line, title }) => [file, line === null ? "" : String(line), title, ...ofLink]);
    });
    const { separator = "," } = csvSeparator();
    const toLine = (cells: string[]) =>
      cells.map((cell) => `"${escapeFormula(cell).replaceAll('"', '""')}"`).join(separator);
    const text = [["File", "Line", "Title", "Link", "Problem", "Replace with"], ...rows].map(toLine).join("\r\n");
    saveFile(new Blob(["\ufeff", text], { type: "text/csv" }), `lost-commission-${dayOf(new Date())}.csv`);
  }

  return (
    <div className="mt-4 flex flex-wrap gap-3">
      {known.length > 0 && (
        <Button onClick={makeShortLinks}>{`Make short links of ${formatNumber(known.length)}`}</Button>
      )}
      <Button variant="outline" onClick={saveCsv}>
        <Download aria-hidden className="size-4" />
        Download CSV
      </Button>
    </div>
  );
}
