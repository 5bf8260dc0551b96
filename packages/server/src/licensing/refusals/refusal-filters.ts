import { filterBy } from '../../http/index.ts';
import { REFUSAL_CODES } from '../errors.ts';

type ListFilter = ReturnType<typeof filterBy.text>;

/** The filters of every list of refusals. */
export const REFUSAL_FILTERS: Readonly<Record<'code' | 'user_id' | 'created_after', ListFilter>> = {
  code: filterBy.oneOf(REFUSAL_CODES, 'r.code'),
  user_id: filterBy.text('r.user_id'),
  // A row spans less than a minute. So its last time, by which it is sorted, narrows the search, and its first time
  // decides.
  created_after: {
    kind: 'time',
    type: 'timestamptz',
    condition: (time) => `r.first_at > ${time} and r.last_at > ${time}`,
  },
};

/** Rows that began before a time. */
export const CREATED_BEFORE: ListFilter = {
  kind: 'time',
  type: 'timestamptz',
  condition: (time) => `r.first_at < ${time} and r.last_at < ${time} + interval '1 minute'`,
};
