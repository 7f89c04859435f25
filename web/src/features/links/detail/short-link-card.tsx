import { fallbackUrl, slugOn } from "@tapthru/proto/fields";
import type { Link } from "@tapthru/proto/links";
import { SLUG_MAX_LENGTH, SLUG_MIN_LENGTH } from "@tapthru/proto/rules/limits";
import { splitShortCode } from "@tapthru/proto/rules/short-code";
import { Card } from "../../../components/ui/card.tsx";
import { NewTabLink } from "../../../components/ui/links.tsx";
import { SavedChoice } from "../../../components/ui/saved-choice.tsx";
import { usePermission } from "../../../kit/can.tsx";
import {
  dayOf,
  endOfDay,
  formatEnd,
  formatLongDay,
  formatMinute,
  hasPassed,
  instantOf,
  minuteOf,
} from "../../../lib/dates.ts";
import { firstMinute, lastDay, optionalText, textOrNull } from "../../../lib/optional-text.ts";
import { findChannel, useChannels } from "../../channels/index.ts";
import { DomainSelect, useUsableDomains } from "../../domains/index.ts";
import { useChangeLink } from "../fields/change-link.ts";
import { EditableField } from "../fields/editable-field.tsx";
import { isUsable } from "../link-state.tsx";

interface ShortLinkCardProps {
  link: Link;
  onRenamed: (shortCode: string) => void;
}

export function ShortLinkCard({ link, onRenamed }: ShortLinkCardProps) {
  const { shortCode, domain, expiresAt } = link;
  const { name } = splitShortCode(shortCode);
  return (
    <Card title="Short link">
      {name === "" ? (
        <p className="text-pretty">{`This link opens at ${domain ?? ""} itself. You can change it on the page of your domains.`}</p>
      ) : (
        <>
          <h3 className="mb-1 text-sm text-muted">Short link name</h3>
          <EditableField
            link={link}
            pencil="Edit short link name"
            label="Short link name"
            hint={`${SLUG_MIN_LENGTH} to ${SLUG_MAX_LENGTH} letters, digits, hyphens and underscores; on your own domains from 1. The earlier short link keeps working.`}
            type="text"
            schema={slugOn(domain)}
            textOf={(each) => splitShortCode(each.shortCode).name}
            changeOf={(text) => ({ slug: text })}
            onChanged={(changed) => onRenamed(changed.shortCode)}
          >
            <p className="wrap-anywhere">{name}</p>
          </EditableField>
          <LinkDomain link={link} onMoved={onRenamed} />
        </>
      )}
      <h3 className="mt-5 mb-1 text-sm text-muted">Start</h3>
      <EditableField
        link={link}
        pencil="Edit start"
        label="When the link starts"
        hint="Until then the page below opens. Leave it empty for a link that opens at once."
        type="datetime-local"
        schema={firstMinute}
        textOf={({ startsAt }) => (startsAt === null ? "" : minuteOf(new Date(startsAt)))}
        changeOf={(minute) => ({ startsAt: minute === "" ? null : instantOf(minute) })}
      >
        <p>{startText(link.startsAt)}</p>
      </EditableField>
      <h3 className="mt-5 mb-1 text-sm text-muted">Expiry</h3>
      <EditableField
        link={link}
        pencil="Edit expiry"
        label="Last day on which the link works"
        hint="Leave it empty for a link that never expires."
        type="date"
        min={dayOf(new Date())}
        schema={lastDay}
        textOf={lastDayOf}
        changeOf={(day) => ({ expiresAt: day === "" ? null : endOfDay(day) })}
      >
        <p>{expiryText(expiresAt)}</p>
      </EditableField>
      <h3 className="mt-5 mb-1 text-sm text-muted">Before it starts, and when it ends</h3>
      <EditableField
        link={link}
        pencil="Edit what opens when the link ends"
        label="Amazon page in place of the link"
        hint="It opens, with the tag of the channel, until the link starts, and once it has expired or its product is gone. Leave it empty for the channel's page."
        type="url"
        schema={fallbackText}
        textOf={({ fallbackUrl }) => fallbackUrl ?? ""}
        changeOf={(text) => ({ fallbackUrl: textOrNull(text) })}
      >
        <Fallback link={link} />
      </EditableField>
    </Card>
  );
}

function Fallback({ link: { fallbackUrl, channelId } }: { link: Link }) {
  const ofChannel = findChannel(useChannels(), channelId)?.fallbackUrl ?? null;
  const url = fallbackUrl ?? ofChannel;
  if (url === null)
    return (
      <p className="text-pretty">
        Until it starts, visitors see that there is no link. Once it has expired, they see that it is no longer
        available, and if its product is gone, Amazon's own page.
      </p>
    );
  return (
    <p>
      {fallbackUrl === null && "As the channel: "}
      <NewTabLink href={url}>{url}</NewTabLink>
    </p>
  );
}

const fallbackText = optionalText(fallbackUrl);

function lastDayOf({ expiresAt }: Link): string {
  return expiresAt === null ? "" : dayOf(new Date(expiresAt));
}

function startText(startsAt: string | null): string {
  if (startsAt === null) return "Open at once";
  return `${hasPassed(startsAt) ? "Started" : "Starts"} ${formatMinute(startsAt)}`;
}

function expiryText(expiresAt: string | null): string {
  if (expiresAt === null) return "Never expires";
  return hasPassed(expiresAt) ? "Expired" : `Expires ${formatEnd(expiresAt, formatLongDay)}`;
}

interface LinkDomainProps {
  link: Link;
  onMoved: (shortCode: string) => void;
}

function LinkDomain({ link, onMoved }: LinkDomainProps) {
  const usable = useUsableDomains().map(({ host }) => host);
  // A link may be on a domain that is off.
  const hosts = [...new Set([...usable, ...(link.domain === null ? [] : [link.domain])])];
  const { change, isPending } = useChangeLink(link);
  const may = usePermission("PATCH /api/links/:shortCode");
  if (!may || !isUsable(link) || hosts.length === 0) return null;

  return (
    <div className="mt-5">
      <SavedChoice
        value={link.domain}
        pending={isPending}
        onSave={(domain) => change({ domain }, { onDone: (changed) => changed && onMoved(changed.shortCode) })}
      >
        {(domain, choose) => <DomainSelect label="Domain" hosts={hosts} value={domain} onSelect={choose} />}
      </SavedChoice>
    </div>
  );
}
