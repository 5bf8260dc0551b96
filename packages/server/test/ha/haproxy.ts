import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whether HAProxy is installed on this machine. */
export function hasHaproxy(): boolean {
  return spawnSync('haproxy', ['-v'], { stdio: 'ignore' }).status === 0;
}

export interface Ports {
  /** Passes TLS through to the servers, unread. */
  passthrough: number;
  /** Terminates TLS and routes each request. */
  layer7: number;
  servers: readonly number[];
}

/** A HAProxy in front of several servers, as docs/operating/high-availability.md describes it. */
export class Haproxy {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** @param certificate a file with the certificate and its key. */
  static async start(folder: string, ports: Ports, certificate: string): Promise<Haproxy> {
    const file = join(folder, 'haproxy.cfg');
    await writeFile(file, configure(ports, certificate));
    const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint += chunk.toString();
    });
    while (!(await accepts(ports.layer7))) {
      if (child.exitCode !== null) {
        throw new Error(`HAProxy did not start:\n${complaint}`);
      }
      await sleep(50);
    }
    return new Haproxy(child);
  }

  async stop(): Promise<void> {
    this.#child.kill('SIGKILL');
    await once(this.#child, 'close');
  }
}

function configure({ passthrough, layer7, servers }: Ports, certificate: string): string {
  const list = (more: string) =>
    servers.map((port, number) => `  server seathold${number + 1} 127.0.0.1:${port} ${more}`).join('\n');
  return `
global
  maxconn 2000
defaults
  timeout connect 3s
  timeout client 75s
  timeout server 75s
  timeout check 5s
  option redispatch
  option httpchk GET /readyz
  http-check expect status 200
  default-server check check-ssl verify none inter 500ms fall 2 rise 2

frontend passthrough
  mode tcp
  bind 127.0.0.1:${passthrough}
  default_backend passthrough
backend passthrough
  mode tcp
  balance leastconn
${list('')}

frontend layer7
  mode http
  bind 127.0.0.1:${layer7} ssl crt ${certificate} alpn h2,http/1.1
  default_backend layer7
backend layer7
  mode http
  balance leastconn
${list('ssl alpn http/1.1')}
`;
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
