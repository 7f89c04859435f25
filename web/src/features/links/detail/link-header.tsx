import type { Link } from "@tapthru/proto/links";
import { type LinkTab, paths } from "@tapthru/proto/rules/paths";
import type { ReactNode } from "react";
import { CopyTextButton, LINK_COPIED } from "../../../components/copy-button.tsx";
import { ShortUrl } from "../../../components/short-url.tsx";
import { NewTabLink } from "../../../components/ui/links.tsx";
import { TabLinks } from "../../../components/ui/tab-links.tsx";
import { useHost } from "../../../lib/use-host.ts";
import { EditableField } from "../fields/editable-field.tsx";
import { nameField } from "../fields/link-fields.tsx";
import { LabelChips, LabelDialog } from "../labels.tsx";
import { isUsable, LinkBadges, LinkNotices } from "../link-state.tsx";
import { DialogButton } from "../list/bulk-call.tsx";

export function LinkHeader({ link, tools }: { link: Link; tools: ReactNode }) {
  const name = nameField(link, useHost());
  return (
    <header className="flex flex-col gap-3">
      <div className="flex flex-col gap-x-6 gap-y-3 lg:flex-row lg:items-end lg:justify-between">
        <div className="min-w-0">
          <EditableField
            {...name}
            className="text-2xl leading-tight text-pretty font-semibold tracking-tight"
            remark={link.nickname === null ? "Give it a name that only you see." : name.label}
            pencil="Edit name"
          >
            <h1 dir="auto" className="wrap-anywhere">
              {name.textOf(link)}
            </h1>
          </EditableField>
          <div className="mt-3 flex flex-wrap items-center gap-x-4 gap-y-2">
            <span className="min-w-0">
              <NewTabLink href={link.invalid ? null : link.shortUrl}>
                <ShortUrl link={link} />
              </NewTabLink>
            </span>
            {isUsable(link) && (
              <CopyTextButton text={link.shortUrl} success={LINK_COPIED}>
                Copy link
              </CopyTextButton>
            )}
            <LinkBadges link={link} />
            <LinkLabels link={link} />
          </div>
        </div>
        {tools && <div className="flex gap-2 lg:shrink-0">{tools}</div>}
      </div>
      <LinkNotices link={link} />
    </header>
  );
}

export const LINK_TAB_NAMES = {
  overview: "Overview",
  clicks: "Clicks",
  opening: "Opening",
  settings: "Settings",
} as const;

export function LinkTabs({ link, tabs }: { link: Link; tabs: readonly LinkTab[] }) {
  const links = [undefined, ...tabs].map((tab) => ({
    to: paths.link(link.shortCode, tab),
    name: LINK_TAB_NAMES[tab ?? "overview"],
  }));
  return <TabLinks label="Parts of this link's page" tabs={links} replace />;
}

function LinkLabels({ link }: { link: Link }) {
  if (link.labels.length === 0 && !isUsable(link)) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <LabelChips labels={link.labels} />
      {isUsable(link) && (
        <DialogButton call="PATCH /api/links/bulk" text="Edit labels">
          {(close) => <LabelDialog links={[link]} onClose={close} />}
        </DialogButton>
      )}
    </div>
  );
}
