import type { List, Page } from '@seathold/client';
import type { ListOptions } from '../operator/options.ts';
import { type Column, Table, terminalWidth } from './table.ts';

const MAX_PAGE = 100;

/** How many items to request at a time. */
export function pageSize({ limit, all }: Pick<ListOptions, 'limit' | 'all'>): number {
  return all === true ? MAX_PAGE : Math.min(limit, MAX_PAGE);
}

/** The options of printing a list. */
export interface ListForm<Item> {
  columns: ReadonlyArray<Column<Item>>;
  /** The sentence for an empty list. */
  empty: string;
}

/**
 * Prints a list page by page as it arrives, so that it may have any length: as a table, or with --json as one array.
 */
export async function printList<Item>(
  list: List<Item>,
  options: Pick<ListOptions, 'limit' | 'all' | 'json'>,
  form: ListForm<Item>,
): Promise<void> {
  const writer = options.json === true ? createArrayWriter<Item>() : createTableWriter(form);
  let left = options.all === true ? Number.POSITIVE_INFINITY : options.limit;
  let hasMore = false;
  for (let page: Page<Item> | undefined = await list; page !== undefined; page = await page.nextPage()) {
    writer.add(page.data.slice(0, left));
    hasMore = page.data.length > left || page.pagination.has_more;
    left -= page.data.length;
    if (left <= 0) {
      break;
    }
  }
  writer.end();
  if (hasMore) {
    process.stderr.write('There are more: use --limit or --all.\n');
  }
}

interface Writer<Item> {
  add(items: readonly Item[]): void;
  end(): void;
}

function createTableWriter<Item>({ columns, empty }: ListForm<Item>): Writer<Item> {
  const table = new Table(columns, terminalWidth());
  let isEmpty = true;
  return {
    add: (items) => {
      if (items.length > 0) {
        isEmpty = false;
        process.stdout.write(`${table.add(items).join('\n')}\n`);
      }
    },
    end: () => void (isEmpty && process.stdout.write(`${empty}\n`)),
  };
}

/** In the format of JSON.stringify with two spaces. Nothing is written before the first response. */
function createArrayWriter<Item>(): Writer<Item> {
  let written = 0;
  return {
    add: (items) => {
      for (const item of items) {
        const text = JSON.stringify(item, undefined, 2).replaceAll('\n', '\n  ');
        process.stdout.write(`${written === 0 ? '[' : ','}\n  ${text}`);
        written += 1;
      }
    },
    end: () => void process.stdout.write(written === 0 ? '[]\n' : '\n]\n'),
  };
}
