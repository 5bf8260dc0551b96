// Renews what is due in a database by the service's own job for as many seconds as each line of input says, and answers the
// seconds that it took: a run of the job that has begun is finished.
import { createInterface } from 'node:readline';
import { Database } from '../../packages/server/src/database/index.ts';
import { openRenewals } from '../rig/selling.ts';

const { databaseUrl, dataDir }: { databaseUrl: string; dataDir: string } = JSON.parse(process.argv[2] ?? '');
// As many connections as the service has.
const database = new Database(databaseUrl, { connections: 16, maxWaiting: 2_000 }, () => undefined);
const { job, close } = await openRenewals(database, dataDir);
for await (const line of createInterface({ input: process.stdin })) {
  const lastsMs = Number(line) * 1000;
  const startMs = performance.now();
  while (performance.now() - startMs < lastsMs) {
    if (!(await job.run())) {
      throw new Error('nothing is due any more');
    }
  }
  process.stdout.write(`${(performance.now() - startMs) / 1000}\n`);
}
await close();
await database.close();
process.exit();
