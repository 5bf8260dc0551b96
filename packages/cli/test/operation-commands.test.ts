import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import openapi from '../../../openapi.json' with { type: 'json' };
import { plantInvoice } from '../../server/test/harness/plant-invoice.ts';
import { createProgram } from '../src/main.ts';
import { OPERATION_COMMANDS, type Vendor } from './operation-commands.ts';
import { createRemoteTest } from './remote-world.ts';

const it = createRemoteTest().extend('createVendor', ({ app, ask, remote, world }) => async (): Promise<Vendor> => {
  const [customer, colleague, candidate] = [await app.register(), await app.register(), await app.register()];
  const license = await app.issueLicense(customer.organizationId, { product: 'studio' });
  await ask('staff', 'add', colleague.email, '--role', 'viewer');
  const spare = await ask('token', 'create', '--name', 'spare', '--role', 'viewer');
  app.api.secrets.note('an operator token', spare.token);
  const invoice = await plantInvoice(app, customer.organizationId, {
    number: `INV-${customer.organizationId.slice(-6).toUpperCase()}`,
  });
  const refused = await remote(['license', 'show', 'lic_nothing', '--json']);
  await app.runJobs();
  await remote(['catalog', 'show']).then(({ stdout }) => writeFile(join(world.folder, 'present.yaml'), stdout));
  return {
    organizationId: customer.organizationId,
    email: customer.email,
    userId: customer.userId,
    licenseId: license.id,
    licenseKey: license.key,
    colleague: colleague.email,
    candidate: candidate.email,
    tokenId: spare.id,
    invoiceNumber: String(invoice.number),
    requestId: JSON.parse(refused.stderr).error.request_id,
    cataloguePath: 'present.yaml',
  };
});

describe('the command', () => {
  it.for(Object.entries(OPERATION_COMMANDS))(
    'does what %s does',
    async ([operationId, { command, words }], { app, remote, createVendor }) => {
      const vendor = await createVendor();
      const { method, path } = OPERATIONS.get(operationId) ?? expect.fail(`the API has no operation ${operationId}`);
      const before = app.requestLines.length;
      const { code, stdout, stderr } = await remote([...command.split(' '), ...words(vendor)]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      if (command === 'token create') {
        app.api.secrets.note('an operator token', /svc_opt_\w+/.exec(stdout)?.[0] ?? expect.fail(stdout));
      }
      const answered = app.requestLines.slice(before).map((line) => JSON.parse(line));
      expect(answered).toContainEqual(expect.objectContaining({ method, route: path }));
      expect(answered.filter(({ status }) => status >= 400)).toEqual([]);
    },
  );

  it('is named by the table as it is called', () => {
    const program = createProgram();
    for (const { command } of Object.values(OPERATION_COMMANDS)) {
      const names = command.split(' ');
      const found = names.reduce(
        (above, name) => above.commands.find((each) => each.name() === name) ?? expect.fail(`no command ${command}`),
        program,
      );
      expect(found.commands).toEqual([]);
    }
  });
});

/** Every operation of the API by its ID. */
const OPERATIONS = new Map(
  Object.entries(openapi.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId }]) => [operationId, { method: method.toUpperCase(), path }] as const,
    ),
  ),
);
