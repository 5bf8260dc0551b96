export { connectDatabases, DATABASES, type DatabaseUrls, joinDatabases } from './connect-databases.ts';
export { COMMAND_TIMEOUTS } from './connection-config.ts';
export { Database, type Queries } from './database.ts';
export { anyRow, createDueLook, type DueCheck, defineDueCheck } from './due-checks.ts';
export { findHolder, killPostgresIn, lockFolder, replaceCluster, startOldCluster } from './embedded-postgres/index.ts';
export { defineEncryptedColumn, type EncryptedColumn } from './encrypted-column.ts';
export {
  defineOrganizationTable,
  isSameKey,
  keysIn,
  type OrganizationTable,
  type PersonErasure,
} from './erasure.ts';
export {
  DatabaseUnavailable,
  isForeignKeyViolation,
  isUniqueViolation,
  OutcomeUnknown,
  UnstorableValue,
} from './errors.ts';
export { findMissingTimeouts } from './find-missing-timeouts.ts';
export { GENERATION } from './generation.ts';
export { INSTALLATION_CIPHERTEXTS } from './installation-ciphertexts.ts';
export {
  claimDemonstration,
  claimFirstOwnerLink,
  deleteInactiveMasterKeys,
  listMasterKeyHolders,
  lockInstallation,
  type MasterKeyHolder,
  updateMasterKeyCompleted,
  updateOtherMasterKeysInactive,
  upsertActiveMasterKey,
} from './installation-queries.ts';
export { adoptMasterKey, checkMasterKey, findKeyOfCheck, listMasterKeys } from './key-check.ts';
export { FOLLOW_KEYS_EVERY_MS, KeyHolder } from './key-holders.ts';
export {
  beginLoad,
  type DatabaseLoad,
  type DatabaseSnapshot,
  type TableShape,
  takeSnapshot,
} from './logical-copy/index.ts';
export { findMissingMigration, type MigrationResult, migrate } from './migrate.ts';
export {
  arrays,
  bindParameters,
  type Parameters,
  type Placeholders,
  recordset,
  requireAllUsed,
  type ValuesOf,
} from './parameters.ts';
export { countKeyUse, reencryptColumn } from './reencrypt.ts';
export {
  ALIVE_EVERY_MS,
  isoTimeInSql,
  milliseconds,
  serviceTime,
  serviceTimeOnce,
  updateNothing,
  updateServiceClock,
  wallTime,
  wallTimeOnce,
} from './service-clock.ts';
export { Standing } from './standing.ts';
export {
  count,
  type Executor,
  exists,
  listStatements,
  many,
  maybeOne,
  one,
  type Returns,
  registerStatement,
  type StatementCall,
  statement,
} from './statement.ts';
