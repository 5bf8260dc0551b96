export { Database, type PoolLimits, type Queries, type Statement } from './database.ts';
export { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres/index.ts';
export { DatabaseUnavailable, isRetryable, UnstorableValue, violatedConstraint } from './errors.ts';
export { type MigrationResult, migrate, newestMigration } from './migrate.ts';
export { ALIVE_EVERY_MS, beatServiceClock, serviceTime, wallTime } from './service-clock.ts';
export { build } from './build.ts';
