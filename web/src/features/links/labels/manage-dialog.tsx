import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Dialog } from "../../../components/ui/dialog.tsx";
import { labelsOptions } from "./api.ts";
import { LabelEditor } from "./label-editor.tsx";

/** Renames, colours and deletes labels. */
export function ManageDialog({ onClose }: { onClose: () => void }) {
  const { data: labels = [] } = useQuery(labelsOptions);
  const [status, setStatus] = useState("");
  return (
    <Dialog title="Manage labels" onClose={onClose}>
      {labels.length === 0 && <p className="text-muted">You have no labels yet.</p>}
      <div className="flex flex-col gap-5">
        {labels.map((label) => (
          <LabelEditor key={label.id} label={label} onChanged={setStatus} />
        ))}
      </div>
      <p role="status" className="mt-4 text-sm text-muted empty:mt-0">
        {status}
      </p>
    </Dialog>
  );
}
