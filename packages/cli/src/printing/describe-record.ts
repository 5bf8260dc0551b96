import { columns } from '../output.ts';
import { visible } from './table.ts';

/** Names and values of one record, in two columns; nested values are named by their path. */
export function describeRecord(record: object): string[] {
  return columns(flatten(record, ''));
}

function flatten(record: object, prefix: string): Array<readonly [string, string]> {
  return Object.entries(record).flatMap(([name, value]) => flattenValue(`${prefix}${name}`, value));
}

function flattenValue(name: string, value: unknown): Array<readonly [string, string]> {
  if (Array.isArray(value)) {
    return value.some((each) => typeof each === 'object')
      ? value.flatMap((each, index) => flattenValue(`${name}.${index + 1}`, each))
      : [[name, visible(value.join(', '))]];
  }
  if (typeof value === 'object' && value !== null) {
    return Object.keys(value).length === 0 ? [[name, '-']] : flatten(value, `${name}.`);
  }
  return [[name, visible(value === null || value === undefined ? null : String(value))]];
}
