import type { RecordedPair } from './record-statements.ts';

/** What a recording says of one acquire and release, to be told apart from what is the same for every one. */
export interface RecordedNames {
  licenseId: string;
  licenseKey: string;
  hardwareId: string;
}

/**
 * A recorded pair as a pgbench script that takes and releases a seat of a random license. Names become variables, what
 * an earlier statement answered (the clock, the slot) is taken from its answer again, and everything else stays as it was
 * recorded. Licenses 1 to `licenses` must exist under these digits as id and as key.
 */
export function writeSeatScript(pair: RecordedPair, names: RecordedNames, licenses: number): string {
  const statements = pair.statements.map((statement) => ({ ...statement, isRead: false, eventIds: 0 }));
  let events = 0;
  const variableOf = (value: string): string | undefined => {
    if (value === names.licenseId || value === names.licenseKey) return ':license';
    if (value === pair.sessionId || value === names.hardwareId) return ':session';
    if (/^evt_\w{26}$/.test(value)) {
      events += 1;
      return `:event${events}`;
    }
    return undefined;
  };
  const answered = (value: number, before: number): string | undefined => {
    // Small numbers are counts, which stay as they are; the recording sees to it that no slot is one.
    for (let index = before - 1; index >= 0 && value >= SMALLEST_ANSWER; index -= 1) {
      const statement = statements[index];
      const column = columnsOf(statement?.rows[0]).find(([, found]) => found === value)?.[0];
      if (statement !== undefined && column !== undefined) {
        statement.isRead = true;
        return `:s${index}_${column}`;
      }
    }
    return undefined;
  };
  const texts = statements.map(({ text, values }, index) => {
    const literals = values.map((value) => literalOf(value, variableOf, (number) => answered(number, index)));
    return withoutColons(text).replaceAll(
      /\$(\d+)/g,
      (_, position: string) => literals[Number(position) - 1] ?? 'null',
    );
  });
  const sent = texts.map((text, index) => `${text}${statements[index]?.isRead === true ? ` \\gset s${index}_` : ';'}`);
  return [...prologue(licenses, events), ...sent, ''].join('\n');
}

/** A slot of the recorded license is at least this; see pgbench.ts. */
export const SMALLEST_ANSWER = 500;

/** Each client counts its own turns, so that names sort by time as real ones do, and never meet another's. */
function prologue(licenses: number, events: number): string[] {
  return [
    `\\set license random(1, ${licenses})`,
    '\\set turn :turn + 1',
    '\\set session :base + :turn * 1024 + :client_id * 16',
    ...Array.from({ length: events }, (_, index) => `\\set event${index + 1} :session + ${index + 1}`),
  ];
}

function columnsOf(row: unknown): Array<[string, unknown]> {
  return typeof row === 'object' && row !== null ? Object.entries(row) : [];
}

function literalOf(
  value: unknown,
  variableOf: (text: string) => string | undefined,
  answered: (number: number) => string | undefined,
): string {
  if (Array.isArray(value)) {
    return `array[${value.map((each) => literalOf(each, variableOf, answered)).join(', ')}]`;
  }
  switch (typeof value) {
    case 'string':
      return variableOf(value) ?? quote(value);
    case 'number':
      return answered(value) ?? String(value);
    case 'boolean':
      return String(value);
    default:
      return value === null || value === undefined ? 'null' : quote(JSON.stringify(value));
  }
}

/** A colon followed by a digit would be a variable to pgbench, also inside a string. */
function quote(text: string): string {
  return `E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')}'`;
}

/** The same in the literals of a statement's own text. */
function withoutColons(text: string): string {
  return text.replaceAll(/'[^'\n]*'/g, (literal) => (literal.includes(':') ? quote(literal.slice(1, -1)) : literal));
}
