import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below every range from which an operating system takes the port of an outgoing connection (Linux starts at 32768). A
 * port that was free there can be taken by a connection of any process before the service under test listens on it.
 */
const FIRST_PORT = 12_000;
const PORTS_OF_A_PROCESS = 500;
const PROCESSES = 40;

/** Test processes run side by side, and each takes its ports from its own part of the range. */
const part = Number(process.env.VITEST_POOL_ID ?? process.pid) % PROCESSES;
let next = Math.floor(Math.random() * PORTS_OF_A_PROCESS);

/**
 * A port on which a service can listen, stop, and listen again: port 0 would be another one after each start. The same
 * process does not get it a second time until it has tried all others.
 */
export async function findFreePort(): Promise<number> {
  for (let tried = 0; tried < PORTS_OF_A_PROCESS; tried += 1) {
    const port = FIRST_PORT + part * PORTS_OF_A_PROCESS + next;
    next = (next + 1) % PORTS_OF_A_PROCESS;
    if (await isFree(port)) {
      return port;
    }
  }
  throw new Error(`all ports of part ${part} are taken`);
}

/** On all addresses, because the service may listen on any of them. */
async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port);
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
