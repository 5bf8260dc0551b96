export { build } from './build.ts';
export { COMMAND_TIMEOUTS } from './connection-config.ts';
export { Database, type Queries, type Statement } from './database.ts';
export { DatabaseUnavailable, isUniqueViolation, UnstorableValue } from './errors.ts';
export { findMissingTimeouts } from './find-missing-timeouts.ts';
export { checkMasterKey } from './key-check.ts';
export { findMissingMigration, type MigrationResult, migrate } from './migrate.ts';
export { type DatabaseUrls, joinDatabases, openDatabases } from './open-databases.ts';
export {
  ALIVE_EVERY_MS,
  beatServiceClock,
  serviceTime,
  serviceTimeOnce,
  wallTime,
  wallTimeOnce,
} from './service-clock.ts';
