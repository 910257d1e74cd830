import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findDebianProgram } from "./debian-program.ts";
import { freePort } from "./free-port.ts";

/** An nginx in front of several instances, configured as docs/deploying.md says. */
export interface Nginx {
  /** The address that it listens on, with a slash at the end. */
  readonly url: string;
  stop(): Promise<void>;
}

/**
 * @param folder an empty one, for its files
 * @param ports of the instances, on the loopback
 */
export async function startNginx(folder: string, ports: readonly number[]): Promise<Nginx> {
  const program = findDebianProgram("nginx");
  const port = await freePort();
  const config = join(folder, "nginx.conf");
  writeFileSync(config, configOf(folder, port, ports));
  const checked = spawnSync(program, ["-t", "-c", config], { encoding: "utf8" });
  if (checked.status !== 0) throw new Error(`nginx does not take its settings: ${checked.stderr}`);
  const child = spawn(program, ["-c", config, "-g", "daemon off;"], { stdio: "ignore" });
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  return {
    url: `http://127.0.0.1:${port}/`,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/**
 * After a refused connection or a 503 of a draining instance, nginx sends the request to the other instance, so visitors do
 * not notice. Failures do not count against an instance (`max_fails=0`): otherwise nginx may exclude both and respond with
 * 502.
 */
function configOf(folder: string, port: number, ports: readonly number[]): string {
  return `
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
worker_processes 1;
events { worker_connections 4096; }
http {
  access_log ${folder}/access.log;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  upstream nitka {
    ${ports.map((each) => `server 127.0.0.1:${each} max_fails=0;`).join("\n    ")}
    keepalive 64;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://nitka;
      proxy_http_version 1.1;
      proxy_set_header Connection "";
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto $scheme;
      proxy_buffering off;
      proxy_read_timeout 60s;
      client_max_body_size 16m;
      proxy_next_upstream error timeout http_503 non_idempotent;
      proxy_next_upstream_tries 2;
    }
  }
}
`;
}
