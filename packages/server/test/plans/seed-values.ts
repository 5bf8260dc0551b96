import { scaled } from '../torture/scale.ts';

/**
 * How much of a large installation, whose largest tables have a million rows, is created: all of it in `npm run soak`,
 * a tenth in `npm test`. A tenth takes a tenth of the time, and is enough for the planner to prefer every existing
 * index.
 */
export const inLargest = (rows: number) => scaled(rows / 10, rows);

/** The number that matches the tables of `seedRows`. */
export const ORGANIZATIONS = 400;
export const USERS = scaled(30_000, 100_000);

/** SQL: a realistic identifier for the n-th row. */
export const id = (prefix: string, n: string) => `'${prefix}_0' || lpad((${n})::text, 25, '0')`;

/** SQL: the stored hash of the n-th secret of a kind. */
export const hash = (kind: string, n: string) => `sha256(('${kind}' || (${n}))::bytea)`;

/** SQL: a third of the rows belong to the busiest organization, the rest to all others. */
export const organizationOf = (n: string) =>
  `case when ${n} % 3 = 0 then :organization else ${id('org', `${n} % ${ORGANIZATIONS}`)} end`;

/** SQL: a fifth of the rows belong to the busiest user. */
export const userOf = (n: string) => `case when ${n} % 5 = 0 then :user else ${id('usr', `${n} % ${USERS}`)} end`;

/** SQL: the time this many seconds ago. */
export const ago = (expression: string) => `clock_timestamp() - (${expression}) * interval '1 second'`;
