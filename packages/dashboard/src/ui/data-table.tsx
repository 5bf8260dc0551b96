import { Button, Group, Skeleton } from '@mantine/core';
import { type ReactNode, useCallback, useRef } from 'react';
import type { Listed } from '../api/index.ts';
import type { Column } from './column.ts';
import { useUiText } from './messages.ts';
import { Problem } from './problem.tsx';
import { TableFrame, TableHead } from './table.tsx';
import { ROLES } from './table-roles.ts';
import { MOST_AT_ONCE, Rows, RowsInSight } from './table-rows.tsx';
import { useColumnWidths } from './use-column-widths.ts';

interface TableProps<Row> {
  label: string;
  columns: ReadonlyArray<Column<Row>>;
  list: Listed<Row>;
  keyOf: (row: Row) => string;
  /** Shown for an empty list, with the button or command that fills it. */
  empty: ReactNode;
}

/** A list of the API as a table, page by page. While it loads, it has the height of a few rows. */
export function DataTable<Row>({ label, columns, list, keyOf, empty }: TableProps<Row>) {
  const t = useUiText();
  const { items, query } = list;
  const isLong = items.length > MOST_AT_ONCE;
  const { head, widths } = useColumnWidths(isLong);
  const body = useRef<HTMLTableSectionElement>(null);
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } = query;
  const approachEnd = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage && !isFetchNextPageError) {
      void fetchNextPage();
    }
  }, [hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage]);
  if (query.isError && items.length === 0) {
    return <Problem error={query.error} retry={() => void query.refetch()} />;
  }
  if (query.isSuccess && items.length === 0) {
    return <div className="card">{empty}</div>;
  }
  return (
    <div className="card">
      <TableFrame label={label}>
        <table
          {...ROLES.table}
          aria-busy={query.isPending}
          {...(isLong ? { 'aria-rowcount': query.hasNextPage ? -1 : items.length + 1 } : {})}
          {...(widths === undefined ? {} : { style: { tableLayout: 'fixed' } })}
        >
          <TableHead columns={columns} row={head} rowIndex={isLong ? 1 : undefined} widths={widths} />
          <tbody ref={body} {...ROLES.group}>
            {query.isPending && <Waiting columns={columns.length} />}
            {isLong ? (
              <RowsInSight {...{ columns, items, keyOf, approachEnd, body }} />
            ) : (
              <Rows {...{ columns, items, keyOf }} />
            )}
          </tbody>
        </table>
      </TableFrame>
      {isFetchNextPageError && !isFetchingNextPage && (
        <Problem error={query.error} retry={() => void fetchNextPage()} />
      )}
      {hasNextPage && (isFetchingNextPage || !isFetchNextPageError) && (
        <Group justify="center" p="sm">
          <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('load_more')}
          </Button>
        </Group>
      )}
    </div>
  );
}

function Waiting({ columns }: { columns: number }) {
  const t = useUiText();
  return [1, 2, 3].map((row) => (
    <tr key={row} {...ROLES.row} className="waiting">
      <td {...ROLES.cell} colSpan={columns} aria-label={t('loading')}>
        <Skeleton height={14} width={`${90 - row * 15}%`} />
      </td>
    </tr>
  ));
}
