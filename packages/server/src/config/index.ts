export { addressesOf } from './addresses.ts';
export { type BackupSchedule, slotAt } from './backup-schedule.ts';
export { InvalidSettings } from './invalid-settings.ts';
export { type Config, describeConfig, type Environment, loadConfig } from './load-config.ts';
export { parsePostgresUrl } from './postgres-hosts.ts';
export { readLogLevel } from './read-log-level.ts';
export { SETTINGS } from './settings.ts';
