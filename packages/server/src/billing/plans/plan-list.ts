import { many } from '../../database/index.ts';
import { defineList, filterBy, sortBy } from '../../http/index.ts';
import { PLAN_COLUMNS, type PlanRow } from './queries.ts';

/**
 * The value that replaces the price of plans that have none: the largest bigint, as text because a number would round
 * it.
 */
const AFTER_ALL_PRICES = '9223372036854775807';

/** The plans that are on sale. Those without a price come after all others, and before them in descending order. */
export const PLAN_LIST = defineList({
  name: 'list_plans',
  returns: many<PlanRow>(),
  defaultSort: 'price',
  sorts: {
    price: sortBy.integer('price_order', ({ price }: PlanRow) => (price === null ? AFTER_ALL_PRICES : String(price))),
    name: sortBy.text('name'),
  },
  filters: {
    interval: filterBy.oneOf(['month'], 'interval'),
    currency: { kind: 'text', type: 'text', condition: (currency) => `currency = lower(${currency})` },
  },
  sql: (_, { page }) => `select ${PLAN_COLUMNS} from plans where archived_at is null and ${page}`,
});
