import { print } from '../output.ts';
import { describeRecord } from '../printing/describe-record.ts';

/** Prints one record: the API's data with --json, otherwise its names and values after an optional sentence. */
export function printRecord(record: object, { json }: { json?: boolean }, sentence?: string): void {
  print(json === true, record, [...(sentence === undefined ? [] : [sentence]), ...describeRecord(record)]);
}
