export { beginLoad, type DatabaseLoad } from './begin-load.ts';
export type { TableShape } from './table-shapes.ts';
export { type DatabaseSnapshot, takeSnapshot } from './take-snapshot.ts';
