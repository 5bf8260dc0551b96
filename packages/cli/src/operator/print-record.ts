import { print } from '../output.ts';
import { describeRecord } from '../printing/describe-record.ts';

/** Prints one thing: the API's data with --json, else its names and values after a sentence, if there is one. */
export function printRecord(record: object, { json }: { json?: boolean }, sentence?: string): void {
  print(json === true, record, [...(sentence === undefined ? [] : [sentence]), ...describeRecord(record)]);
}
