import type { ClickBreakdown } from "@tapthru/proto/clicks";
import { Download } from "lucide-react";
import { Button } from "../../components/ui/button.tsx";
import type { ClickScope } from "./api.ts";
import { useDownloadClicks } from "./api.ts";

interface CsvButtonProps {
  scope: ClickScope;
  by?: ClickBreakdown;
}

export function CsvButton({ scope, by }: CsvButtonProps) {
  const { mutate, isPending } = useDownloadClicks(scope, by);
  return (
    <Button variant="outline" aria-disabled={isPending} onClick={() => mutate()}>
      <Download aria-hidden className="size-4" />
      Download CSV
    </Button>
  );
}
