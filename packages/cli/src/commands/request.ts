import type { Command } from 'commander';
import { addOperatorOptions, type OperatorOptions } from '../operator/options.ts';
import { printRecord } from '../operator/print-record.ts';
import { withOperator } from '../operator/with-operator.ts';

/** `seathold request show`: the record of a request that a customer reports. */
export function addRequestCommand(program: Command): void {
  const request = program.command('request').description('Look up requests to the API.');
  addOperatorOptions(
    request
      .command('show')
      .description('Show the record of a request from the last 7 days.')
      .argument('<request_id>', 'the ID of the request, req_…, which every response contains'),
  ).action((id: string, options: OperatorOptions) =>
    withOperator(options, async (client) => {
      printRecord(await client.operator.getRequestRecord(id), options);
    }),
  );
}
