import { PageLinks } from "../../features/link-generation/page-links.tsx";
import { Links } from "../../features/links/links.tsx";
import { DashboardFrame } from "../dashboard-frame.tsx";
import { paths } from "../paths.ts";

export default function Dashboard() {
  return (
    <DashboardFrame>
      <PageLinks pathOf={paths.link} />
      <Links pathOf={paths.link} createPath={paths.linkCreation} />
    </DashboardFrame>
  );
}
