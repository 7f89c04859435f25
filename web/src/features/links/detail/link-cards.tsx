import { useQuery } from "@tanstack/react-query";
import type { Link } from "@tapthru/proto/links";
import { BROWSER } from "@tapthru/proto/rules/agents/agent";
import { parseStorePage } from "@tapthru/proto/rules/amazon/amazon-url";
import { tagHealth } from "@tapthru/proto/rules/amazon/tag-health";
import { type AppOpeningTable, chooseStrategy } from "@tapthru/proto/rules/app-opening/app-opening";
import { BUILT_IN_OPENING_TABLE } from "@tapthru/proto/rules/app-opening/built-in-app-opening";
import { paths } from "@tapthru/proto/rules/paths";
import { CopyButton, FAILED_TO_COPY_TEXT } from "../../../components/copy-button.tsx";
import { textLinkClass } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { PageLink } from "../../../components/ui/links.tsx";
import { SavedChoice } from "../../../components/ui/saved-choice.tsx";
import { SelectField } from "../../../components/ui/select-field.tsx";
import { usePermission } from "../../../kit/can.tsx";
import { queryOf } from "../../../lib/http/query-presets.ts";
import { formatList } from "../../../lib/locale-formats.ts";
import { appName, LAUNCH_MODE_NAMES } from "../../../lib/names.ts";
import { oneLinkStoresOptions, TagNote } from "../../channels/index.ts";
import { useChangeLink } from "../fields/change-link.ts";
import { isUsable } from "../link-state.tsx";
import { openingTableQuery } from "../opening/opening.ts";
import { LinkChannel } from "./link-channel.tsx";

/** The tag of a link's destination, with its channel. A missing tag is a warning instead. */
export function TagOfLink({ link }: { link: Link }) {
  const kind = tagKind(link);
  const { data: served } = useQuery({ ...oneLinkStoresOptions, enabled: kind === "onelink" });
  if (!isUsable(link)) return null;
  if (kind === "none") return <LinkChannel link={link} />;
  return (
    <section className="mt-2 max-w-xl">
      <h2 className="sr-only">Tag</h2>
      <TagNote url={link.webUrl} served={served} />
      {kind === "onelink" && (
        <p className="mt-3 text-sm leading-5">
          <PageLink to={paths.stores} className={textLinkClass}>
            Choose the stores that OneLink serves
          </PageLink>
        </p>
      )}
      <LinkChannel link={link} />
    </section>
  );
}

function tagKind({ webUrl }: Link) {
  const page = parseStorePage(webUrl);
  return page === null ? "none" : tagHealth(page).kind;
}

export function LinkOpening({ link }: { link: Link }) {
  const kind = tagKind(link);
  return (
    <>
      {parseStorePage(link.webUrl) && <OpeningCard link={link} />}
      {kind !== "none" && kind !== "attribution" && <AmazonDisclosure />}
    </>
  );
}

function AmazonDisclosure() {
  return (
    <Card title="Disclosure">
      <p className="mb-2 text-sm text-muted">Amazon requires a disclosure:</p>
      <ul className="text-sm">
        {["As an Amazon Associate I earn from qualifying purchases.", "#ad"].map((text) => (
          <li key={text} className="flex flex-wrap items-center justify-between gap-x-2">
            <span className="min-w-0 flex-1 basis-40 text-md">{text}</span>
            <CopyButton text={text} label={`Copy "${text}"`} failure={FAILED_TO_COPY_TEXT} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function OpeningCard({ link }: { link: Link }) {
  const { data: table = BUILT_IN_OPENING_TABLE } = useQuery(openingTableQuery);
  const { data: rates } = useQuery(queryOf("GET /api/status/app-opening"));
  return (
    <Card title="How will this open?">
      <p className="mb-2 text-md leading-6 text-pretty">
        {link.opening === null || link.opening === "app"
          ? openingSummary(table)
          : `On iPhone and Android it opens ${LAUNCH_MODE_NAMES[link.opening]}.`}
      </p>
      <p className="mb-2 text-sm leading-5 text-pretty text-muted">
        Computers open the store in the browser, and so do tablets that request desktop sites, such as most iPads.
      </p>
      {rates && rates.rows.length > 0 && (
        <p className="text-md">
          <PageLink to={paths.appOpeningStatus} className={`${textLinkClass} inline-block py-1`}>
            How often this works
          </PageLink>
        </p>
      )}
      <LaunchModeChoice link={link} />
    </Card>
  );
}

const LAUNCH_MODES = Object.entries(LAUNCH_MODE_NAMES);

function LaunchModeChoice({ link }: { link: Link }) {
  const { change, isPending } = useChangeLink(link);
  if (!usePermission("PATCH /api/links/:shortCode") || !isUsable(link)) return null;
  const save = (mode: LaunchMode) => change({ opening: mode === "app" ? null : mode });
  return (
    <div className="mt-4 grid gap-2">
      <SavedChoice value={link.opening ?? "app"} pending={isPending} onSave={save}>
        {(mode, choose) => (
          <SelectField
            label="On phones it opens"
            options={LAUNCH_MODES}
            value={mode}
            onChange={(chosen) => choose(chosen as LaunchMode)}
          />
        )}
      </SavedChoice>
      <p className="text-sm leading-5 text-pretty text-muted">
        Choose the browser for e-books: Amazon's iPhone app does not sell them.
      </p>
    </div>
  );
}

type LaunchMode = keyof typeof LAUNCH_MODE_NAMES;

const SYSTEMS = ["ios", "android"] as const;
/** The apps in which most affiliate links are shared. The sentence names those that need a tap on one of the systems. */
const EXAMPLE_APPS = ["instagram", "tiktok", "facebook"];
const OPENS = "Opens the Amazon app on iPhone and Android";

export function openingSummary(table: AppOpeningTable): string {
  const needsTap = (app: string) =>
    SYSTEMS.some((device) => chooseStrategy(table, { device, app, appVersion: null })?.mode !== "auto");
  if (needsTap(BROWSER)) return `${OPENS}; on some phones one tap is needed.`;
  const apps = EXAMPLE_APPS.filter(needsTap).map(appName);
  return apps.length === 0
    ? `${OPENS}.`
    : `${OPENS}; in some apps one tap is needed, for example in ${formatList(apps)}.`;
}
