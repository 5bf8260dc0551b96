import type { Answer } from './answer.ts';
import { isRecord, pick } from './read-json.ts';

/** A failed check, with the reason. */
export class Fault extends Error {}

/** A skipped check, with the reason. */
export class LeftOut extends Error {}

/** Throws a fault unless a condition holds for a response. */
export function expectThat(answer: Answer, holds: boolean, complaint: string): void {
  if (!holds) {
    const requestId = answer.headers['x-request-id'];
    throw new Fault(`${answer.what}: ${complaint}${requestId === undefined ? '' : ` (${requestId})`}`);
  }
}

/** Throws unless the response has this status; the message names the actual error code. */
export function expectStatus(answer: Answer, status: number): void {
  const code = pick(answer.body, 'error.code') ?? pick(answer.body, 'error');
  const found = typeof code === 'string' ? `${answer.status} ${code}` : String(answer.status);
  expectThat(answer, answer.status === status, `the status is ${found}, expected ${status}`);
}

/** Throws unless a member of the body has this value. */
export function expectValue(answer: Answer, path: string, expected: unknown): void {
  const found = pick(answer.body, path);
  expectThat(
    answer,
    JSON.stringify(found) === JSON.stringify(expected),
    `${path} is ${show(found)}, expected ${show(expected)}`,
  );
}

/** Throws unless the answer is an error with this status and code, in the envelope of errors. */
export function expectError(
  answer: Answer,
  status: number,
  code: string,
  details: Readonly<Record<string, unknown>> = {},
): void {
  expectStatus(answer, status);
  expectValue(answer, 'error.code', code);
  expectFields(answer, 'error', { message: 'string' });
  expectMeta(answer);
  for (const [name, value] of Object.entries(details)) {
    expectValue(answer, `error.details.${name}`, value);
  }
}

/** Throws unless the answer has this status and the envelope of successes. */
export function expectData(answer: Answer, status: number): void {
  expectStatus(answer, status);
  expectThat(answer, pick(answer.body, 'data') !== undefined, 'the body has no data');
  expectMeta(answer);
}

/** Throws unless the answer is a page of a list. */
export function expectPage(answer: Answer): void {
  expectData(answer, 200);
  expectThat(answer, Array.isArray(pick(answer.body, 'data')), 'data is not an array');
  expectFields(answer, 'pagination', { has_more: 'boolean', next_cursor: 'string?' });
  const [hasMore, cursor] = [pick(answer.body, 'pagination.has_more'), pick(answer.body, 'pagination.next_cursor')];
  expectThat(answer, hasMore === (cursor !== null), `has_more is ${hasMore}, but next_cursor is ${show(cursor)}`);
}

function expectMeta(answer: Answer): void {
  expectFields(answer, 'meta', { request_id: /^req_/, timestamp: 'timestamp' });
  const [inBody, inHeader] = [pick(answer.body, 'meta.request_id'), answer.headers['x-request-id']];
  expectThat(answer, inBody === inHeader, `meta.request_id is ${show(inBody)}, but X-Request-Id is ${show(inHeader)}`);
}

/** The type of a member; a trailing question mark allows null. */
export type Kind =
  | RegExp
  | 'string'
  | 'string?'
  | 'integer'
  | 'number'
  | 'boolean'
  | 'object'
  | 'array'
  | 'timestamp'
  | 'timestamp?';

/** Throws unless an object at a path has these members. */
export function expectFields(answer: Answer, path: string, kinds: Readonly<Record<string, Kind>>): void {
  const found = path === '' ? answer.body : pick(answer.body, path);
  expectThat(answer, isRecord(found), `${path || 'the body'} is ${show(found)}, expected an object`);
  for (const [name, kind] of Object.entries(kinds)) {
    const value = pick(found, name);
    const wanted = kind instanceof RegExp ? `a string like ${kind.source}` : kind.replace('?', ' or null');
    expectThat(
      answer,
      isOf(value, kind),
      `${path === '' ? '' : `${path}.`}${name} is ${show(value)}, expected ${wanted}`,
    );
  }
}

function isOf(value: unknown, kind: Kind): boolean {
  if (kind instanceof RegExp) {
    return typeof value === 'string' && kind.test(value);
  }
  if (kind.endsWith('?') && value === null) {
    return true;
  }
  switch (kind) {
    case 'string':
    case 'string?':
      return typeof value === 'string';
    case 'timestamp':
    case 'timestamp?':
      return typeof value === 'string' && TIMESTAMP.test(value);
    case 'integer':
      return Number.isInteger(value);
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    default:
      return typeof value === kind;
  }
}

/** ISO 8601 in UTC, with milliseconds. */
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** A value for messages, truncated if it is long. */
export function show(value: unknown): string {
  const text = value === undefined ? 'missing' : JSON.stringify(value);
  return text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
}

const LONGEST_SHOWN = 100;
