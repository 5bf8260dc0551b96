export type * from './generated/api-types.ts';
