import { execFileSync } from 'node:child_process';
import { Client } from 'undici';
import { expect, onTestFinished } from 'vitest';
import { readAuthority, type ServerProcess } from '../torture/server-process.ts';

/** How many processes answer requests. */
export const PROCESSES = 3;

/** The settings of a service with several processes. */
export const together = { SEATHOLD_PROCESSES: String(PROCESSES), SEATHOLD_LOG_LEVEL: 'info' };

/** The request processes that are running now, by name. */
export function listPids(server: ServerProcess): Array<{ name: string; pid: number }> {
  const listed = execFileSync('ps', ['-A', '-o', 'ppid=,pid=,args='], { encoding: 'utf8' });
  return [...listed.matchAll(/^ *(\d+) +(\d+) +seathold (request-\d+)/gm)]
    .filter(([, parent]) => Number(parent) === server.pid)
    .map(([, , pid, name = '']) => ({ name, pid: Number(pid) }))
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** Kills one of them, and waits until another has its name. */
export async function killOne(server: ServerProcess): Promise<{ name: string; pid: number }> {
  const [victim] = listPids(server);
  if (victim === undefined) {
    throw new Error('there is no request process');
  }
  process.kill(victim.pid, 'SIGKILL');
  const hasSuccessor = () => listPids(server).some(({ name, pid }) => name === victim.name && pid !== victim.pid);
  // Listing processes is expensive on a busy machine, and blocks the test's own load.
  await expect.poll(hasSuccessor, { interval: 1_000 }).toBe(true);
  return victim;
}

/** Whether a process is running. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** A persistent connection, which stays with one process. */
export class Connection {
  readonly #client: Client;
  readonly #token: string | undefined;

  constructor(origin: string, ca: string, token?: string) {
    this.#client = new Client(origin, { connect: { ca, servername: 'localhost' }, allowH2: false, pipelining: 1 });
    this.#token = token;
    onTestFinished(() => this.#client.destroy());
  }

  /** Rejects if the connection breaks. */
  async call(method: 'GET' | 'POST', path: string, body?: unknown) {
    const response = await this.#client.request({
      method,
      path,
      headers: {
        ...(this.#token === undefined ? {} : { authorization: `Bearer ${this.#token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.body.text();
    return { status: response.statusCode, headers: response.headers, text };
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}

/** Connections that nothing has been sent on yet. */
export async function connectTo(server: ServerProcess, count: number, token?: string): Promise<Connection[]> {
  const ca = await readAuthority(server.dataDir);
  return Array.from({ length: count }, () => new Connection(server.baseUrl, ca, token));
}

/** Which process answered a request, according to the log. */
async function findProcess(server: ServerProcess, requestId: unknown): Promise<string> {
  const find = () =>
    new RegExp(`"process":"([\\w-]+)"[^\\n]*"request_id":"${String(requestId)}"`).exec(server.output)?.[1];
  await expect.poll(find).toBeDefined();
  return find() ?? '';
}

/** Which processes have these connections. */
export async function findProcesses(server: ServerProcess, connections: readonly Connection[]): Promise<string[]> {
  const answers = await Promise.all(connections.map((each) => each.call('GET', '/healthz')));
  return Promise.all(answers.map(({ headers }) => findProcess(server, headers['x-request-id'])));
}
