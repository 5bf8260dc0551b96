import { aroundAll } from 'vitest';
import { dropDatabases } from './clone-database.ts';

// Runs in front of each file. The fixtures of a file are closed after its last afterAll, and need their databases until then.
aroundAll(async (runFile) => {
  await runFile();
  await dropDatabases();
});
