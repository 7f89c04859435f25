import { useQuery } from "@tanstack/react-query";
import { Tags } from "lucide-react";
import { useEffect } from "react";
import { IconButton } from "../../../components/ui/icon-button.tsx";
import { Select } from "../../../components/ui/select.tsx";
import { useLazyDialog } from "../../../components/use-lazy-dialog.ts";
import { createStoredFlag } from "../../../lib/stored-flag.ts";
import { labelsOptions } from "./api.ts";

const loadDialog = async () => (await import("./manage-dialog.tsx")).ManageDialog;

interface LabelFilterProps {
  /** The id of the chosen label. */
  label: string | null;
  onSelect: (label: string | null) => void;
}

/** Whether the user had labels at the last visit: the list must not move when they arrive. */
const hadLabels = createStoredFlag("has_labels");

/** Shown if the user has labels, together with the button that opens the dialog in which they are changed. */
export function LabelFilter({ label, onSelect }: LabelFilterProps) {
  const { data } = useQuery(labelsOptions);
  const { Dialog, open, close } = useLazyDialog(loadDialog);
  const hasLabels = data ? data.length > 0 : hadLabels.get();
  useEffect(() => {
    if (data) hadLabels.set(data.length > 0);
  }, [data]);
  if (!hasLabels && label === null && !Dialog) return null;
  const labels = data ?? [];
  const isKnown = label === null || labels.some(({ id }) => String(id) === label);
  return (
    <div className="flex min-w-0 flex-1 basis-47 items-center">
      <Select
        label="Label"
        value={label ?? ""}
        options={[
          ["", "All labels"],
          ...labels.map(({ id, name }) => [String(id), name] as const),
          ...(isKnown ? [] : [[label, "Deleted label"] as const]),
        ]}
        onSelect={(id) => onSelect(id || null)}
      />
      <IconButton icon={Tags} label="Manage labels" aria-haspopup="dialog" onClick={open} />
      {Dialog && <Dialog onClose={close} />}
    </div>
  );
}
