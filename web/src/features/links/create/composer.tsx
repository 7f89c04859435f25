import { useQuery, useQueryClient } from "@tanstack/react-query";
import { paths } from "@tapthru/proto/rules/paths";
import { type ComponentProps, type ComponentType, lazy, Suspense, useState } from "react";
import { useNavigate } from "react-router-dom";
import { useErrorToast, useToast } from "../../../components/ui/toaster.tsx";
import { Can } from "../../../kit/can.tsx";
import { useIsMounted } from "../../../kit/use-call.ts";
import { CHANNELS_KEY, FOUND_LINKS_KEY, NOT_KEPT, readText, TAGS_KEY, writeText } from "../../../lib/stored-texts.ts";
import { channelsOptions } from "../../channels/index.ts";
import type { NewLinkOptions } from "./create-link.ts";
import { LinkField } from "./link-field.tsx";
import type { LinkOptionsProps } from "./link-options.tsx";
import { LinkResults } from "./link-results.tsx";
import type { LinkCreation } from "./use-create-links.ts";
import { LINKS_AT_ONCE_MAX, type LinkCreations } from "./use-create-links.ts";

const LinkOptions = lazy<ComponentType<LinkOptionsProps>>(() =>
  import("./link-options.tsx").catch(() => ({ default: () => null })),
);

interface ComposerProps {
  links: LinkCreations;
  /** On pages that show one link at the field, or go to it. Others list all links. */
  one?: LinkCreation;
  placeholder: string;
  prefilled?: string | undefined;
  pending?: boolean;
  isFocusedFirst?: boolean;
  /** Users choose how links are created now, or once the session has opened. */
  options?: "shown" | "later" | undefined;
  /** The path of a link's details. Undefined for guests. */
  pathOf: ((shortCode: string) => string) | undefined;
  onEdit?: () => void;
  sample?: ComponentProps<typeof LinkField>["sample"];
}

/** Creates links from pasted or typed addresses, as chosen when each is added, and lists several with their results. */
export function Composer(props: ComposerProps) {
  const {
    links,
    one,
    placeholder,
    prefilled,
    pending = false,
    isFocusedFirst,
    options,
    pathOf,
    onEdit,
    sample,
  } = props;
  const [chosen, setChosen] = useState<LinkOptionsProps["chosen"]>({});
  const [isOpen, setOpen] = useState(false);
  // They are known once a session has opened.
  const { data: channels } = useQuery({ ...channelsOptions, enabled: false });
  const toast = useToast();
  const showError = useErrorToast();
  const navigate = useNavigate();
  const isMounted = useIsMounted();
  const queryClient = useQueryClient();
  const { slug, ...ofSeveral } = chosen;

  function addOne(url: string) {
    if (one) return one.create(url, optionsNow(chosen));
    // The name is for one link. It is offered again if that is not created.
    const onError = () => setChosen((latest) => ({ slug, ...latest }));
    links.add([url], optionsNow(chosen), slug === undefined ? undefined : { onError });
    setChosen(ofSeveral);
  }

  /** Many links are created on a page that shows their progress, with what is chosen here. */
  async function importAll(addresses: readonly string[]) {
    const { domain, expiresAt } = chosen;
    const row = (address: string) => `"${address.replaceAll('"', '""')}",${expiresAt}`;
    const lines = expiresAt === undefined ? addresses : ["url,expires_at", ...addresses.map(row)];
    if (!writeText(FOUND_LINKS_KEY, lines.join("\n"), "sessionStorage")) return showError(NOT_KEPT);
    const findUsual = async () =>
      (await import("./remembered.ts")).findUsualChannel(queryClient, readText(CHANNELS_KEY));
    const channel = chosen.channel ?? (await findUsual().catch(() => undefined));
    if (isMounted.current) navigate(paths.import, { state: { channel, domain } });
  }

  return (
    <>
      <Can call="POST /api/links" what="add links">
        <LinkField
          placeholder={placeholder}
          pending={pending || (one !== undefined && links.isRunning)}
          isEmptied={!one}
          prefilled={prefilled}
          hasButton={isOpen}
          isFocusedFirst={isFocusedFirst}
          error={one?.error}
          onLink={addOne}
          onLinks={(addresses) => {
            if (pathOf && addresses.length > LINKS_AT_ONCE_MAX) return void importAll(addresses);
            if (slug)
              toast({
                description: "The name is for one link. These get their own names, and it stays for the next one.",
              });
            links.add(addresses, optionsNow(ofSeveral));
          }}
          onEdit={() => {
            one?.onEdit();
            onEdit?.();
          }}
          notice={one?.line?.isThrottled ? "Too many links in a minute. Yours will follow shortly." : undefined}
          sample={sample}
        >
          {options && (
            <div className="min-h-9">
              {(options === "shown" || channels) && (
                <Suspense>
                  <LinkOptions
                    chosen={chosen}
                    refusedName={one?.line?.options.slug === chosen.slug ? one?.refusedName : undefined}
                    isOpen={isOpen}
                    onToggle={() => setOpen(!isOpen)}
                    onChoose={(choice) => setChosen({ ...chosen, ...choice })}
                  />
                </Suspense>
              )}
            </div>
          )}
        </LinkField>
      </Can>
      {links.lines.length > 0 && !one?.line && (
        <div className="mt-4">
          <LinkResults links={links} pathOf={pathOf} />
        </div>
      )}
    </>
  );
}

/** Returns the choices for links that are added now. Later choices do not change them. */
export function optionsNow(chosen: Omit<NewLinkOptions, "stored"> = {}): NewLinkOptions {
  return { ...chosen, stored: { channels: readText(CHANNELS_KEY), tags: readText(TAGS_KEY) } };
}
