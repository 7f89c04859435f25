import { fileURLToPath } from "node:url";
import { execa } from "execa";

const CHECKOUT = fileURLToPath(new URL("../../../..", import.meta.url));

/** One `docker compose` project of this checkout. */
export interface ComposeProject {
  /** Runs a Compose command, such as "up" or "down", and shows its output. */
  compose(...args: string[]): Promise<void>;
  /** Replaces all containers with compose/upgrade.sh, without building images. */
  upgrade(): Promise<void>;
  /** Ids of the running containers of a service. */
  containers(service: string): Promise<string[]>;
  /** Status of a path on the container's admin server. */
  adminStatus(container: string, path: string): Promise<number>;
  /** Number of restarts of the container. */
  restarts(container: string): Promise<number>;
  /** Whether the container's health check has passed. */
  isHealthy(container: string): Promise<boolean>;
  /** Stops the container gracefully and starts it again. */
  restart(container: string): Promise<void>;
  /** Kills the container and starts it again. */
  kill(container: string): Promise<void>;
  /** Gives the container another address on the project's network. Its name stays the same. */
  move(container: string, service: string, address: string): Promise<void>;
}

export async function isDockerRunning(): Promise<boolean> {
  const { failed } = await execa("docker", ["version"], { reject: false, timeout: 10_000 });
  return !failed;
}

/** @param env variables of docker-compose.yml, in addition to .env.demo */
export async function composeProject(
  name: string,
  env: Record<string, string>,
): Promise<ComposeProject> {
  const { failed: isOld } = await execa("docker", ["compose", "version"], { reject: false });
  const [file, ...prefix] = isOld ? ["docker-compose"] : ["docker", "compose"];
  const docker = (...args: string[]) => execa("docker", args);

  const containers = async (service: string) => {
    const labels = { project: name, service };
    const filters = Object.entries(labels).map(
      ([label, value]) => `--filter=label=com.docker.compose.${label}=${value}`,
    );
    const { stdout } = await docker("ps", "--quiet", ...filters);
    return stdout.split("\n").filter(Boolean);
  };

  return {
    async compose(...args) {
      await execa(
        String(file),
        [...prefix, "--env-file", ".env.demo", "--project-name", name, ...args],
        { cwd: CHECKOUT, env, stdin: "ignore", stdout: "inherit", stderr: "inherit" },
      );
    },
    async upgrade() {
      const options = ["--no-build", "--env-file", ".env.demo", "--project-name", name];
      await execa("bash", ["compose/upgrade.sh", ...options], {
        cwd: CHECKOUT,
        env,
        stdin: "ignore",
        stdout: "inherit",
        stderr: "inherit",
      });
    },
    containers,
    async adminStatus(container, path) {
      const script = `fetch("http://127.0.0.1:9090${path}").then(({ status }) => console.log(status))`;
      const { stdout } = await docker("exec", container, "node", "-e", script);
      return Number(stdout);
    },
    async restarts(container) {
      const { stdout } = await docker("inspect", "--format={{.RestartCount}}", container);
      return Number(stdout);
    },
    async isHealthy(container) {
      const { stdout } = await docker("inspect", "--format={{.State.Health.Status}}", container);
      return stdout === "healthy";
    },
    async restart(container) {
      await docker("restart", "-t", "15", container);
    },
    async kill(container) {
      await docker("kill", container);
      await docker("start", container);
    },
    async move(container, service, address) {
      const network = `${name}_default`;
      await docker("network", "disconnect", network, container);
      await docker(
        "network",
        "connect",
        `--ip=${address}`,
        `--alias=${service}`,
        network,
        container,
      );
    },
  };
}
