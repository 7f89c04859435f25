import type { Defect } from "@tapthru/proto/rules/amazon/defects";
import { repairAmazonUrl } from "@tapthru/proto/rules/amazon/repair-url";
import { Button } from "../../components/ui/button.tsx";

const DEFECTS: Record<Defect, string> = {
  "text-around": "has other text around it, or no https://",
  entities: "has HTML codes such as &amp; in it",
  wrapper: "is inside an address of another site",
  "tag-name": "has its tag under another name than tag",
  "several-tags": "has several tags, of which Amazon may count any",
  "empty-tag": "has an empty tag",
};

const whyRepair = (found: readonly Defect[]) =>
  `This address ${found.map((defect) => DEFECTS[defect]).join(", and ")}.`;

/** Shows a pasted address beside the one that was probably meant, which a button takes. Renders nothing for a sound one. */
export function RepairOffer({ pasted, onTake }: { pasted: string; onTake: (url: string) => void }) {
  const repair = repairAmazonUrl(pasted);
  if (repair === null) return null;
  const addresses = [
    ["Pasted", pasted],
    ["Repaired", repair.url],
  ] as const;
  return (
    <div
      role="status"
      className="my-3 flex flex-col items-start gap-3 rounded-2xl bg-notice p-4 text-md leading-6 text-notice-ink"
    >
      <p className="text-pretty">{whyRepair(repair.defects)}</p>
      <dl className="flex max-w-full flex-col gap-2">
        {addresses.map(([label, address]) => (
          <div key={label}>
            <dt className="text-sm">{label}</dt>
            <dd dir="ltr" className="text-start font-medium wrap-anywhere">
              {address}
            </dd>
          </div>
        ))}
      </dl>
      <Button variant="outline" onClick={() => onTake(repair.url)}>
        Use the repaired address
      </Button>
    </div>
  );
}
