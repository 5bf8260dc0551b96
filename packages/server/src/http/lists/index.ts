export { openCursor, sealCursor } from './cursor.ts';
export { afterCursor, inOrder } from './keyset.ts';
export {
  DEFAULT_LIMIT,
  type FilterType,
  type ListDefinition,
  type ListPage,
  MAX_LIMIT,
  type PageRequest,
  parsePageRequest,
  toPage,
} from './list-definition.ts';
