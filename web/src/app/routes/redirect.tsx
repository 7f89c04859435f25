import { paths } from "@tapthru/proto/rules/paths";
import { Navigate } from "react-router-dom";
import {
  AppOpening,
  isArrival,
  OpeningTags,
  useAutoOpen,
  WebOpening,
} from "../../features/links/opening/app-opening.tsx";
import { useOpening } from "../../features/links/opening/opening.ts";

export default function Redirect() {
  const opening = useOpening();
  useAutoOpen(opening);
  if (opening === undefined || opening.kind === "nothing") return null;
  if (opening.kind === "home") return <Navigate to={paths.home} replace />;
  return (
    <>
      <OpeningTags target={opening.target} />
      {opening.kind === "app" ? (
        <AppOpening page={opening.page} isTried={opening.isAutomatic && isArrival()} />
      ) : (
        <WebOpening webUrl={opening.webUrl} />
      )}
    </>
  );
}
