import { setTimeout as sleep } from 'node:timers/promises';
import { launchServer, type ServerProcess } from '../server-process.ts';
import type { FragileWorld } from '../world.ts';

/** A server that can be killed and restarts at the same address. */
export interface Victim {
  settings: Readonly<Record<string, string>>;
  server: ServerProcess;
}

/** What the nemesis did, to be reported with a failure. */
export interface KillLog {
  lines: string[];
  faults: string[];
}

/**
 * Kills servers and PostgreSQL with -9, spread over the run: each time `progress` (0 to 1) passes a mark, and after the
 * last mark until a worker has noticed it.
 */
export async function killRepeatedly(
  world: FragileWorld,
  victims: readonly Victim[],
  kills: number,
  progress: () => number,
  wasFelt: () => boolean,
): Promise<KillLog> {
  const killLog: KillLog = { lines: [], faults: [] };
  const attacks = [
    () => killServer(victims[0], killLog),
    () => killPostgres(world, killLog),
    () => killServer(victims[1], killLog),
    () => Promise.all([killServer(victims[0], killLog), killPostgres(world, killLog)]),
    () => Promise.all(victims.map((victim) => killServer(victim, killLog))),
  ];
  for (let kill = 1; kill <= kills || !wasFelt(); kill += 1) {
    while (progress() < kill / (kills + 1)) {
      await sleep(10);
    }
    await attacks[(kill - 1) % attacks.length]?.();
  }
  return killLog;
}

async function killServer(victim: Victim | undefined, killLog: KillLog): Promise<void> {
  if (victim === undefined) {
    return;
  }
  if (!victim.server.isRunning) {
    killLog.faults.push(`a server ended by itself:\n${victim.server.output}`);
  }
  killLog.lines.push(`${performance.now()} killed the server at ${victim.server.baseUrl}`);
  await victim.server.end('SIGKILL');
  killLog.faults.push(...victim.server.faults);
  // For up to the time-out of its seats, and longer.
  await sleep(Math.random() * 1_500);
  victim.server = await startAgain(victim);
  killLog.lines.push(`${performance.now()} it is back`);
}

/** Like a supervisor: a server that finds no database reports it and exits, and is started again. */
async function startAgain(victim: Victim): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt += 1) {
    const server = launchServer(victim.settings);
    try {
      return await server.untilReady();
    } catch (error) {
      const isEarly = (await server.ended).code === EXIT_DATABASE_AWAY && attempt < 20;
      if (!isEarly) {
        throw error;
      }
    }
  }
}

const EXIT_DATABASE_AWAY = 7;

async function killPostgres(world: FragileWorld, killLog: KillLog): Promise<void> {
  killLog.lines.push(`${performance.now()} killed PostgreSQL`);
  world.killPostgres();
  await sleep(1_000);
}
