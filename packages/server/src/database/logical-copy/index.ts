export { beginLoad, type DatabaseLoad, NotEmptyError } from './begin-load.ts';
export type { SequenceState, TableShape } from './table-shapes.ts';
export { type AppliedMigration, type DatabaseSnapshot, takeSnapshot } from './take-snapshot.ts';
