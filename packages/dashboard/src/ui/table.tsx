import { VisuallyHidden } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { ACTIONS, type Column } from './column.ts';
import { useUiText } from './messages.ts';
import { ROLES } from './table-roles.ts';
import { Rows } from './table-rows.tsx';

interface TableProps<Row> {
  label: string;
  columns: ReadonlyArray<Column<Row>>;
  items: readonly Row[];
  keyOf: (row: Row) => string;
  className?: string;
}

/** A short table that is complete. `DataTable` is for lists of the API. */
export function Table<Row>({ label, columns, items, keyOf, className }: TableProps<Row>) {
  return (
    <TableFrame label={label} className={className}>
      <table {...ROLES.table}>
        <TableHead columns={columns} />
        <tbody {...ROLES.group}>
          <Rows columns={columns} items={items} keyOf={keyOf} />
        </tbody>
      </table>
    </TableFrame>
  );
}

/**
 * The frame of a table. In a narrow frame, each row is a block with a line for each column (`app/table.css`). A wider
 * one scrolls a table that does not fit.
 */
export function TableFrame(props: { label: string; className?: string | undefined; children: ReactNode }) {
  const { label, className, children } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard (WCAG 2.1.1).
    <section className={`table-frame ${className ?? ''}`.trim()} tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** The titles of the columns. */
export function TableHead<Row>(props: {
  columns: ReadonlyArray<Column<Row>>;
  row?: Ref<HTMLTableRowElement>;
  rowIndex?: number | undefined;
  widths?: readonly string[] | undefined;
}) {
  const { columns, row, rowIndex, widths } = props;
  const t = useUiText();
  return (
    <thead {...ROLES.group}>
      <tr {...ROLES.row} ref={row} aria-rowindex={rowIndex}>
        {columns.map(({ title, isNumber = false }, at) => (
          <th
            key={title}
            {...ROLES.head}
            scope="col"
            className={isNumber ? 'number' : undefined}
            style={{ width: widths?.[at] }}
          >
            {title === ACTIONS ? <VisuallyHidden>{t('actions')}</VisuallyHidden> : title}
          </th>
        ))}
      </tr>
    </thead>
  );
}
