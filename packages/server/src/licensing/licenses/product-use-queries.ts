import { many, statement } from '../../database/index.ts';

/** Which of these features are used by licenses of the product, in any organization. */
export const listUsedFeatures = statement({
  name: 'list_used_features',
  parameters: { product: 'text', features: 'text[]' },
  returns: many<{ feature: string }>(),
  sql: ({ product, features }) => `select f.feature from unnest(${features}) as f (feature)
    where exists (select from licenses l where l.product = ${product} and l.features ? f.feature)
    order by f.feature`,
});
