import { cloneDatabase } from '../harness/clone-database.ts';
import { lendDatabases } from './world-settings.ts';

// Runs before each file. Without this, each service would start its own PostgreSQL, which takes longer than most tests.
lendDatabases(async () => ({ DATABASE_URL: await cloneDatabase(), SANDBOX_DATABASE_URL: await cloneDatabase() }));
