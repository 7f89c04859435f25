import { Navigate } from "react-router-dom";
import { AppOpening, WebOpening } from "../../features/links/opening/app-opening.tsx";
import { useAutoOpen } from "../../features/links/opening/open-app-once.ts";
import { useOpening } from "../../features/links/opening/opening-table.ts";
import { OpeningTags } from "../../features/links/opening/opening-tags.tsx";
import { paths } from "../paths.ts";

export default function Redirect() {
  const opening = useOpening();
  useAutoOpen(opening);
  if (opening === undefined || opening.kind === "nothing") return null;
  if (opening.kind === "home") return <Navigate to={paths.home} replace />;
  return (
    <>
      <OpeningTags target={opening.target} />
      {opening.kind === "app" ? <AppOpening page={opening.page} /> : <WebOpening webUrl={opening.webUrl} />}
    </>
  );
}
