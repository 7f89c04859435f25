# The images of all packages: docker compose build. docker-compose.yml has the base images.
# Node strips the types itself, but not in node_modules. So an image contains the workspace and only the production
# dependencies of its package.

ARG NODE_IMAGE
ARG NGINX_IMAGE

FROM ${NODE_IMAGE} AS workspace
RUN npm install --global pnpm@10.34.9
WORKDIR /app
COPY .pnpmfile.cjs package.json pnpm-lock.yaml pnpm-workspace.yaml ./
# All downloads in one layer, cached until the lockfile changes.
RUN pnpm fetch --ignore-scripts && rm -rf node_modules
COPY . .

FROM workspace AS installed
ARG PACKAGE
RUN pnpm install --offline --prod --frozen-lockfile --filter-prod "{${PACKAGE}}..."

FROM ${NODE_IMAGE} AS service
ARG PACKAGE
ENV NODE_ENV=production HOST=:: PORT=8080 ADMIN_PORT=9090 NODE_COMPILE_CACHE=/app/.compile-cache
WORKDIR /app/${PACKAGE}
COPY --from=installed /app/package.json /app/package.json
COPY --from=installed /app/node_modules /app/node_modules
COPY --from=installed /app/proto /app/proto
COPY --from=installed /app/services/core /app/services/core
COPY --from=installed /app/${PACKAGE} ./
RUN mkdir "$NODE_COMPILE_CACHE" && chown 1000:1000 "$NODE_COMPILE_CACHE"
USER 1000:1000
# Fills the compile cache: without settings a service loads all of its modules, and then says that they are missing. Node was
# seen to hang when it ended.
RUN case "$PACKAGE" in services/*) timeout --signal=KILL 60 node src/main.ts | grep --quiet invalid_configuration ;; esac
# In bash: starting Node every five seconds uses a few percent of a core.
HEALTHCHECK --interval=5s --timeout=10s --start-period=60s --retries=3 \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$ADMIN_PORT && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && mapfile -t reply <&3 && echo \"${reply[-1]}\" && [[ ${reply[0]} == *' 200 '* ]]"]
# The tag of the image. Last, because it changes with every release.
ARG VERSION=unknown
ENV TAPTHRU_VERSION=${VERSION}
CMD ["node", "src/main.ts"]

FROM workspace AS web
RUN pnpm install --offline --frozen-lockfile --ignore-scripts --filter "{web}..."
RUN cd web && NODE_ENV=production node node_modules/vite/bin/vite.js build

FROM ${NGINX_IMAGE} AS gateway
RUN apt-get update \
  && apt-get install --yes --no-install-recommends curl libatomic1 libstdc++6 \
  && rm -rf /var/lib/apt/lists/*
COPY --from=workspace /usr/local/bin/node /usr/local/bin/node
ENV NODE_ENV=production HOST=:: PORT=8080 WEB_ROOT=/app/web/dist
WORKDIR /app/infra/gateway
COPY --from=installed /app/package.json /app/package.json
COPY --from=installed /app/node_modules /app/node_modules
COPY --from=installed /app/proto /app/proto
COPY --from=installed /app/services/core /app/services/core
COPY --from=installed /app/infra/gateway ./
COPY --from=web /app/web/dist /app/web/dist
# A new volume takes over the owner.
RUN install --directory --owner=101 --group=101 --mode=700 /certificates
USER 101:101
# By the container's own address, so that a container without its network is unhealthy.
HEALTHCHECK --interval=5s --timeout=10s --start-period=30s --retries=3 \
  CMD curl --silent --show-error --fail --max-time 3 --output /dev/null "http://$HOSTNAME:$PORT/version.txt"
STOPSIGNAL SIGQUIT
ENTRYPOINT ["node", "--disable-warning=ExperimentalWarning", "src/main.ts"]
CMD []
