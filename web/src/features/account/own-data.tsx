import { Card } from "../../components/ui/card.tsx";
import { DownloadButton } from "../../kit/download-button.tsx";
import { useConfig } from "../../lib/config.ts";

export function OwnData() {
  const site = useConfig()
    .productName.toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return (
    <Card title="A copy of your data">
      <p className="mb-4 leading-6 text-pretty text-muted">
        Everything we store about you in one file, such as your account, your links, your tags and your sessions.
      </p>
      <DownloadButton
        label="Download your data"
        file={() => ({ path: "/api/account/export", name: `${site}-account`, type: "json" })}
      />
    </Card>
  );
}
