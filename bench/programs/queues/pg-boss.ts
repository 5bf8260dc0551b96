import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { type Queue, waitUntil } from './queue.ts';

const NAME = 'trivial';
const BATCH = 200;

/** In batches that follow each other without a pause, completed by one statement each. */
export async function openPgBoss(databaseUrl: string): Promise<Queue> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  const boss = new PgBoss({ connectionString: databaseUrl, max: 4, supervise: false, schedule: false });
  boss.on('error', (error) => console.error('pg-boss:', error));
  await boss.start();
  await boss.createQueue(NAME);
  let seen = 0;
  return {
    prepare: async (jobs) => {
      seen = 0;
      await boss.deleteAllJobs(NAME);
      for (let from = 0; from < jobs; from += CHUNK) {
        await boss.insert(
          NAME,
          Array.from({ length: Math.min(CHUNK, jobs - from) }, (_, number) => ({ data: { number: from + number } })),
        );
      }
      await pool.query('vacuum analyze');
    },
    runAll: async (jobs) => {
      const options = { batchSize: BATCH, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5, localConcurrency: 2 };
      await boss.work(NAME, options, async (batch) => {
        seen += batch.length;
      });
      await waitUntil(
        () => seen >= jobs,
        async () => {
          const { rows } = await pool.query(
            `select from pgboss.job where name = $1 and state in ('created', 'retry', 'active') limit 1`,
            [NAME],
          );
          return rows.length === 0;
        },
      );
    },
    rest: () => boss.offWork(NAME),
    close: async () => {
      await boss.stop({ graceful: false });
      await pool.end();
    },
  };
}

const CHUNK = 5_000;
