import type { RecordedStatement } from './record-statements.ts';
import { SALES_DIGITS } from './stored-sales.ts';

/**
 * The recorded renewals of one organization as a pgbench script in which each client does the same to a random one of its share of the
 * organizations 1 to `organizations`, which must be stored under such names. Names that the recording made become new ones in each turn, and
 * so do the numbers of invoices; everything else stays as it was recorded.
 */
export function writeRenewalScript(
  statements: readonly RecordedStatement[],
  recorded: number,
  { clients, organizations }: { clients: number; organizations: number },
): string {
  const names = new Map<string, number>();
  const texts = statements.map(({ text, values }) => {
    const literals = values.map((value) => literalOf(value, recorded, names));
    return `${text.replaceAll(/\$(\d+)/g, (_, position: string) => literals[Number(position) - 1] ?? 'null')};`;
  });
  return [
    // No organization is another client's: what one leaves between two transactions is in the way of the other.
    `\\set organization 1 + :client_id + ${clients} * random(0, ${Math.floor(organizations / clients) - 1})`,
    '\\set turn :turn + 1',
    '\\set fresh :base + :turn * 64 + :client_id',
    ...texts,
    '',
  ].join('\n');
}

/** What is in a text for the organization's number, for a name's part that is new in each turn, and for the same as a number. */
const ORGANIZATION = '~o~';
const NAME = '~n~';
const NUMBER = '~f~';
/** Of a name that the service made: the rest of it tells the names of one turn apart. */
const NAME_DIGITS = 20;
const STORED = /(?<!\d)(\d{13})(\d{13})(?!\d)/g;
/** All but plans, which are there already. */
const MADE = /(?<=_)(?<!plan_)[0-9a-z]{26}(?![0-9a-z])/g;

function literalOf(value: unknown, recorded: number, names: Map<string, number>): string {
  if (Buffer.isBuffer(value)) {
    return `'\\x${value.toString('hex')}'`;
  }
  if (Array.isArray(value)) {
    return textLiteral(`{${value.map(elementOf).join(',')}}`, recorded, names);
  }
  if (value instanceof Date) {
    return quote(value.toISOString());
  }
  switch (typeof value) {
    case 'string':
      return textLiteral(value, recorded, names);
    case 'number':
    case 'boolean':
      return String(value);
    default:
      return value === null || value === undefined ? 'null' : textLiteral(JSON.stringify(value), recorded, names);
  }
}

function elementOf(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value);
  return value === null ? 'null' : `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

/** One variable for a whole text, however many names are in it: pgbench takes no more than 255 for a statement. */
function textLiteral(text: string, recorded: number, names: Map<string, number>): string {
  let places = 0;
  const template = text
    .replaceAll(STORED, (whole, organization: string, row: string) =>
      Number(organization) === recorded ? `${ORGANIZATION}${row}` : whole,
    )
    .replaceAll(MADE, (name) => {
      const index = names.get(name) ?? names.set(name, names.size).size - 1;
      return `${NAME}${String(index).padStart(26 - NAME_DIGITS, '0')}`;
    })
    // An organization's invoices have numbers of their own, and a subscription one for each period.
    .replaceAll(/("(?:sequence|period_index)\\?":)\d+/g, (_, member: string) => {
      places += 1;
      return `${member}${NUMBER}${String(places % 100).padStart(2, '0')}`;
    });
  const filled = [
    [ORGANIZATION, `lpad((:organization)::text, ${SALES_DIGITS}, '0')`],
    [NAME, `lpad((:fresh)::text, ${NAME_DIGITS}, '0')`],
    [NUMBER, '(:fresh)::text'],
  ] as const;
  return filled
    .filter(([place]) => template.includes(place))
    .reduce((sql, [place, variable]) => `replace(${sql}, '${place}', ${variable})`, quote(template));
}

/** A colon followed by a letter or digit would be a variable to pgbench, also inside a string. */
function quote(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')}'`;
}
