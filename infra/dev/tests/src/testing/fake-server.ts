import { copyFile, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CHECKOUT } from "@tapthru/stack/stack/settings";
import { execa } from "execa";

/** Records its calls, and responds like the programs of a server that https://go.example points to. */
const PROGRAM = `#!/bin/bash
call="$(basename "$0") $*"
[[ $call == awk* ]] || echo "$call" >>"$CALLS"
[[ -z $FAILS || $call != $FAILS ]] || exit 2
case $call in
  "docker compose version --short") echo 2.40.3 ;;
  "docker info --format {{.SecurityOptions}}") echo "[name=seccomp $SECURITY]" ;;
  "docker logs"*) printf 'Sign up here:\\nhttps://go.example/signup?invitation=secret\\n' ;;
  "docker compose ps --quiet"* | "docker compose run --detach"*) echo container ;;
  "docker compose config --images") echo "ghcr.io/example/tapthru/gateway:$TAPTHRU_VERSION" ;;
  "docker compose config --images postgres") echo postgres:new ;;
  "docker compose config --services") printf '%s\\n' redirect api worker gateway postgres ;;
  "docker inspect --format {{.State.Health.Status}}"*) echo healthy ;;
  "docker inspect --format {{range .Config.Env}}"*" postgres:new") echo "PG_MAJOR=\${NEW_MAJOR:-18}" ;;
  "docker inspect --format {{range .Config.Env}}"*) echo PG_MAJOR=18 ;;
  "docker compose run"*" backup before-upgrade") echo "wrote /backups/newest.dump" ;;
  "docker inspect --format"*) echo ghcr.io/example/tapthru/gateway:v1 ;;
  "getent ahosts go.example" | "hostname -I") echo 192.0.2.7 ;;
  "getent"*) exit 2 ;;
  "awk"*"/proc/meminfo") echo "\${HAS_MEGABYTES:-2000}" ;;
  "awk"*) exec /usr/bin/awk "$@" ;;
esac
`;
export const DIGEST: string = `sha256:${"a".repeat(64)}`;

export interface FakeServer {
  folder: string;
  /** A checkout as far as the scripts of Compose need one. */
  server: string;
  /** The environment of its programs. */
  env: { PATH: string; CALLS: string; FAILS: string };
  /** Replaces a further program by one that records its calls. @param after lines of bash that it also runs */
  fake(name: string, after?: string): Promise<void>;
  calls(): Promise<string>;
  /** Writes a release of the server's files, in which docker-compose.yml differs. @returns the environment that has it */
  release(version: string): Promise<{ TAPTHRU_RELEASES: string }>;
  remove(): Promise<void>;
}

/** A folder with install.sh and a PATH on which Docker and the programs that ask about the machine are fakes. */
export async function createFakeServer(): Promise<FakeServer> {
  const folder = await mkdtemp(join(tmpdir(), "tapthru-install-"));
  const [server, bin] = [join(folder, "server"), join(folder, "bin")];
  const fake = (name: string, after = "") => writeFile(join(bin, name), `${PROGRAM}${after}`, { mode: 0o755 });
  await mkdir(bin);
  for (const name of ["awk", "docker", "getent", "hostname", "sleep"]) await fake(name);
  await cp(join(CHECKOUT, "infra/compose"), join(server, "infra/compose"), { recursive: true });
  for (const file of ["install.sh", "docker-compose.yml", "Dockerfile"])
    await copyFile(join(CHECKOUT, file), join(server, file));
  return {
    folder,
    server,
    env: { PATH: `${bin}:${process.env.PATH}`, CALLS: join(folder, "calls"), FAILS: "" },
    fake,
    calls: () => readFile(join(folder, "calls"), "utf8"),
    async release(version) {
      const [releases, next] = [join(folder, "releases"), join(folder, "next")];
      await cp(server, next, { recursive: true });
      await writeFile(join(next, "docker-compose.yml"), "name: next\n");
      await writeFile(join(next, "infra/compose/digests"), `gateway:${version} ${DIGEST}\n`);
      await rm(join(next, "infra/compose/set-postgres-password.sh"));
      await mkdir(join(releases, version), { recursive: true });
      const inRelease = execa({ cwd: join(releases, version), shell: true });
      await inRelease`tar -czf tapthru.tar.gz -C ${next} install.sh docker-compose.yml infra`;
      await inRelease`sha256sum tapthru.tar.gz >SHA256SUMS && touch SHA256SUMS.bundle`;
      return { TAPTHRU_RELEASES: `file://${releases}` };
    },
    remove: () => rm(folder, { recursive: true }),
  };
}
