import { Compile, type Validator } from 'typebox/compile';
import { parseTime } from '../parse-time.ts';
import { KINDS, type Kind, ROW_SCHEMAS, type Row } from './row-schemas.ts';

/** The fault of a row. `field` is empty for the whole row. */
export interface RowProblem {
  field: string;
  problem: string;
}

export type ParsedRow = { row: Row; problems?: undefined } | { problems: readonly RowProblem[] };

/** Parses a record into a row of its kind, or returns all its faults. `kind` is for records without one. */
export function parseRow(value: unknown, kind: Kind | undefined): ParsedRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return problem('', 'must be a JSON object');
  }
  const record: Record<string, unknown> = { ...(kind === undefined ? {} : { kind }), ...value };
  const named = KINDS.find((each) => each === record.kind);
  if (named === undefined) {
    return problem('kind', `must be ${KINDS.join(', ')}, or name it with --kind`);
  }
  const problems = explain(VALIDATORS[named], record);
  if (problems.length > 0) {
    return { problems };
  }
  return checkTime(record as unknown as Row);
}

/** Identifies the resource of a row, so that rows about the same one are processed in order. */
export function nameOf(row: Row): string {
  switch (row.kind) {
    case 'organization':
      return `organization ${row.external_id}`;
    case 'user':
      return `user ${row.email} of ${row.organization}`;
    case 'license':
      return `license ${row.external_id} of ${row.organization}`;
  }
}

const VALIDATORS: Readonly<Record<Kind, Validator>> = {
  organization: Compile(ROW_SCHEMAS.organization),
  user: Compile(ROW_SCHEMAS.user),
  license: Compile(ROW_SCHEMAS.license),
};

function explain(validator: Validator, record: object): RowProblem[] {
  if (validator.Check(record)) {
    return [];
  }
  return validator.Errors(record).flatMap(({ instancePath, keyword, params, message }) => {
    const field = instancePath.slice(1).replaceAll('/', '.');
    if (keyword === 'required') {
      return listOf(params, 'requiredProperties').map((name) => ({ field: join(field, name), problem: 'is missing' }));
    }
    if (keyword === 'additionalProperties') {
      return listOf(params, 'additionalProperties').map((name) => ({
        field: join(field, name),
        problem: 'is unknown',
      }));
    }
    // The unknown member is reported again, as matching nothing.
    return keyword === 'boolean' ? [] : [{ field, problem: PROBLEMS[keyword] ?? message }];
  });
}

/** Replacements for messages of the validator that are meant for programmers. */
const PROBLEMS: Readonly<Record<string, string>> = { pattern: 'must be an email address' };

function listOf(params: object, name: string): string[] {
  const value: unknown = Reflect.get(params, name);
  return Array.isArray(value) ? value.map(String) : [];
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

/** The times of a license, as ISO 8601 with milliseconds. */
function checkTime(row: Row): ParsedRow {
  if (row.kind !== 'license' || row.expires_at === NEVER) {
    return { row };
  }
  try {
    return { row: { ...row, expires_at: parseTime(row.expires_at) } };
  } catch {
    return problem('expires_at', 'must be an ISO 8601 time, for example 2027-12-31, or never');
  }
}

/** The values that mean a perpetual license. An empty cell does not, because it may have been forgotten. */
export const NEVER = 'never';

function problem(field: string, text: string): ParsedRow {
  return { problems: [{ field, problem: text }] };
}
