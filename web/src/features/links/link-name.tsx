import { useQuery } from "@tanstack/react-query";
import { textLinkClass } from "../../components/ui/button.tsx";
import { PageLink } from "../../components/ui/links.tsx";
import { useDisplayName } from "../../lib/use-host.ts";
import { linkOptions } from "./api/get-link.ts";

interface LinkNameProps {
  shortCode: string;
  /** The link's page. */
  to: string;
}

/** A link's name, fetched by its code, which is shown until then. */
export function LinkName({ shortCode, to }: LinkNameProps) {
  const { data } = useQuery(linkOptions(shortCode));
  return (
    <PageLink to={to} className={textLinkClass}>
      {data ? <Name link={data} /> : shortCode}
    </PageLink>
  );
}

function Name({ link }: { link: Parameters<typeof useDisplayName>[0] }) {
  return useDisplayName(link);
}
