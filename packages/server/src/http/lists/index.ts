export { signCursor, verifyCursor } from './cursor.ts';
export { defineList, withValues } from './define-list.ts';
export { beginsWith, filterBy, sortBy } from './list-columns.ts';
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
