import { many, maybeOne, recordset, statement } from '../../database/index.ts';
import type { Product } from './product.ts';

const COLUMNS = 'key, name, features, policy, source';

export const findProduct = statement({
  name: 'find_product',
  parameters: { key: 'text' },
  returns: maybeOne<Product>(),
  sql: ({ key }) => `select ${COLUMNS} from products where key = ${key}`,
});

/** A product with its times. */
export interface StoredProduct extends Product {
  created_at: Date;
  updated_at: Date;
}

/** The columns of a StoredProduct. */
export const STORED_PRODUCT_COLUMNS = `${COLUMNS}, created_at, updated_at`;

export const findStoredProduct = statement({
  name: 'find_stored_product',
  parameters: { key: 'text' },
  returns: maybeOne<StoredProduct>(),
  sql: ({ key }) => `select ${STORED_PRODUCT_COLUMNS} from products where key = ${key}`,
});

/** A product, locked: its features do not change until the transaction ends. */
export const lockProduct = statement({
  name: 'lock_product',
  parameters: { key: 'text' },
  returns: maybeOne<Product>(),
  sql: ({ key }) => `select ${COLUMNS} from products where key = ${key} for update`,
});

/** The same for issuing a license: licenses can be issued concurrently, but not while the product changes. */
export const lockProductForLicense = statement({
  name: 'hold_product',
  parameters: { key: 'text' },
  returns: maybeOne<Product>(),
  sql: ({ key }) => `select ${COLUMNS} from products where key = ${key} for share`,
});

export const listAllProducts = statement({
  name: 'list_all_products',
  returns: many<Product>(),
  sql: () => `select ${COLUMNS} from products order by key`,
});

/** Locks every product: no license of one of them is issued until the transaction ends. */
export const lockProducts = statement({
  name: 'lock_products',
  sql: () => 'select key from products order by key for update',
});

/** The keys alone, to find the nearest one. */
export const listProductKeys = statement({
  name: 'list_product_keys',
  returns: many<{ key: string }>(),
  sql: () => 'select key from products order by key limit 1000',
});

/** Writes products: new ones, or the new state of those with these keys. */
export const upsertProducts = statement({
  name: 'upsert_products',
  parameters: {
    product: recordset({ key: 'text', name: 'text', features: 'jsonb', policy: 'jsonb', source: 'text' }),
  },
  sql: ({ product }) => `insert into products (key, name, features, policy, source, created_at, updated_at)
    select key, name, features, policy, source, clock_timestamp(), clock_timestamp() from ${product} order by key
    on conflict (key) do update set name = excluded.name, features = excluded.features, policy = excluded.policy,
      source = excluded.source, updated_at = excluded.updated_at`,
});

/** Adds a product unless one with its key exists. */
export const insertDerivedProduct = statement({
  name: 'insert_derived_product',
  parameters: { key: 'text', features: 'jsonb' },
  sql: ({ key, features }) => `insert into products (key, name, features, source, created_at, updated_at)
    values (${key}, ${key}, ${features}, 'derived', clock_timestamp(), clock_timestamp()) on conflict (key) do nothing`,
});
