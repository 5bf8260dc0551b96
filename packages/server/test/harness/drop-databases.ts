import { aroundAll } from 'vitest';
import { dropDatabases } from './clone-database.ts';

// Runs around each file. A file's fixtures are closed after its last afterAll, and need their databases until then.
aroundAll(async (runFile) => {
  await runFile();
  await dropDatabases();
});
