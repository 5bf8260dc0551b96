import type { Statement } from '../../database/index.ts';
import type { Invariant, SubjectName } from './invariant.ts';

/** Identifies a row of a subject; `organization` is empty where the row belongs to none. */
export interface RowKey {
  organization: string;
  id: string;
}

/** A row that was looked at: only those with a fault are answered, and the last of a portion. */
export interface ExaminedRow extends RowKey {
  /** Null: nothing is wrong with it. */
  fault: string | null;
  /** How many rows the portion has. */
  examined: number;
}

interface Subject {
  table: string;
  /** Of the row `s`. */
  organization: string;
  id: string;
  /** The primary key without its organization, where that comes first: portions go along this index. */
  isOfOrganization: boolean;
  /** How many rows one statement looks at: fewer where each of them takes sums over an organization. */
  portion: number;
}

const ROWS = 500;
const SUMS = 20;

const ofOrganization = (table: string, id = 's.id'): Subject => ({
  table,
  organization: 's.organization_id',
  id,
  isOfOrganization: true,
  portion: ROWS,
});

const SUBJECTS: Readonly<Record<SubjectName, Subject>> = {
  account: {
    table: 'billing_accounts',
    organization: `''`,
    id: 's.organization_id',
    isOfOrganization: false,
    portion: SUMS,
  },
  subscription: ofOrganization('subscriptions'),
  invoice: ofOrganization('invoices'),
  payment: ofOrganization('payments'),
  orphanedPayment: {
    table: 'orphaned_payments',
    organization: `''`,
    id: 's.id',
    isOfOrganization: false,
    portion: ROWS,
  },
  paymentMethod: ofOrganization('payment_methods'),
  creditEntry: ofOrganization('billing_credit_entries'),
  coupon: { table: 'coupons', organization: `''`, id: 's.id', isOfOrganization: false, portion: SUMS },
  license: ofOrganization('licenses'),
  seatCount: ofOrganization('license_seat_counts', 's.license_id'),
};

/** How many rows of it one statement looks at. */
export function portionOf({ subject }: Invariant): number {
  return SUBJECTS[subject].portion;
}

/** $1 organization and $2 id of the last row before, $3 days that events are kept, $4 how many: the next in the order of keys. */
export function examineNext(invariant: Invariant): Statement<ExaminedRow> {
  const { table, organization, id, isOfOrganization } = SUBJECTS[invariant.subject];
  const [after, order] = isOfOrganization
    ? [`(${organization}, ${id}) > ($1::text, $2::text)`, `${organization}, ${id}`]
    : [`${id} > $2::text and $1::text is not null`, id];
  return {
    name: `examine_next_${invariant.name}`,
    text: examine(invariant, `select s.* from ${table} s where ${after} order by ${order} limit $4`),
  };
}

/** $1 organizations and $2 ids, in pairs, $3 days that events are kept: these rows once more. */
export function examineAgain(invariant: Invariant): Statement<ExaminedRow> {
  const { table, organization, id, isOfOrganization } = SUBJECTS[invariant.subject];
  const chosen = isOfOrganization
    ? `(${organization}, ${id}) in (select * from unnest($1::text[], $2::text[]))`
    : `${id} = any($2::text[]) and $1::text[] is not null`;
  return {
    name: `examine_again_${invariant.name}`,
    text: examine(invariant, `select s.* from ${table} s where ${chosen}`),
  };
}

/** The rows are chosen first: what is wrong with one is worked out for these alone. */
function examine({ subject, fault }: Invariant, rows: string): string {
  const { organization, id, isOfOrganization } = SUBJECTS[subject];
  const organizationId = isOfOrganization ? organization : id;
  return `with s as materialized (${rows}), examined as (
      select ${organization} as organization, ${id} as id, (${fault}) as fault, count(*) over ()::int as examined,
        row_number() over (order by ${organization} desc, ${id} desc) = 1 as is_last
      from s left join organizations o on o.id = ${organizationId}
      where $3::int is not null
    )
    select organization, id, fault, examined from examined
    where fault is not null or is_last order by organization, id`;
}
