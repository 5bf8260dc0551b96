import { many } from '../../database/index.ts';
import { defineList, sortBy } from '../../http/index.ts';
import { STORED_PRODUCT_COLUMNS, type StoredProduct } from '../products/queries.ts';

/** All products, declared and derived. */
export const PRODUCT_LIST = defineList({
  name: 'list_operated_products',
  returns: many<StoredProduct>(),
  defaultSort: 'key',
  sorts: { key: sortBy.text('key'), name: sortBy.text('name') },
  filters: {},
  id: 'key',
  sql: (_, { page }) => `select ${STORED_PRODUCT_COLUMNS} from products where ${page}`,
});
