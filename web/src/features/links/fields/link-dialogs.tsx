import type { Link } from "@tapthru/proto/links";
import { OWNER_TEXTS } from "@tapthru/proto/owner-fields";
import { displayName } from "@tapthru/proto/rules/display-name";
import { useHost } from "../../../lib/use-host.ts";
import { destinationField } from "./destination.tsx";
import { FieldDialog } from "./editable-field.tsx";

interface LinkDialogProps {
  link: Link;
  field: "name" | "destination";
  onClose: () => void;
}

export function LinkDialog({ link, field, onClose }: LinkDialogProps) {
  const host = useHost();
  return field === "name" ? (
    <FieldDialog
      title="Rename"
      link={link}
      label="Name, which only you see"
      schema={OWNER_TEXTS.nickname.input}
      textOf={(each) => displayName(each, host)}
      changeOf={(nickname) => ({ nickname })}
      failure="Failed to update link name. Please try again."
      onClose={onClose}
    />
  ) : (
    <FieldDialog title="Change destination" {...destinationField(link)} onClose={onClose} />
  );
}
