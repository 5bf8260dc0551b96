import { cloneDatabase } from '../harness/clone-database.ts';
import { lendDatabases } from './world-settings.ts';

// Runs in front of each file. Without this, each service would start a PostgreSQL of its own, which takes longer than most tests.
lendDatabases(async () => ({ DATABASE_URL: await cloneDatabase(), SANDBOX_DATABASE_URL: await cloneDatabase() }));
