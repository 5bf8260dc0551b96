import { afterAll } from 'vitest';
import { dropDatabases } from './clone-database.ts';

// Runs in front of each file. Hooks that close what a file opened come later in it, so they run before this one.
afterAll(dropDatabases);
