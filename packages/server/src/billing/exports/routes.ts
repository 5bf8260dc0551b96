import { Type } from 'typebox';
import type { Clock } from '../../clock/index.ts';
import { ACCESS, defineRoute, HTTP_ERRORS, type Route } from '../../http/index.ts';
import { INVOICE_EXPORT, PAYMENT_EXPORT } from './columns.ts';
import { type Exported, exportRows } from './export-rows.ts';
import { listInvoicesToExport, listPaymentsToExport } from './queries.ts';

/** The endpoints at /v1/operator/exports. */
export function exportRoutes(clock: Clock): Route[] {
  return [
    exportRoute(clock, {
      name: 'invoices',
      operationId: 'exportInvoices',
      columns: INVOICE_EXPORT,
      list: listInvoicesToExport,
    }),
    exportRoute(clock, {
      name: 'payments',
      operationId: 'exportPayments',
      columns: PAYMENT_EXPORT,
      list: listPaymentsToExport,
    }),
  ];
}

const time = (description: string) =>
  Type.Optional(Type.String({ maxLength: 64, description: `${description} A date (UTC), or an ISO 8601 time.` }));

const Query = Type.Object({
  format: Type.Optional(
    Type.Enum(['csv', 'jsonl'], { description: 'CSV with a header row (the default), or JSON Lines.' }),
  ),
  from: time('Include only records created at this time or later.'),
  to: time('Include only records created before this time.'),
});

function exportRoute<Row extends { id: string; created_at: Date }>(
  clock: Clock,
  { operationId, ...exported }: Exported<Row> & { operationId: string },
): Route {
  const { name, columns } = exported;
  const header = Object.keys(columns);
  return defineRoute({
    method: 'GET',
    path: `/v1/operator/exports/${name}`,
    operationId,
    tag: 'Operator',
    summary: `Export ${name}`,
    description: `Downloads the ${name} of all organizations as a file of any size, oldest first. Each row has ${header.map((each) => `\`${each}\``).join(', ')}. Times are ISO 8601 in UTC, and amounts are in minor units of \`currency\`. In CSV, text that a spreadsheet would treat as a formula starts with an apostrophe.`,
    access: ACCESS.staffRead,
    query: Query,
    status: 200,
    raw: 'text/csv',
    alsoRaw: ['application/jsonl'],
    response: Type.String({ description: 'The file.' }),
    errors: { validation_failed: HTTP_ERRORS.validation_failed },
    example: { data: `${header.join(',')}\r\n` },
    handle: async (context, { query }) => exportRows(context, exported, query, clock.nowMs()),
  });
}
