import type { Channel } from "@tapthru/proto/channels";
import { Checkbox } from "../../components/ui/choice-list.tsx";
import { SelectField } from "../../components/ui/select-field.tsx";
import { findChannel, useChannels } from "./api.ts";

interface ChannelSelectProps {
  label: string;
  /** Null is the default channel; undefined if none is chosen. */
  value: number | null | undefined;
  onSelect: (channelId: number | null) => void;
}

/** Nothing for users with one channel. */
export function ChannelSelect({ label, value, onSelect }: ChannelSelectProps) {
  const channels = useChannels();
  if (channels.length < 2) return null;
  const named = channels.filter(({ isDefault }) => !isDefault);
  const isListed = value === undefined || named.some(({ id }) => id === value);
  return (
    <SelectField
      label={label}
      options={[
        ...(value === undefined ? [["undefined", "Choose a channel"] as const] : []),
        ["", defaultName(channels)],
        ...named.map(({ id, name }) => [String(id), name] as const),
      ]}
      value={isListed ? String(value) : ""}
      onChange={(id) => onSelect(id === "" ? null : Number(id))}
    />
  );
}

function defaultName(channels: readonly Channel[]): string {
  return `${findChannel(channels, null)?.name ?? ""} (default)`;
}

export interface ChannelChoice {
  /** Null is the default channel. */
  channelId: number | null;
  usesChannelTag: boolean;
}

export const NO_CHANNEL_CHOICE: ChannelChoice = { channelId: null, usesChannelTag: false };

/** Returns true if the user has something to choose: channels, or a tag. */
export function useHasChannelChoice(): boolean {
  const channels = useChannels();
  return channels.length > 1 || channels.some(({ tags }) => tags.length > 0);
}

/** Without a channel: none is chosen. */
type OpenChoice = Pick<ChannelChoice, "usesChannelTag"> & { channelId: ChannelSelectProps["value"] };

interface ChannelFieldsProps<Choice> {
  label: string;
  value: Choice;
  onChange: (value: Choice | ChannelChoice) => void;
  text?: string;
}

/** The channel of links, and whether they get its tag. Nothing if there is nothing to choose. */
export function ChannelFields<Choice extends OpenChoice>(props: ChannelFieldsProps<Choice>) {
  const {
    label,
    value,
    onChange,
    text = "Links without a tag get the channel's tag for their store, if it has one, and follow it. Links with a tag keep it.",
  } = props;
  if (!useHasChannelChoice()) return null;
  return (
    <div className="flex flex-col gap-4">
      <ChannelSelect
        label={label}
        value={value.channelId}
        onSelect={(channelId) => onChange({ ...value, channelId })}
      />
      <Checkbox
        name="Use the channel's tag"
        text={text}
        checked={value.usesChannelTag}
        onChange={(usesChannelTag) => onChange({ ...value, usesChannelTag })}
      />
    </div>
  );
}
