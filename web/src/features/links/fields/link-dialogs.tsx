import type { Link } from "@tapthru/proto/links";
import { OWNER_TEXTS } from "@tapthru/proto/owner-fields";
import { displayName } from "@tapthru/proto/rules/display-name";
import { useHost } from "../../../lib/use-host.ts";
import { destinationField } from "./destination.tsx";
import { type EditableFieldProps, FieldDialog } from "./editable-field.tsx";

interface LinkDialogProps {
  link: Link;
  field: "name" | "destination";
  onClose: () => void;
}

export const nameField = (link: Link, host: string) =>
  ({
    link,
    label: "Name (only you see it)",
    schema: OWNER_TEXTS.nickname.input,
    textOf: (each) => displayName(each, host),
    changeOf: (nickname) => ({ nickname }),
    failure: "Failed to update link name. Please try again.",
  }) satisfies Partial<EditableFieldProps>;

export function LinkDialog({ link, field, onClose }: LinkDialogProps) {
  const host = useHost();
  return field === "name" ? (
    <FieldDialog title="Rename" {...nameField(link, host)} label="Name, which only you see" onClose={onClose} />
  ) : (
    <FieldDialog title="Change destination" {...destinationField(link)} onClose={onClose} />
  );
}
