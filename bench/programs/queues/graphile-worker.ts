import { Logger, type Runner, run, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { type Queue, waitUntil } from './queue.ts';

/** With the local queue and the batches that its manual recommends for many small jobs. */
export async function openGraphileWorker(databaseUrl: string): Promise<Queue> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 10 });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  const logger = new Logger(() => () => undefined);
  await runMigrations({ pgPool: pool, logger });
  let seen = 0;
  let runner: Runner | undefined;
  return {
    prepare: async (jobs) => {
      seen = 0;
      await pool.query(ADD_JOBS, [jobs]);
      await pool.query('vacuum analyze');
    },
    runAll: async (jobs) => {
      runner = await run({
        pgPool: pool,
        logger,
        noHandleSignals: true,
        taskList: {
          trivial: async () => {
            seen += 1;
          },
        },
        preset: {
          worker: { concurrentJobs: 24, localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 },
        },
      });
      await waitUntil(
        () => seen >= jobs,
        async () => (await pool.query('select from graphile_worker._private_jobs limit 1')).rows.length === 0,
      );
    },
    rest: async () => {
      await runner?.stop();
      runner = undefined;
    },
    close: () => pool.end(),
  };
}

const ADD_JOBS = `
  select count(*) from graphile_worker.add_jobs(array(
    select json_populate_record(null::graphile_worker.job_spec,
      json_build_object('identifier', 'trivial', 'payload', json_build_object('number', n)))
    from generate_series(1, $1::integer) as n))`;
