import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";
import { IMPORT_LINES_MAX_COUNT } from "@tapthru/proto/rules/limits";
import { paths } from "@tapthru/proto/rules/paths";
import { Download } from "lucide-react";
import { useCallback, useMemo, useState } from "react";
import { useLocation, useNavigate } from "react-router-dom";
import { CopyButton } from "../../components/copy-button.tsx";
import { FileArea } from "../../components/file-area.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Card } from "../../components/ui/card.tsx";
import { ChoiceBar } from "../../components/ui/choice-bar.tsx";
import { CheckboxList } from "../../components/ui/choice-list.tsx";
import { Field } from "../../components/ui/field.tsx";
import { NextPage } from "../../components/ui/loaded.tsx";
import { useErrorToast } from "../../components/ui/toaster.tsx";
import { authHeaders } from "../../lib/api-auth.ts";
import { dayOf } from "../../lib/dates.ts";
import { formatCount, formatList, formatNumber } from "../../lib/locale-formats.ts";
import { returningTo } from "../../lib/return-path.ts";
import { saveCsv } from "../../lib/save-file.ts";
import { FOUND_LINKS_KEY, NOT_KEPT, writeText } from "../../lib/stored-texts.ts";
import { useUnsavedText } from "../../lib/unsaved-text.ts";
import { channelsOptions } from "../channels/index.ts";
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
const NONE: readonly string[] = [];

const REASONS: Record<Reason, string> = {
  sound: "Its tag pays.",
  none: "It has no tag.",
  misplaced: "Its tag has a place or a name that Amazon does not read.",
  foreign: "Its tag belongs to another country's store.",
  placeholder: "Its tag is an example from a guide.",
  broken: "It is cut off, leads to no product, or is a widget that shows nothing any more.",
  short: "A short link of Amazon: only Amazon knows its tag.",
  wrapped: "It is inside another site's link, which may add a tag.",
  onelink: "Its tag belongs to amazon.com, and pays only with OneLink.",
  several: "It has several tags, of which Amazon may count any, or none.",
  unusual: "Its tag has no usual ending, such as -20.",
  attribution: "Its tag reports to a seller on Amazon.",
};

const GROUPS: Record<Group, string> = {
  lost: "Pays nothing",
  unclear: "Can't be seen here",
  others: "Tags of others",
  pays: "Pays you",
  idle: "Not worth a tag",
};

/** Says what is known of a link, as a member of its group. */
function reasonOf({ reason }: FoundLink, group: Group): string {
  if (group === "idle") return "It leads to a page such as home, cart, help or orders.";
  return group === "others" && reason === "sound" ? "Its tag is not one of yours." : REASONS[reason];
}

interface Findings {
  reading: Reading;
  group: Group;
  /** Tags as the user ticked them; undefined: as they are by themselves. */
  ticked?: string[];
  typed: string;
}

