import { repairAmazonUrl } from "@tapthru/proto/rules/amazon/repair-url";
import { messages } from "@tapthru/proto/rules/messages";
import { Button } from "./ui/button.tsx";

interface RepairOfferProps {
  pasted: string;
  onTake: (url: string) => void;
}

/** Shows a pasted address beside the one that was probably meant, which a button takes. Renders nothing for a sound one. */
export function RepairOffer({ pasted, onTake }: RepairOfferProps) {
  const repair = repairAmazonUrl(pasted);
  if (repair === null) return null;
  const addresses = [
    [messages.pastedAddress, pasted],
    [messages.repairedAddress, repair.url],
  ] as const;
  return (
    <div
      role="status"
      className="my-3 flex flex-col items-start gap-3 rounded-2xl bg-notice p-4 text-md leading-6 text-notice-ink"
    >
      <p className="text-pretty">{messages.whyRepair(repair.defects)}</p>
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
        {messages.takeRepair}
      </Button>
    </div>
  );
}
