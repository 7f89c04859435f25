import { LRUCache } from "lru-cache";
import type { LiveLink } from "../link.ts";
import type { PreparedResponse } from "../prepared-response.ts";

/** At most about 6 KB each. */
const MAX_PAGES = 500;

interface RenderedPage {
  link: LiveLink;
  /** Changes when the page must be rendered again, although the link is the same. */
  version: string;
  response: PreparedResponse;
}

/** Pages that were rendered for links in memory, so that a page that is opened often is rendered once. */
export class RenderedPages {
  readonly #pages = new LRUCache<string, RenderedPage>({ max: MAX_PAGES });

  /** @param key names the short code and what else the page depends on */
  get(
    key: string,
    { link, version }: Pick<RenderedPage, "link" | "version">,
    render: () => PreparedResponse,
  ): PreparedResponse {
    const known = this.#pages.get(key);
    if (known?.link === link && known.version === version) return known.response;
    const response = render();
    this.#pages.set(key, { link, version, response });
    return response;
  }
}