/** Finds the Amazon links in files of the user that pay nothing. Sends nothing of them. */
export function LinkAudit() {
  const { read, progress, error } = useReader();
  const queryClient = useQueryClient();
  // Back from a page that a result leads to shows the results again.
  const queryKey = ["found links", useLocation().key];
  const { data: earlier } = useQuery<Findings>({
    queryKey,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  const [findings, setFindings] = useState(earlier);
  useUnsavedText(findings !== undefined || progress !== undefined, { isQuiet: true });

  function show(shown: Findings) {
    setFindings(shown);
    queryClient.setQueryData(queryKey, shown);
  }

  return (
    <div className="flex flex-col gap-5">
      <Card title="Choose your files">
        <FileArea
          isMultiple
          label="Choose files"
          hint="Or drop them here."
          pending={progress && "Reading..."}
          progress={progress}
          error={error ?? (findings && failureText(findings.reading))}
          onFiles={(files) => read("amazonLinks", files, (reading) => show({ reading, group: "lost", typed: "" }))}
        />
        <p className="mt-4 text-md leading-6 text-pretty text-muted">
          YouTube's data export, a blog as XML or HTML, a page of Linktree or LTK saved in the browser, newsletters,
          tables, documents of Word, text, or a ZIP of these. They stay in this browser: nothing is sent. Mail that
          Amazon sent is left out.
        </p>
      </Card>
      {findings && <FoundLinks findings={findings} onChange={(change) => show({ ...findings, ...change })} />}
    </div>
  );
}

function failureText({ failures }: Reading): string | undefined {
  if (failures.length === 0) return undefined;
  const names = formatList(failures.slice(0, FAILURES_SHOWN));
  return `${formatCount(failures.length, "file")} could not be read. Damaged, locked, over 200 MB, a folder, or in too many archives: ${names}.`;
}

interface FoundLinksProps {
  findings: Findings;
  onChange: (change: Partial<Findings>) => void;
}

function FoundLinks({ findings: { reading, group, ticked, typed }, onChange }: FoundLinksProps) {
  const { links } = reading;
  const queryClient = useQueryClient();
  const { data: ofAccount = NONE } = useQuery({
    queryKey: ["own tags"],
    // A guest may have logged in since, or a channel may have another tag.
    staleTime: 0,
    async queryFn() {
      const isGuest = (await authHeaders()) === null;
      const channels = isGuest ? [] : await queryClient.fetchQuery(channelsOptions);
      return channels.flatMap((channel) => channel.tags.map(({ tag }) => tag.toLowerCase()));
    },
  });
  const counts = useMemo(() => countTags(links), [links]);
  const tags = useMemo(
    () => ticked ?? (ofAccount.length > 0 ? ofAccount : guessOwn(counts)),
    [ticked, ofAccount, counts],
  );
  const choices = new Set([...counts.keys(), ...ofAccount]);
  const own = useMemo(() => new Set([...tags, ...typed.toLowerCase().split(/[\s,]+/)].filter(Boolean)), [tags, typed]);
  const groups = useMemo(() => sortLinks(links, own), [links, own]);
  /** Returns the address to use in place of a link; null if none is known, or the link is not the user's. */
  const offer = useCallback(
    (link: FoundLink) => (group === "others" || group === "idle" ? null : repairedUrl(link, own)),
    [group, own],
  );
  const shown = groups[group];
  const all = formatNumber(links.length);
  if (links.length === 0) return <p role="status">There is no Amazon link in these files.</p>;

  return (
    <>
      <Card title="Your tags">
        <div className="grid gap-4">
          {choices.size > 0 && (
            <CheckboxList
              legend="Which of these tags are yours?"
              choices={[...choices].slice(0, TAGS_MAX_COUNT).map((tag) => ({
                value: tag,
                name: tag,
                text: `in ${formatCount(counts.get(tag) ?? 0, "place")}`,
              }))}
              values={tags}
              onChange={(values) => onChange({ ticked: values })}
            />
          )}
          <Field
            label="Your other tags"
            hint="Separate them with commas."
            value={typed}
            maxLength={500}
            onChange={({ target }) => onChange({ typed: target.value })}
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
          onChange={(chosen) => onChange({ group: chosen })}
        />
        {shown.length > 0 && <Uses links={shown} group={group} offer={offer} />}
        <Links key={group} links={shown} group={group} offer={offer} />
      </Card>
    </>
  );
}

interface LinksProps {
  links: readonly FoundLink[];
  group: Group;
  offer: (link: FoundLink) => string | null;
}

function Links({ links, group, offer }: LinksProps) {
  const [count, setCount] = useState(LINKS_PER_PAGE);
  const list = { isError: false, hasNextPage: links.length > count, fetchNextPage: () => setCount(2 * count) };
  return (
    <>
      <ul className="mt-4 divide-y divide-line">
        {links.slice(0, count).map((link) => {
          const { address, places } = link;
          const repaired = offer(link);
          return (
            <li key={address} className="grid gap-x-8 py-4 leading-6 md:grid-cols-2">
              <div className="min-w-0">
                <bdi className="wrap-anywhere">{address}</bdi>
                <p className="text-md font-medium">{reasonOf(link, group)}</p>
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

function Uses({ links, group, offer }: LinksProps) {
  const showError = useErrorToast();
  const navigate = useNavigate();
  // Others are repaired when the button is pressed: all of them would take a second for each letter of a tag.
  const hasOffers = links.some((link) => offer(link) !== null);

  function makeShortLinks() {
    const offers = links.flatMap((link) => offer(link) ?? []).slice(0, IMPORT_LINES_MAX_COUNT);
    if (!writeText(FOUND_LINKS_KEY, offers.join("\n"), "sessionStorage")) return showError(NOT_KEPT);
    // Leads users who are signed in there at once.
    navigate(returningTo(paths.import, paths.signup));
  }

  function saveTable() {
    const rows = links.flatMap((link) => {
      const ofLink = [link.address, reasonOf(link, group), offer(link) ?? ""];
      return link.places.map(({ file, line, title }) => [file, line === null ? "" : String(line), title, ...ofLink]);
    });
    const header = ["File", "Line", "Title", "Link", "Problem", "Replace with"];
    saveCsv([header, ...rows], `lost-commission-${dayOf(new Date())}.csv`);
  }

  return (
    <div className="mt-4 flex flex-wrap gap-3">
      {hasOffers && <Button onClick={makeShortLinks}>Make short links</Button>}
      <Button variant="outline" onClick={saveTable}>
        <Download aria-hidden className="size-4" />
        Download CSV
      </Button>
    </div>
  );
}
