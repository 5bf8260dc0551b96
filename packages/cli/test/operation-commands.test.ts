import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import openapi from '../../../openapi.json' with { type: 'json' };
import { plantInvoice } from '../../server/test/harness/plant-invoice.ts';
import { createProgram } from '../src/create-program.ts';
import { OPERATION_COMMANDS, type Vendor, WITHOUT_COMMAND } from './operation-commands.ts';
import { createRemoteTest } from './remote-world.ts';

const it = createRemoteTest().extend('createVendor', ({ app, ownerToken, world }) => async (): Promise<Vendor> => {
  const operate = async (path: string, body: object) => {
    const made = await app.api.post(`/v1/operator/${path}`, ownerToken, body);
    return made.body.data;
  };
  const [customer, colleague, candidate] = [await app.register(), await app.register(), await app.register()];
  const { name } = (await app.api.get(`/v1/operator/organizations/${customer.organizationId}`, ownerToken)).body.data;
  const license = await app.issueLicense(customer.organizationId, { product: 'studio' });
  await operate('staff', { email: colleague.email, role: 'viewer' });
  const suspended = await app.issueLicense(customer.organizationId);
  await operate(`licenses/${suspended.id}/suspend`, { reason: 'Not paid' });
  const spare = await operate('tokens', { name: 'spare', role: 'viewer' });
  const seat = await app.api.post('/v1/licenses/acquire', customer.accessToken, {
    license_key: license.key,
    hardware_id: `hw_${'a'.repeat(32)}`,
  });
  const invoice = await plantInvoice(app, customer.organizationId, {
    number: `INV-${customer.organizationId.slice(-6).toUpperCase()}`,
  });
  const refused = await app.api.get('/v1/operator/licenses/lic_nothing', ownerToken);
  await app.runJobs();
  const catalogue = await app.api.get('/v1/operator/catalog', ownerToken);
  await writeFile(join(world.folder, 'present.yaml'), JSON.stringify(catalogue.body.data));
  return {
    organizationId: customer.organizationId,
    organizationName: name,
    email: customer.email,
    userId: customer.userId,
    licenseId: license.id,
    licenseKey: license.key,
    sessionId: seat.body.data.session_id,
    colleague: colleague.email,
    candidate: candidate.email,
    tokenId: spare.id,
    suspendedLicenseId: suspended.id,
    invoiceNumber: String(invoice.number),
    invoiceId: invoice.id,
    requestId: refused.body.meta.request_id,
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

  it('does everything that the API does, unless there is a reason not to', () => {
    const excused = WITHOUT_COMMAND.flatMap(([, operationIds]) => operationIds);
    expect([...Object.keys(OPERATION_COMMANDS), ...excused].toSorted()).toEqual([...OPERATIONS.keys()].toSorted());
  });

  it('does everything that the operator API does, without exception', () => {
    const excused = WITHOUT_COMMAND.flatMap(([, operationIds]) => operationIds);
    expect(excused.filter((id) => OPERATIONS.get(id)?.path.startsWith('/v1/operator/'))).toEqual([]);
  });

  it('has the same name in the table and in the program', () => {
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
