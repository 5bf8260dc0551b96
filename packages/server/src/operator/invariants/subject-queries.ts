import { arrays, many, statement } from '../../database/index.ts';
import type { Invariant, SubjectName } from './invariant.ts';

/** Identifies a row of a subject; `organization` is empty if the row belongs to none. */
export interface RowKey {
  organization: string;
  id: string;
}

/** A checked row: only rows with a fault are returned, and the last one of a portion. */
export interface ExaminedRow extends RowKey {
  /** Null if it has no fault. */
  fault: string | null;
  /** How many rows the portion has. */
  examined: number;
}

interface Subject {
  table: string;
  /** The organization of row `s`. */
  organization: string;
  id: string;
  /** Whether the primary key begins with the organization: portions follow this index. */
  isOfOrganization: boolean;
  /** How many rows one statement checks: fewer if each of them sums over an organization. */
  portion: number;
}

const ROWS = 500;
const SUMS = 20;
/** For rows that can have millions of related ones. */
const COUNTS = 5;

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
  webhookEndpoint: { ...ofOrganization('webhook_endpoints'), portion: COUNTS },
};

/** One invariant with its statements. */
export interface Exam {
  readonly promise: string;
  /** How many rows one statement checks. */
  readonly portion: number;
  /** Checks the rows after the given one, ordered by key. */
  readonly examineNext: ReturnType<typeof defineNext>;
  /** Checks the given rows. */
  readonly examineAgain: ReturnType<typeof defineAgain>;
}

/** Creates the statements that check the rows of a subject against an invariant. */
export function defineExam(invariant: Invariant): Exam {
  const subject = SUBJECTS[invariant.subject];
  return {
    promise: invariant.promise,
    portion: subject.portion,
    examineNext: defineNext(invariant, subject),
    examineAgain: defineAgain(invariant, subject),
  };
}

function defineNext(invariant: Invariant, subject: Subject) {
  const { table, organization, id, isOfOrganization } = subject;
  return statement({
    name: `examine_next_${invariant.name}`,
    parameters: { afterOrganization: 'text', afterId: 'text', retentionDays: 'integer', limit: 'integer' },
    returns: many<ExaminedRow>(),
    sql: ({ afterOrganization, afterId, retentionDays, limit }) => {
      const [after, order] = isOfOrganization
        ? [`(${organization}, ${id}) > (${afterOrganization}, ${afterId})`, `${organization}, ${id}`]
        : [`${id} > ${afterId} and ${afterOrganization} is not null`, id];
      const rows = `select s.* from ${table} s where ${after} order by ${order} limit ${limit}`;
      return examine(invariant, subject, rows, retentionDays);
    },
  });
}

function defineAgain(invariant: Invariant, subject: Subject) {
  const { table, organization, id, isOfOrganization } = subject;
  return statement({
    name: `examine_again_${invariant.name}`,
    parameters: { chosen: arrays({ organization: 'text', id: 'text' }), retentionDays: 'integer' },
    returns: many<ExaminedRow>(),
    sql: ({ chosen, retentionDays }) => {
      const isChosen = isOfOrganization
        ? `(${organization}, ${id}) in (select chosen.organization, chosen.id from ${chosen})`
        : `${id} in (select chosen.id from ${chosen})`;
      return examine(invariant, subject, `select s.* from ${table} s where ${isChosen}`, retentionDays);
    },
  });
}

/** The rows are selected first, so that faults are only computed for these. */
function examine({ fault }: Invariant, subject: Subject, rows: string, retentionDays: string): string {
  const { organization, id, isOfOrganization } = subject;
  const organizationId = isOfOrganization ? organization : id;
  return `with s as materialized (${rows}), examined as (
      select ${organization} as organization, ${id} as id, (${fault}) as fault, count(*) over ()::int as examined,
        row_number() over (order by ${organization} desc, ${id} desc) = 1 as is_last
      from s left join organizations o on o.id = ${organizationId}
        cross join (select ${retentionDays} as days) retention
    )
    select organization, id, fault, examined from examined
    where fault is not null or is_last order by organization, id`;
}
