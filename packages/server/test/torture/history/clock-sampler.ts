import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, serviceTime } from '../../../src/database/index.ts';
import { execute } from '../../harness/index.ts';
import type { ClockSample } from './entry.ts';

/** Reads the service clock repeatedly until it is stopped. While the database is down there is nothing to read. */
export function sampleServiceClock(database: Database) {
  const samples: ClockSample[] = [];
  let isStopped = false;
  const run = async () => {
    while (!isStopped) {
      const from = performance.now();
      const rows = await execute<{ ms: number }>(database, READ).catch(() => []);
      const to = performance.now();
      samples.push(...rows.map((row) => ({ from, to, serviceMs: row.ms })));
      await sleep(20);
    }
  };
  const running = run();
  return {
    samples,
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}

const READ = `select (extract(epoch from ${serviceTime('0')}) * 1000)::float8 as ms from service_clock c`;
